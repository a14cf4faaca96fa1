import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { comparedScores } from '../../../gate/report/numbers.ts';
import type { Regression, Suite } from '../../../sdk/index.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { useRegressions } from './data.ts';

interface Props {
  readonly suite: Suite;
}

/** Of the suite's newest run since the one before, whichever branch they are of, on demand. */
export function Regressions({ suite }: Props): JSX.Element {
  const [isRequested, setWanted] = useState(false);
  return (
    <section class="part" aria-labelledby="regressions">
      <div class="part-head">
        <h2 id="regressions">Regressions</h2>
        <span class="muted">The two newest runs, of any branch</span>
        {!isRequested && (
          <button type="button" onClick={() => setWanted(true)}>
            Show regressions
          </button>
        )}
      </div>
      {isRequested && <Found suite={suite} />}
    </section>
  );
}

const COLUMNS: readonly Column<Regression>[] = [
  {
    head: 'Case',
    kind: 'main',
    cell: ({ case_name }) => <Foreign text={case_name} />,
  },
  { head: 'Before', kind: 'number', cell: ({ previous_score }) => previous_score.toFixed(2) },
  {
    head: 'Now',
    kind: 'number',
    cell: ({ current_score, threshold }) => comparedScores(current_score, threshold),
  },
  { head: 'Why', cell: ({ reason }) => <Foreign text={reason} /> },
];

function Found({ suite }: Props): JSX.Element {
  const { data, problem, reload } = useRegressions(suite.id);
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="regressions" />;
  if (data.length === 0)
    return <p class="muted">No case that the run before passed fails in the newest one.</p>;
  return <Table caption="Regressions" columns={COLUMNS} rows={data} keyOf={({ case_id }) => case_id} />;
}
