import type { Reliability } from '../../contracts/base/reliability.ts';
import { wilson } from '../../scoring/verdict/confidence.ts';
import type { Said } from './said.ts';

/** What two runs of one commit got by the same bar. */
export interface RepeatedVerdict {
  readonly first: Said;
  readonly second: Said;
  readonly sameOutputs: boolean;
}

/** Fewer commits show no share. */
const COMMITS_MIN = 10;

/** Null without a pair. */
export function reliabilityOf(pairs: readonly RepeatedVerdict[]): Reliability {
  if (pairs.length === 0) return null;
  const conclusive = pairs.filter(
    ({ first, second }) => first !== 'inconclusive' && second !== 'inconclusive',
  );
  const whole = countsOf(conclusive);
  const interval =
    whole.commits < COMMITS_MIN ? NO_INTERVAL : wilson(whole.disagreed / whole.commits, whole.commits);
  return {
    commits_judged_again: whole.commits,
    disagreed: whole.disagreed,
    lower: interval.lower,
    upper: interval.upper,
    cleared_first: countsOf(conclusive.filter(({ first }) => first === 'cleared')),
    aborted_first: countsOf(conclusive.filter(({ first }) => first === 'aborted')),
    same_outputs: countsOf(conclusive.filter(({ sameOutputs }) => sameOutputs)),
    inconclusive: pairs.length - conclusive.length,
  };
}

const NO_INTERVAL = { lower: null, upper: null };

const countsOf = (pairs: readonly RepeatedVerdict[]) => ({
  commits: pairs.length,
  disagreed: pairs.filter(({ first, second }) => first !== second).length,
});
