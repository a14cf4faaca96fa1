import type { Bar } from './bar.ts';

export interface SampleOutcome {
  readonly passed: boolean;
  readonly errored: boolean;
  readonly score: number;
}

/** A gating case or an advisory one. Errored, missing or failed when it did not pass. */
export interface CaseOutcome {
  readonly key: string;
  readonly weight: number;
  readonly passed: boolean;
  readonly errored: boolean;
  readonly missing: boolean;
  readonly mustPass: boolean;
  readonly tags: readonly string[];
  readonly advisory: boolean;
}

const CLOSE = 1e-9;
const Z = 1.959964;

/** All outcomes that a list would have if each errored one had passed, or failed. */
function* assignments(samples: readonly SampleOutcome[]): Generator<readonly boolean[]> {
  const [first, ...others] = samples;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const rest of assignments(others)) {
    if (!first.errored) yield [first.passed, ...rest];
    else
      yield* [
        [true, ...rest],
        [false, ...rest],
      ];
  }
}

/** Of a case that takes several samples. Those that were not sent have failed, with a score of 0. */
export function foldSamples(
  samples: readonly SampleOutcome[],
  { sampleCount, samplePassRate }: { readonly sampleCount: number; readonly samplePassRate: number },
): SampleOutcome {
  const needed = Math.max(1, Math.ceil(samplePassRate * sampleCount - CLOSE));
  const passes = [...assignments(samples)].map((all) => all.filter(Boolean).length >= needed);
  const passed = passes.every(Boolean);
  const errored = !passed && passes.some(Boolean);
  // Errored ones are taken for the worst where the case passes, for the best where it fails.
  const scoreOf = (one: SampleOutcome) => (one.errored ? (passed ? -1 : 2) : one.score);
  const missing = Array.from({ length: sampleCount - samples.length }, () => 0);
  const scores = [...samples.map(scoreOf), ...missing].toSorted((one, other) => other - one);
  return { passed, errored, score: errored ? 0 : (scores[needed - 1] ?? 0) };
}

export interface Folded {
  readonly status: 'cleared' | 'aborted';
  readonly inconclusive: boolean;
  readonly passRate: number;
  readonly gates: Readonly<Record<string, string>>;
}

const shareOf = (cases: readonly CaseOutcome[], counts: (one: CaseOutcome) => boolean): number => {
  const areEqual = cases.every(({ weight }) => weight === 0);
  const sum = (some: readonly CaseOutcome[]) =>
    some.reduce((all, { weight }) => all + (areEqual ? 1 : weight), 0);
  return sum(cases.filter(counts)) / sum(cases);
};

function lowerBound(rate: number, weights: readonly number[]): number {
  const all = weights.every((weight) => weight === 0) ? weights.map(() => 1) : weights;
  const sum = all.reduce((total, weight) => total + weight, 0);
  const n = sum ** 2 / all.reduce((total, weight) => total + weight ** 2, 0);
  const half = Z * Math.sqrt((rate * (1 - rate)) / n + Z ** 2 / (4 * n ** 2));
  return (rate + Z ** 2 / (2 * n) - half) / (1 + Z ** 2 / n);
}

/** Each gate by its definition: with errored cases failed, and again with them passed. */
export function foldRun(
  all: readonly CaseOutcome[],
  { passThreshold, gates }: Bar,
  relative: Readonly<Record<string, string>> = {},
): Folded {
  const cases = all.filter(({ advisory }) => !advisory);
  const failed = (one: CaseOutcome) => one.passed;
  const best = (one: CaseOutcome) => one.passed || one.errored;
  const judged = (some: readonly CaseOutcome[]) =>
    some.filter(({ errored, missing }) => !errored && !missing).length;
  const twice = (holds: (passes: (one: CaseOutcome) => boolean) => boolean) =>
    holds(failed) ? 'passed' : holds(best) ? 'inconclusive' : 'failed';
  const reaching = (some: readonly CaseOutcome[], bar: number) =>
    twice((passes) => some.length === 0 || shareOf(some, passes) >= bar - CLOSE);
  const statuses: Record<string, string> = { pass_rate: reaching(cases, passThreshold) };
  const { min_judged_cases, min_lower_bound, tags = [] } = gates;
  if (min_judged_cases !== undefined) {
    statuses.min_judged_cases = judged(cases) >= min_judged_cases ? 'passed' : 'inconclusive';
  }
  if (min_lower_bound !== undefined) {
    const weights = cases.map(({ weight }) => weight);
    const isWithinReach = lowerBound(1, weights) >= min_lower_bound;
    statuses.min_lower_bound = isWithinReach
      ? twice((passes) => lowerBound(shareOf(cases, passes), weights) >= min_lower_bound)
      : 'inconclusive';
  }
  if (cases.some(({ mustPass }) => mustPass)) {
    statuses.must_pass = twice((passes) => cases.every((one) => !one.mustPass || passes(one)));
  }
  for (const { tag, pass_threshold, min_judged_cases: needed } of tags) {
    const tagged = cases.filter((one) => one.tags.includes(tag));
    const status = reaching(tagged, pass_threshold);
    const isShort = tagged.length === 0 || judged(tagged) < needed;
    statuses[`tag:${tag}`] = isShort && status !== 'failed' ? 'inconclusive' : status;
  }
  Object.assign(statuses, relative);
  const list = Object.values(statuses);
  const cleared = list.every((status) => status === 'passed');
  return {
    status: cleared ? 'cleared' : 'aborted',
    inconclusive: !cleared && !list.includes('failed'),
    passRate: shareOf(cases, failed),
    gates: statuses,
  };
}
