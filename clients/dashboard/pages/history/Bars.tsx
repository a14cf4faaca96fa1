import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { share } from '../../../gate/report/numbers.ts';
import type { JudgedBar } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { Dialog } from '../../parts/Confirm.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { type DialogProps, useBars, useDifference } from './data.ts';
import { Folded, OneLine } from './Lines.tsx';
import { linesOf, wordsBy } from './rows.ts';

const DIGEST_SHOWN = 19;

const columnsOf = (show: (digest: string) => void): readonly Column<JudgedBar>[] => [
  {
    head: 'Bar',
    kind: 'main',
    cell: ({ digest }) => <code title={digest}>{digest.slice(0, DIGEST_SHOWN)}…</code>,
  },
  { head: 'Judged first', cell: ({ first_run_at: at }) => <Time at={at} /> },
  { head: 'Cases', kind: 'number', cell: ({ case_count: count }) => count },
  { head: 'Pass threshold', kind: 'number', cell: ({ pass_threshold: bar }) => share(bar) },
  { head: 'First run', cell: ({ first_run_id: id }) => <a href={to.run(id)}>open</a> },
  {
    head: 'Difference',
    kind: 'actions',
    cell: ({ digest }) => (
      <button type="button" class="quiet" onClick={() => show(digest)}>
        Compare with now
      </button>
    ),
  },
];

/** What runs were judged by, the newest first. */
export function Bars({ project, suite }: SuiteProps): JSX.Element {
  const { data, problem, reload } = useBars(suite.id, pageIn(address.value, 'bars'));
  const [shown, setShown] = useState<string>();
  return (
    <>
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="bars" />}
      {data && data.data.length === 0 && (
        <p class="muted">No run was judged yet: each bar is kept with its first run.</p>
      )}
      {data && data.data.length > 0 && (
        <Table
          caption="Bars"
          columns={columnsOf(setShown)}
          rows={data.data}
          keyOf={({ digest, first_run_id }) => digest + first_run_id}
        />
      )}
      {data?.pagination && <Pager pagination={data.pagination} noun="bars" hrefOf={toPage('bars')} />}
      {shown && <Difference {...{ project, suite }} digest={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Difference({
  project,
  suite,
  digest,
  onClose,
}: DialogProps & { readonly digest: string }): JSX.Element {
  const { data, problem, reload } = useDifference(suite.id, digest);
  // Bars name scorers by their keys.
  const lines = data && linesOf(data, wordsBy(new Map()));
  return (
    <Dialog title="Since this bar" onClose={onClose}>
      <Trouble problem={problem} retry={reload} />
      {!lines && !problem && <Loading what="the difference" />}
      {lines &&
        (lines.length === 0 ? (
          <p>The suite is judged by this bar now.</p>
        ) : (
          <Folded>
            {lines.map((line, index) => (
              <OneLine key={`${index}`} line={line} pathOf={(key) => to.case(project, suite.slug, key)} />
            ))}
          </Folded>
        ))}
      <div class="dialog-buttons">
        <button type="button" class="primary" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
