import { Weights } from '../../../scoring/verdict/weights.ts';

/** A gating case before and after; undefined where it does not count. Weights are relative. */
export interface Weighed {
  readonly key: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

interface Rates {
  readonly before: number;
  readonly after: number;
}

/** Whether the verdict itself would say that the bar is reached. */
function reaches(passed: number, failed: number, bar: number): boolean {
  const [one, other] = [
    { passed: true, errored: false, weight: passed },
    { passed: false, errored: false, weight: failed },
  ];
  return new Weights([one, other]).shareOf((result) => result.passed).reaches(bar);
}

const sumOf = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);

/** If all are 0, all count the same. */
const relative = (weights: readonly number[]): readonly number[] =>
  weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights;

const divisor = (one: number, other: number): number => (other === 0 ? one : divisor(other, one % other));
/** What all sums of the weights are multiples of; 0 where that is not known. */
const unitOf = (weights: readonly number[]): number =>
  weights.every(Number.isInteger) ? weights.reduce(divisor, 0) : 0;

/** Larger than what doubles err by. */
const ROUNDING = 1e-9;

/** At least the weight that may fail: more of it does not reach the bar. */
function mayFail(whole: number, bar: number, unit: number): number {
  const about = whole * (1 - bar) * (1 + ROUNDING) + whole * 1e-10;
  if (unit === 0) return bar >= 1 ? 0 : Math.min(whole, about);
  for (let failed = (Math.floor(about / unit) + 1) * unit; failed > 0; failed -= unit) {
    if (failed <= whole && reaches(whole - failed, failed, bar)) return failed;
  }
  return 0;
}

interface Common {
  readonly before: readonly number[];
  /** Of the same cases. */
  readonly after: readonly number[];
  /** Of these and those that count only afterwards. */
  readonly all: readonly number[];
}

/** Cases that count no more are left out: what they held up is weaker anyway. */
function commonOf(cases: readonly Weighed[]): Common {
  const counting = cases.filter(({ after }) => after !== undefined);
  const all = relative(counting.map(({ after = 0 }) => after));
  const kept = counting.flatMap(({ before }, index) => (before === undefined ? [] : [{ before, at: index }]));
  return {
    before: relative(kept.map(({ before }) => before)),
    after: kept.map(({ at }) => all[at] ?? 0),
    all,
  };
}

/**
 * Whether the pass rate of the cases that count before and after reaches its former bar whenever the new one is reached,
 * if each of them passes only where it passed before: with the greatest weight that may fail now, taken for those whose
 * weight has shrunk most, the old bar must still be reached. False where that is not certain.
 */
export function keepsRate(cases: readonly Weighed[], bars: Rates): boolean {
  const { before, after, all } = commonOf(cases);
  if (all.length === 0) return true;
  if (before.length === 0) return false;
  const ratios = before.map((weight, index) => (weight === 0 ? 0 : weight / (after[index] ?? 0)));
  const ratio = ratios.reduce((most, one) => Math.max(most, one), 0);
  if (!Number.isFinite(ratio)) return false;
  const unit = unitOf(before);
  const lost = ratio * mayFail(sumOf(all), bars.after, unitOf(after)) * (1 + ROUNDING);
  const whole = sumOf(before);
  const failed = Math.min(whole, unit === 0 ? lost : Math.floor(lost / unit) * unit);
  return reaches(whole - failed, failed, Math.min(bars.before, bars.after));
}

/** How many of the cases that count before and after pass at least when the new bar is reached. */
export function passAtLeast(cases: readonly Weighed[], bar: number): number {
  const { before, all } = commonOf(cases);
  const whole = sumOf(all);
  let left = mayFail(whole, bar, unitOf(all)) + whole * ROUNDING;
  let failing = 0;
  for (const weight of all.toSorted((one, other) => one - other)) {
    left -= weight;
    if (left < 0) break;
    failing++;
  }
  return before.length - failing;
}
