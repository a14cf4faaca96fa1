import type { JSX } from 'preact';
import { originWords } from '../../../gate/report/review/origin.ts';
import { hiddenSentence } from '../../../gate/report/summary.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import type { Query } from '../../kit/api.ts';
import { address, type PageProps } from '../../kit/router.ts';
import { may } from '../../kit/session.ts';
import { Copy } from '../../parts/Copy.tsx';
import { crumbsOfRun } from '../../parts/crumbs.ts';
import { Loading, Notice, Trouble } from '../../parts/Notice.tsx';
import { useBaselineComparison, useRun } from '../../parts/runs/data.ts';
import { shortCommitOf } from '../../parts/runs/links.ts';
import { Heading } from '../../parts/Shell.tsx';
import { momentWords, Time } from '../../parts/Time.tsx';
import { Foreign } from '../../parts/Words.tsx';
import { Accept } from './Accept.tsx';
import { areHidden, useResults } from './data.ts';
import { Ended } from './Ended.tsx';
import { Provenance } from './Provenance.tsx';
import { Verdict } from './Verdict.tsx';
import { type View, viewOf } from './view.ts';
import { Waiver } from './Waiver.tsx';

/** A run: what decided, and which case failed why. */
export function Page({ params: { run: id = '' } }: PageProps): JSX.Element {
  const query = useRun(id);
  // At the same time as the run, though its verdict is seen first.
  useResults(may.value.browse ? id : undefined, viewOf(address.value.query));
  const { data: run, problem, reload } = query;
  if (problem?.code === 'NOT_FOUND') return <NoRun id={id} />;
  if (!run) {
    return (
      <>
        <Heading title="Run" beside={<Id id={id} />} />
        {problem ? <Trouble problem={problem} retry={reload} /> : <Loading what="the run" />}
      </>
    );
  }
  return <Known key={run.id} run={run} query={query} />;
}

/** As the address says it. */
function Id({ id }: { readonly id: string }): JSX.Element {
  return (
    <code>
      <Foreign text={id} />
    </code>
  );
}

function NoRun({ id }: { readonly id: string }): JSX.Element {
  return (
    <>
      <Heading title="No such run" beside={<Id id={id} />} />
      <Notice>
        It was deleted, belongs to another organisation or project, or never existed.{' '}
        <a href={to.home}>{may.value.browse ? 'Go to the projects' : 'Open another run'}</a>
      </Notice>
    </>
  );
}

/** What was judged, such as `#417 at 8f2c1aa`; of a run that names nothing, when. */
function subjectOf(run: Run): string {
  const named = originWords({ ...run, is_default_branch: true }) || momentWords(run.created_at);
  const commit = shortCommitOf(run);
  return commit === undefined ? named : `${named} at ${commit}`;
}

function Known({ run, query }: { readonly run: Run; readonly query: Query<Run> }): JSX.Element {
  const view = viewOf(address.value.query);
  const lacksResults = run.status === 'pending' || areHidden(run);
  return (
    <>
      <Heading
        title={`${run.suite?.name ?? 'A deleted suite'}, ${subjectOf(run)}`}
        tab={`${subjectOf(run)} ${stateOf(run)}`}
        crumbs={crumbsOfRun(run.suite)}
        beside={
          <span class="muted">
            <Time at={run.created_at} isAgo />
          </span>
        }
        actions={
          <>
            <Copy text={`${location.origin}${to.run(run.id)}`} label="Copy link" isSmall />
            {!lacksResults && <NextStep run={run} view={view} />}
            <Waiver run={run} />
            <Accept run={run} />
          </>
        }
      />
      <Trouble problem={query.problem} retry={query.reload} />
      {lacksResults ? <WithoutResults run={run} /> : <Ended run={run} view={view} />}
      <Provenance run={run} view={view} />
    </>
  );
}

/** What a reviewer does first: compare with the baseline; without one, see the gravest case. */
function NextStep({ run, view }: { readonly run: Run; readonly view: View }): JSX.Element | null {
  const { data: compared } = useBaselineComparison(run.comparison ? run.id : undefined);
  const { data: page } = useResults(run.id, view);
  const [baseline] = compared?.baseline.run_ids ?? [];
  const gravest = page?.data.find(({ passed }) => !passed);
  const kind = run.status === 'cleared' ? 'button' : 'button primary';
  if (baseline) {
    return (
      <a class={kind} href={to.compare(baseline, run.id)}>
        Compare with the baseline
      </a>
    );
  }
  if (run.comparison || !gravest) return null;
  return (
    <a class={kind} href={to.run(run.id, gravest.key)}>
      See the gravest case
    </a>
  );
}

function WithoutResults({ run }: { readonly run: Run }): JSX.Element {
  return (
    <>
      <Verdict report={{ run, results: [], isComplete: false }} />
      <p class="muted" role="status">
        {run.status === 'pending' ? 'The page looks again by itself.' : hiddenSentence(run)}
      </p>
    </>
  );
}
