import { stateOf } from '../../../gate/report/types.ts';
import type { Run } from '../../../sdk/index.ts';

/** How the default branch stands, by its runs among those that are loaded. */
export interface BranchState {
  /** The newest run that has ended. */
  readonly newest: Run;
  /** The run before it that ended. */
  readonly before: Run | undefined;
  /** The run from which on it stands so without a break. */
  readonly since: Run;
  /** The newest cleared run, where it is not the newest of all. */
  readonly cleared: Run | undefined;
  /** It may stand so for longer: earlier runs are not loaded. */
  readonly isLonger: boolean;
  /** A newer run has no verdict yet. */
  readonly isPending: boolean;
}

/** Of the default branch, the newest first. */
export const ofDefaultBranch = (runs: readonly Run[]): readonly Run[] =>
  runs.filter(({ is_default_branch }) => is_default_branch);

const isEnded = ({ status }: Run): boolean => status !== 'pending';

/** Undefined where no run of the default branch that has ended is loaded. `areAll`: there are no earlier runs. */
export function branchStateOf(runs: readonly Run[], areAll: boolean): BranchState | undefined {
  const runsOfBranch = ofDefaultBranch(runs);
  const ended = runsOfBranch.filter(isEnded);
  const [newest, before] = ended;
  if (newest === undefined) return undefined;
  const other = ended.findIndex((run) => stateOf(run) !== stateOf(newest));
  const since = ended.at(other < 0 ? -1 : other - 1) ?? newest;
  const cleared = ended.slice(1).find((run) => stateOf(newest) !== 'cleared' && stateOf(run) === 'cleared');
  return {
    newest,
    before,
    since,
    cleared,
    isLonger: other < 0 && !areAll,
    isPending: runsOfBranch[0] !== newest,
  };
}

/** Of each pull request its newest run. */
export const pullsOf = (runs: readonly Run[]): readonly Run[] =>
  [...Map.groupBy(runs, ({ pull_request }) => pull_request)].flatMap(([pull, [newest]]) =>
    pull === null || newest === undefined ? [] : [newest],
  );

/** What the default branch is called; undefined where no run names it. */
export const branchOf = (runs: readonly Pick<Run, 'branch' | 'is_default_branch'>[]): string | undefined =>
  runs.find(({ branch, is_default_branch }) => is_default_branch && branch !== null)?.branch ?? undefined;
