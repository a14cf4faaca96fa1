import type { JSX } from 'preact';
import { counted, share } from '../../../gate/report/numbers.ts';
import { waiverOf } from '../../../gate/report/review/waiver.ts';
import { figureOf } from '../../../gate/report/summary.ts';
import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';
import { to } from '../../kit/addresses.ts';
import { may } from '../../kit/session.ts';
import { comparesWithBaseline } from '../../parts/baseline/data.ts';
import { Fact } from '../../parts/Fact.tsx';
import { Trouble } from '../../parts/Notice.tsx';
import { shortCommitOf } from '../../parts/runs/links.ts';
import { OriginAside } from '../../parts/runs/Origin.tsx';
import { RunState } from '../../parts/runs/RunState.tsx';
import type { SuiteProps } from '../../parts/save/data.ts';
import { Time } from '../../parts/Time.tsx';
import { Chip, State } from '../../parts/Verdict.tsx';
import { Foreign, Sentence, shortRun } from '../../parts/Words.tsx';
import { type BranchState, branchOf, branchStateOf, pullsOf } from './branch.ts';
import { useBaseline, useLatestRuns } from './data.ts';

/** How the default branch stands, and what waits to be merged. Nothing where the suite has no run. */
export function DefaultBranch({ project, suite }: SuiteProps): JSX.Element | null {
  const { data } = useLatestRuns(suite.id);
  const { latest_run: latest } = suite;
  if (latest === null) return null;
  const runs = data?.data ?? [];
  const branch = branchStateOf(runs, data?.pagination?.hasMore === false);
  const pulls = pullsOf(runs);
  return (
    <section class="card branch" aria-labelledby="branch">
      <div class="heading-row">
        <h2 id="branch">
          <Foreign text={branchOf([latest, ...runs]) ?? 'Default branch'} />
        </h2>
        {branch ? (
          <Now branch={branch} />
        ) : (
          <>
            <a href={to.run(latest.id)}>
              <State state={stateOf(latest)} />
            </a>
            <OriginAside run={latest} />
          </>
        )}
      </div>
      <dl class="branch-facts">
        {branch && <NewestFailing run={branch.newest} suite={suite} />}
        <Fact name="Baseline">
          <Baseline project={project} suite={suite} newest={branch?.newest} />
        </Fact>
        {pulls.length > 0 && (
          <Fact name="Pull requests">
            <Pulls pulls={pulls} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Now({ branch }: { readonly branch: BranchState }): JSX.Element {
  const { newest, before, since, cleared, isLonger, isPending } = branch;
  return (
    <>
      <a href={to.run(newest.id)}>
        <State state={stateOf(newest)} />
      </a>
      {waiverOf(newest) && <State state="waived" />}
      <p>
        <Sentence words={figureOf(newest, stateOf(newest))} />
        <span class="muted">
          {shortCommitOf(newest) ? ' at ' : ', '}
          <At run={newest} />
          {since.id !== newest.id && (
            <>
              {`, ${stateOf(newest)} since `}
              <At run={since} />
            </>
          )}
          {isLonger && ' or longer'}
          {cleared && (
            <>
              {', last cleared '}
              <At run={cleared} />
            </>
          )}
          {isPending && '; a newer run has no verdict yet'}
        </span>
      </p>
      {before && (
        <a class="actions" href={to.compare(before.id, newest.id)}>
          Compare with the run before
        </a>
      )}
    </>
  );
}

/** A run by its commit and its age. */
function At({ run }: { readonly run: Run }): JSX.Element {
  const commit = shortCommitOf(run);
  const age = <Time at={run.created_at} isAgo />;
  return commit === undefined ? (
    age
  ) : (
    <>
      <a href={to.run(run.id)}>{commit}</a> ({age})
    </>
  );
}

const KEYS_SHOWN = 5;
const PULLS_SHOWN = 6;

/** Which cases fail that passed in the baseline, and how many others do not pass. Without one, how many fail. */
function NewestFailing({
  run,
  suite,
}: Pick<SuiteProps, 'suite'> & { readonly run: Run }): JSX.Element | null {
  const { data: baseline } = useBaseline(suite.id, suite.baseline_id);
  const { comparison, failed_cases: failed } = run;
  const { newly_failing: keys, newly_failing_count: count } = comparison ?? {
    newly_failing: [],
    newly_failing_count: 0,
  };
  const rest = count - Math.min(KEYS_SHOWN, keys.length);
  // Where the baseline passed all, none failed before.
  const isFresh = baseline?.id === comparison?.baseline_id && baseline?.pass_rate === 1;
  const why = `${isFresh ? 'they are' : 'they failed before, or are'} edited, new or unjudged`;
  if (failed === 0) return null;
  return (
    <Fact name={comparison ? 'Newly failing' : 'Failing'}>
      {keys.slice(0, KEYS_SHOWN).map((key) => (
        <a key={key} href={to.run(run.id, key)}>
          <Chip tone="bad">
            <Foreign text={key} />
          </Chip>
        </a>
      ))}
      {rest > 0 && <span>and {rest} more</span>}
      <span class="muted">
        {failed > count &&
          (comparison ? `${failed - count} more did not pass: ${why}` : counted(failed, 'case'))}
      </span>
    </Fact>
  );
}

/** What runs are compared with. */
function Baseline({
  project,
  suite,
  newest,
}: SuiteProps & { readonly newest: Run | undefined }): JSX.Element | null {
  const { data: baseline, problem, reload } = useBaseline(suite.id, suite.baseline_id);
  const isUsed = comparesWithBaseline(suite.gates);
  if (suite.baseline_id === null) {
    return (
      <>
        <p>
          No baseline
          {may.value.administrate && (
            <>
              : <a href={to.history(project, suite.slug, 'baselines')}>accept one</a>
            </>
          )}
        </p>
        {isUsed && <span>Gates on the comparison are inconclusive, and each run is aborted.</span>}
      </>
    );
  }
  if (!baseline) return <Trouble problem={problem} retry={reload} />;
  const [first = '', ...otherRuns] = baseline.run_ids;
  return (
    <>
      <span>
        accepted <Time at={baseline.created_at} isAgo />, {share(baseline.pass_rate)}
      </span>
      <a class="id" href={to.run(first)} title={first}>
        {shortRun(first)}
      </a>
      {otherRuns.length > 0 && <span>and {counted(otherRuns.length, 'more run')}</span>}
      {newest && !baseline.run_ids.includes(newest.id) && (
        <a href={to.compare(first, newest.id)}>Compare the branch with it</a>
      )}
      {!isUsed && <span class="muted">no gate compares runs with it</span>}
    </>
  );
}

/** Of each the newest run: whether it was merged since, the service does not know. */
function Pulls({ pulls }: { readonly pulls: readonly Run[] }): JSX.Element {
  return (
    <>
      {pulls.slice(0, PULLS_SHOWN).map((run) => (
        <span key={run.id} class="pull">
          <a href={to.run(run.id)}>#{run.pull_request}</a> <RunState run={run} />
        </span>
      ))}
      {pulls.length > PULLS_SHOWN && <span class="muted">and {pulls.length - PULLS_SHOWN} more</span>}
    </>
  );
}
