import type { JSX } from 'preact';
import { authorWords, changeLines } from '../../../gate/report/history.ts';
import type { ChangeEntry, Suite } from '../../../sdk/index.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { Sentence } from '../../parts/Words.tsx';
import { useChanges } from './data.ts';
import { Lines } from './Lines.tsx';

const COLUMNS: readonly Column<ChangeEntry>[] = [
  { head: 'When', cell: ({ at }) => <Time at={at} /> },
  { head: 'By', cell: (entry) => <Sentence words={authorWords(entry)} /> },
  { head: 'Action', cell: ({ action }) => action },
  { head: 'Change', kind: 'main', cell: (entry) => <Lines lines={changeLines(entry)} /> },
];

/** Who changed the suite, its cases and its baselines: from what, to what. */
export function Changes({ suite }: { readonly suite: Suite }): JSX.Element {
  return (
    <section class="part" aria-labelledby="changes">
      <h2 id="changes">Changes</h2>
      {may.value.administrate ? (
        <Listed suite={suite} />
      ) : (
        <p class="muted">Keys of scope full see who made each change.</p>
      )}
    </section>
  );
}

function Listed({ suite }: { readonly suite: Suite }): JSX.Element {
  const { data, problem, reload } = useChanges(suite.id, pageIn(address.value, 'changes'));
  if (!data) return problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="changes" />;
  return (
    <>
      <Trouble problem={problem} retry={reload} />
      <Table caption="Changes" columns={COLUMNS} rows={data.data} keyOf={({ id }) => id} />
      {data.pagination && <Pager pagination={data.pagination} noun="changes" hrefOf={toPage('changes')} />}
    </>
  );
}
