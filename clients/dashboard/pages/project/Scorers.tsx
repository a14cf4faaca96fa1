import type { JSX } from 'preact';
import type { Scorer } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { scorerForm } from '../../kit/form/forms.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Opener } from '../../parts/Confirm.tsx';
import { Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { useScorers } from './data.ts';
import { NewScorer } from './NewScorer.tsx';

const columnsOf = (project: string): readonly Column<Scorer>[] => [
  {
    head: 'Scorer',
    kind: 'main',
    cell: ({ key, name }) => (
      <a href={to.scorer(project, key)}>
        <Foreign text={name} />
      </a>
    ),
  },
  { head: 'Type', cell: ({ type }) => scorerForm(type).label },
  {
    head: 'Key',
    cell: ({ key }) => (
      <code>
        <Foreign text={key} />
      </code>
    ),
  },
  { head: 'Changed', cell: ({ updated_at }) => <Time at={updated_at} isAgo /> },
];

/** What judges outputs. Cases name them. */
export function Scorers({ project }: { readonly project: string }): JSX.Element {
  const page = pageIn(address.value, 'scorers');
  const { data, problem, reload } = useScorers(project, page);
  return (
    <section aria-labelledby="scorers" class="part">
      <div class="part-head">
        <h2 id="scorers">Scorers</h2>
        {may.value.edit && data && (
          <Opener label="New scorer" kind="primary">
            {(close) => <NewScorer project={project} onClose={close} />}
          </Opener>
        )}
      </div>
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="scorers" />}
      {data && data.data.length === 0 && (
        <p class="muted">No scorer yet. A case names one: how its output is judged.</p>
      )}
      {data && data.data.length > 0 && (
        <Table caption="Scorers" columns={columnsOf(project)} rows={data.data} keyOf={({ id }) => id} />
      )}
      {data?.pagination && <Pager pagination={data.pagination} noun="scorers" hrefOf={toPage('scorers')} />}
    </section>
  );
}
