import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import type { Suite } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { address, withQuery } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { Tabs } from '../../parts/Tabs.tsx';
import { ofDefaultBranch } from './branch.ts';
import { type Chart, chartOf } from './chart.ts';
import { useBars, useBaselines, useLatestRuns, useTrends } from './data.ts';
import { Strip } from './Strip.tsx';

interface Props {
  readonly suite: Suite;
}

const DAYS = [14, 30, 90];

/** How the default branch went: its last runs, and with the plan for it by day. */
export function PassRate({ suite }: Props): JSX.Element | null {
  const runs = ofDefaultBranch(useLatestRuns(suite.id).data?.data ?? []).filter(
    ({ status }) => status !== 'pending',
  );
  const days = DAYS.find((count) => address.value.query.get('days') === `${count}`);
  if (runs.length === 0) return null;
  const tabs = [undefined, ...DAYS].map((count) => ({
    text: count === undefined ? 'Last runs' : `${count} days`,
    href: withQuery({ days: count?.toString() }),
    isCurrent: count === days,
  }));
  return (
    <section class="part" aria-labelledby="rate">
      <div class="part-head">
        <h2 id="rate">{days ? 'Pass rate' : 'Verdicts'}</h2>
        <span class="muted">Of the default branch</span>
        {may.value.analyse && <Tabs label="Pass rate of" tabs={tabs} />}
      </div>
      {may.value.analyse && days ? <ByDay key={days} suite={suite} days={days} /> : <Strip runs={runs} />}
      {!may.value.analyse && <NotOfThePlan />}
    </section>
  );
}

/** Only those who see usage can do something about the plan. */
function NotOfThePlan(): JSX.Element | null {
  if (!may.value.browse || !may.value.administrate || !may.value.seeUsage) return null;
  return (
    <p class="hint">
      The pass rate by day comes with <a href={to.settings('usage')}>the plan Pro</a>.
    </p>
  );
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const dayWords = (date: string | number): string => DAY.format(new Date(date));
const DAY_MS = 86_400_000;

type Point = Chart['points'][number];

function ByDay({ suite, days }: Props & { readonly days: number }): JSX.Element {
  const { data: trends, problem, reload } = useTrends(suite.id, days);
  const bars = useBars(suite.id).data?.data;
  const baselines = useBaselines(suite.id).data?.data;
  const [isTable, setTable] = useState(false);
  if (problem && !trends) return <Trouble problem={problem} retry={reload} />;
  if (!trends || !bars || !baselines) return <Loading what="the pass rate" />;
  if (trends.length === 0) return <p class="muted">No run of it in these days.</p>;
  const nowMs = Date.now();
  const chart = chartOf({ trends, bars, baselines, bar: suite.pass_threshold, days }, nowMs);
  return (
    <>
      {isTable ? (
        <Table
          caption="Pass rate by day"
          columns={COLUMNS}
          rows={chart.points.toReversed()}
          keyOf={({ trend }) => trend.date}
        />
      ) : (
        <Drawing chart={chart} bar={suite.pass_threshold} from={nowMs - (days - 1) * DAY_MS} />
      )}
      <button type="button" class="quiet" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
        {isTable ? 'As a chart' : 'As a table'}
      </button>
    </>
  );
}

const COLUMNS: readonly Column<Point>[] = [
  {
    head: 'Day (UTC)',
    kind: 'main',
    cell: ({ trend: { date } }) => <time dateTime={date}>{dayWords(date)}</time>,
  },
  { head: 'Pass rate', kind: 'number', cell: ({ trend }) => share(trend.avg_pass_rate) },
  { head: 'Runs', kind: 'number', cell: ({ trend }) => trend.total_runs },
  { head: 'Cleared', kind: 'number', cell: ({ trend }) => trend.cleared_count },
  { head: 'Aborted', kind: 'number', cell: ({ trend }) => trend.aborted_count },
  { head: 'Changed', cell: ({ changed }) => changed.join(', ') },
];

const pointWords = ({ trend, isGood, changed }: Point): string =>
  [
    `${dayWords(trend.date)}: ${share(trend.avg_pass_rate)}, ${isGood ? 'over' : 'under'} the bar`,
    `${trend.cleared_count} cleared, ${trend.aborted_count} aborted`,
    ...changed.map((what) => `another ${what}`),
  ].join(', ');

interface DrawingProps {
  readonly chart: Chart;
  readonly bar: number;
  readonly from: number;
}

/** Stretched to the width there is: lines and dots keep their size. */
function Drawing({ chart: { points, steps, marks, lowest }, bar, from }: DrawingProps): JSX.Element {
  const barPath = steps.map(({ x, y }, index) => (index === 0 ? `M${x} ${y}` : `H${x}V${y}`)).join('');
  return (
    <div class="chart">
      <div class="chart-scale" aria-hidden="true">
        <span>100 %</span>
        <span>{Math.round(lowest * 100)} %</span>
      </div>
      <div class="chart-body">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" role="img" aria-label="Pass rate by day">
          {marks.map(({ x, what }) => (
            <path key={`${what} ${x}`} class={`chart-mark is-${what}`} d={`M${x} 0V100`} />
          ))}
          <path class="chart-bar" d={`${barPath}H100`} />
          {points.map((point) => (
            <path
              key={point.trend.date}
              class={`chart-dot ${point.isGood ? 'is-good' : 'is-bad'}`}
              d={`M${point.x} ${point.y}h0`}
            >
              <title>{pointWords(point)}</title>
            </path>
          ))}
        </svg>
        <span class="chart-label" aria-hidden="true" style={{ top: `${steps.at(-1)?.y}%` }}>
          bar {share(bar)}
        </span>
      </div>
      <div class="chart-days" aria-hidden="true">
        <span>{dayWords(from)}</span>
        {marks.length > 0 && (
          <span>
            <i class="is-bar" /> another bar <i class="is-baseline" /> another baseline
          </span>
        )}
        <span>today</span>
      </div>
    </div>
  );
}
