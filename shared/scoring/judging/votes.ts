import { floorOf, reaches } from '../verdict/tolerance.ts';

/** A verdict of a judge on one output, as one vote of several. */
export interface Vote {
  readonly score: number;
  /** Whether the case passes by it. */
  readonly passed: boolean;
  /** Of a dual-sided scorer. */
  readonly precisionRecall?: { readonly precision: number; readonly recall: number } | undefined;
}

export interface VoteRule {
  /** The most votes of an output: 1, 3 or 5. */
  readonly votes: number;
  readonly threshold: number;
  readonly precisionThreshold: number | null;
  readonly recallThreshold: number | null;
  /** The scores that the judge may give. Empty: any from 0 to 1. */
  readonly levels: readonly number[];
}

/** Of a score without levels: how far from the bar another vote may change the outcome. */
const NEAR = 0.15 + 1e-9;

/** Whether another vote may well be on the other side of the bar. */
function isNear({ score, precisionRecall }: Vote, rule: VoteRule): boolean {
  const { threshold, precisionThreshold, recallThreshold, levels } = rule;
  if (precisionRecall === undefined && levels.length > 0) return isNextLevel(score, threshold, levels);
  const figures = [
    [score, threshold],
    [precisionRecall?.precision, precisionThreshold],
    [precisionRecall?.recall, recallThreshold],
  ];
  return figures.some(([figure, bar]) => figure != null && bar != null && Math.abs(figure - bar) <= NEAR);
}

/** A scale whose levels all pass, or all fail, has none that is near. */
function isNextLevel(score: number, threshold: number, levels: readonly number[]): boolean {
  const failing = levels.filter((level) => level < floorOf(threshold));
  const passing = levels.filter((level) => reaches(level, threshold));
  if (failing.length === 0 || passing.length === 0) return false;
  return score === Math.max(...failing) || score === Math.min(...passing);
}

/** `ask`: one more vote may decide. `undecided`: whatever further votes were, the missing ones would decide. */
export type Counted<V> = 'ask' | 'undecided' | { readonly decidedBy: V };

/**
 * What the votes so far come to, in the order in which they were cast. `missing`: how many questions after the first
 * ended in an error. A case passes exactly when most of its votes pass, those included that were not asked for any more.
 */
export function countVotes<V extends Vote>(cast: readonly V[], missing: number, rule: VoteRule): Counted<V> {
  const [first] = cast;
  if (first === undefined) return missing === 0 ? 'ask' : 'undecided';
  if (rule.votes === 1 || !isNear(first, rule)) return { decidedBy: first };
  const majority = (rule.votes + 1) / 2;
  const passes = cast.filter(({ passed }) => passed).length;
  const ahead = Math.max(passes, cast.length - passes);
  if (ahead >= majority) return { decidedBy: lowerMedian(cast, first) };
  const left = rule.votes - cast.length - missing;
  return ahead + left < majority ? 'undecided' : 'ask';
}

function lowerMedian<V extends Vote>(cast: readonly V[], first: V): V {
  const lowestFirst = cast.toSorted(
    (one, other) => Number(one.passed) - Number(other.passed) || one.score - other.score,
  );
  return lowestFirst[Math.floor((cast.length - 1) / 2)] ?? first;
}
