import type { JSX } from 'preact';
import type { Suite } from '../../../sdk/index.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Opener } from '../../parts/Confirm.tsx';
import { Snippet } from '../../parts/Copy.tsx';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import { suiteColumns } from '../../parts/suites/columns.tsx';
import { sourceOf, useSuites } from '../../parts/suites/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { FromTemplate, NewSuite } from './NewSuite.tsx';

const columnsOf = (project: string): readonly Column<Suite>[] => [
  ...suiteColumns(project),
  { head: 'When', cell: ({ latest_run: run }) => (run ? <Time at={run.created_at} isAgo /> : '–') },
  { head: 'Pushed from', cell: (suite) => <Foreign text={sourceOf(suite) ?? '–'} /> },
];

export function Suites({ project }: { readonly project: string }): JSX.Element {
  const page = pageIn(address.value);
  const { data, problem, reload } = useSuites(project, page);
  return (
    <section aria-labelledby="suites" class="part">
      <div class="part-head">
        <h2 id="suites">Suites</h2>
        {may.value.edit && data && (
          <div class="actions">
            <Opener label="From template">
              {(close) => <FromTemplate project={project} onClose={close} />}
            </Opener>
            <Opener label="New suite" kind="primary">
              {(close) => <NewSuite project={project} onClose={close} />}
            </Opener>
          </div>
        )}
      </div>
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="suites" />}
      {data && data.data.length === 0 && page === 1 && <NoSuite />}
      {data && data.data.length > 0 && (
        <Table caption="Suites" columns={columnsOf(project)} rows={data.data} keyOf={({ id }) => id} />
      )}
      {data?.pagination && <Pager pagination={data.pagination} noun="suites" hrefOf={toPage()} />}
    </section>
  );
}

function NoSuite(): JSX.Element {
  return (
    <Empty title="No suite yet">
      <p>
        A suite is a list of cases: an input each, and what a good answer is.
        {may.value.edit
          ? ' Make one above, take a template to look at, or push the file of your repository:'
          : ' A key of scope suites makes one, for example by:'}
      </p>
      <div class="empty-snippet">
        <Snippet text="evalgate push" label="Copy command" />
      </div>
    </Empty>
  );
}
