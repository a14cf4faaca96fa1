import type { JSX } from 'preact';
import { counted, share } from '../../../gate/report/numbers.ts';
import { isJob } from '../../../gate/report/review/credential.ts';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { address, pageIn, toPage } from '../../kit/router.ts';
import { Snippet } from '../../parts/Copy.tsx';
import { Empty, Loading, Trouble } from '../../parts/Notice.tsx';
import { Pager } from '../../parts/Pager.tsx';
import { useRuns } from '../../parts/runs/data.ts';
import { factsOf } from '../../parts/runs/links.ts';
import { Commit } from '../../parts/runs/Origin.tsx';
import { RunState } from '../../parts/runs/RunState.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { type Column, Table } from '../../parts/Table.tsx';
import { Time } from '../../parts/Time.tsx';
import { By, Foreign, shortRun } from '../../parts/Words.tsx';
import { branchOf } from './branch.ts';
import { filterWords, isOfPulls, OriginCell, RunFilterField, runFilter } from './RunFilter.tsx';

const COLUMNS: readonly Column<Run>[] = [
  {
    head: 'Status',
    kind: 'main',
    cell: (run) => <RunState run={run} />,
  },
  {
    head: 'Pass rate',
    kind: 'number',
    cell: (run) => (run.status === 'pending' ? '–' : share(run.pass_rate)),
  },
  {
    head: 'Branch',
    cell: (run) => (
      <span class="several">
        <OriginCell run={run} />
        <Commit run={run} />
      </span>
    ),
  },
  {
    head: 'By',
    cell: ({ created_by: by }) =>
      isJob(by) && by.actor ? <Foreign text={by.actor} /> : <By credential={by} />,
  },
  { head: 'When', cell: ({ created_at: at }) => <Time at={at} isAgo /> },
  {
    head: 'Run',
    cell: ({ id }) => (
      <a class="id" href={to.run(id)} title={id}>
        {shortRun(id)}
      </a>
    ),
  },
];

const SHOWN_FIRST = 20;

/** The runs of the suite, the newest first; what has no verdict yet is looked at again. */
export function Runs({ project, suite }: SuiteProps): JSX.Element {
  const page = pageIn(address.value);
  const filter = runFilter();
  const words = filterWords(filter);
  const { data, problem, reload } = useRuns(suite.id, page, filter);
  const loaded = data?.data ?? [];
  const runs = isOfPulls() ? loaded.filter(({ pull_request }) => pull_request !== null) : loaded;
  const pending = runs.filter(({ status }) => status === 'pending').length;
  const main = branchOf([...(suite.latest_run ? [suite.latest_run] : []), ...loaded]) ?? 'main';
  return (
    <section class="part" aria-labelledby="runs">
      <div class="part-head">
        <h2 id="runs">Runs</h2>
        <span class="muted" role="status">
          {pending > 0 && `${counted(pending, 'run')} without a verdict yet: the page looks again by itself.`}
        </span>
      </div>
      {(loaded.length > 0 || words !== undefined) && <RunFilterField main={main} />}
      <Trouble problem={problem} retry={reload} />
      {!data && !problem && <Loading what="runs" />}
      {data && runs.length === 0 && page === 1 && (
        <NoRun project={project} suite={suite} filterWords={isOfPulls() ? 'a pull request' : words} />
      )}
      {runs.some((run) => !isJob(run.created_by) && factsOf(run).length > 0) && (
        <p class="hint">
          Branch and commit of API keys’ runs are not verified: no token of a job proves them.
        </p>
      )}
      {runs.length > 0 && (
        <Table caption="Runs" columns={COLUMNS} rows={runs} keyOf={({ id }) => id} first={SHOWN_FIRST} />
      )}
      {data?.truncated && <p class="hint">Runs before the suite’s newest 5,000 are not looked through.</p>}
      {data?.pagination && <Pager pagination={data.pagination} noun="runs" hrefOf={toPage()} />}
    </section>
  );
}

function NoRun({
  project,
  suite,
  filterWords,
}: SuiteProps & { readonly filterWords: string | undefined }): JSX.Element {
  if (filterWords !== undefined) {
    return (
      <Empty title="No such run">
        <p>
          The suite has no run of <Foreign text={filterWords} /> that is kept.
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No run yet">
      <p>
        Its <a href={to.cases(project, suite.slug)}>cases</a> hold the inputs, and what a good answer is. Then
        send what your program answers:
      </p>
      <div class="empty-snippet">
        <Snippet text={`evalgate run ${suite.slug} --outputs answers.jsonl`} label="Copy command" />
      </div>
    </Empty>
  );
}
