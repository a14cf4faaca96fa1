import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import type { Suite, Trend } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { may } from '../../kit/session.ts';
import { Trouble } from '../../parts/Notice.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { type Chart, chartOf } from './chart.ts';
import { useTrends } from './data.ts';

interface Props {
  readonly suite: Suite;
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayWords = (date: string): string => DAY.format(new Date(date));

/** How the pass rate went by day: as a chart, or as the table of it. */
export function Trends({ suite }: Props): JSX.Element | null {
  const { data, problem, reload } = useTrends(suite.id);
  const [isTable, setTable] = useState(false);
  if (!may.value.analyse) return <NotOfThePlan />;
  if (problem && !data) return <Trouble problem={problem} retry={reload} />;
  if (!data || data.length === 0) return data ? null : <div class="chart-space" />;
  return (
    <section class="part" aria-labelledby="trend">
      <div class="part-head">
        <h2 id="trend">Pass rate by day</h2>
        <span class="muted">All runs, of any branch</span>
        <button type="button" class="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? 'As a chart' : 'As a table'}
        </button>
      </div>
      {isTable ? (
        <Table caption="Pass rate by day" columns={COLUMNS} rows={data} keyOf={({ date }) => date} />
      ) : (
        <Drawing chart={chartOf(data, suite.pass_threshold)} bar={suite.pass_threshold} />
      )}
    </section>
  );
}

const COLUMNS: readonly Column<Trend>[] = [
  { head: 'Day (UTC)', kind: 'main', cell: ({ date }) => <time dateTime={date}>{dayWords(date)}</time> },
  { head: 'Pass rate', kind: 'number', cell: ({ avg_pass_rate: rate }) => share(rate) },
  { head: 'Runs', kind: 'number', cell: ({ total_runs: runs }) => runs },
  { head: 'Cleared', kind: 'number', cell: ({ cleared_count: cleared }) => cleared },
  { head: 'Aborted', kind: 'number', cell: ({ aborted_count: aborted }) => aborted },
];

/** Only those who see usage can do something about the plan. */
function NotOfThePlan(): JSX.Element | null {
  if (!may.value.browse || !may.value.administrate || !may.value.seeUsage) return null;
  return (
    <p class="hint part">
      The pass rate by day and regressions come with <a href={to.settings('usage')}>the plan Pro</a>.
    </p>
  );
}

const pointWords = ({ date, avg_pass_rate: rate, cleared_count: cleared, aborted_count: aborted }: Trend) =>
  `${dayWords(date)}: ${share(rate)}, ${cleared} cleared, ${aborted} aborted`;

interface DrawingProps {
  readonly chart: Chart;
  readonly bar: number;
}

/** Stretched to the width there is: lines and dots keep their size. */
function Drawing({ chart: { points, lowest, heightOf }, bar }: DrawingProps): JSX.Element {
  const line = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x} ${y}`).join('');
  const barY = heightOf(bar);
  const first = points[0]?.trend.date ?? '';
  const last = points.at(-1)?.trend.date ?? '';
  return (
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>100 %</span>
        <span>{Math.round(lowest * 100)} %</span>
      </div>
      <div class="chart-body">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="Pass rate by day">
          <path class="chart-bar" d={`M0 ${barY}H100`} />
          <path class="chart-line" d={line} />
          {points.map(({ trend, x, y }) => (
            <path
              key={trend.date}
              class={`chart-dot ${trend.aborted_count > 0 ? 'is-bad' : 'is-good'}`}
              d={`M${x} ${y}h0`}
            >
              <title>{pointWords(trend)}</title>
            </path>
          ))}
        </svg>
      </div>
      <div class="chart-margin" aria-hidden="true">
        <span style={{ top: `${barY}%` }}>bar {share(bar)}</span>
      </div>
      <div class="chart-days" aria-hidden="true">
        {first !== last && <span>{dayWords(first)}</span>}
        <span>{dayWords(last)}</span>
      </div>
    </div>
  );
}
