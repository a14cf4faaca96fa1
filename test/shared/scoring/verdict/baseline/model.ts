import fc from 'fast-check';
import type { Against, BaselineOutcome } from '../../../../../shared/scoring/verdict/baseline/baseline.ts';
import type { PairedOutcome } from '../../../../../shared/scoring/verdict/baseline/worseTest.ts';
import type { GatedCase, GateSettings } from '../../../../../shared/scoring/verdict/gating.ts';
import { bars, casesUpTo, withOutcome } from '../model.ts';

export const pairs = (count: number, passedRuns: number, passes: boolean, weight = 1): PairedOutcome[] =>
  Array.from({ length: count }, () => ({ weight, passedRuns, passes }));

/** Both p-values by every outcome of the cases. Sums that differ by less than a share of their total count as equal. */
export function enumerated(cases: readonly PairedOutcome[], runs: number, share: number) {
  const areZero = cases.every(({ weight }) => weight === 0);
  const tested = cases
    .map((one) => ({ ...one, weight: areZero ? 1 : one.weight, k: one.passedRuns + Number(one.passes) }))
    .filter(({ weight, k }) => weight > 0 && k > 0 && k <= runs);
  if (tested.length === 0) return { pValue: 1, pValueExact: 1 };
  const total = tested.reduce((sum, { weight }) => sum + weight, 0);
  const observed = tested.reduce((sum, { weight, passes }) => sum + (passes ? weight : 0), 0);
  let [below, equal] = [0, 0];
  for (let outcome = 0; outcome < 2 ** tested.length; outcome++) {
    let [sum, probability] = [0, 1];
    for (const [at, { weight, k }] of tested.entries()) {
      const passes = ((outcome >> at) & 1) === 1;
      if (passes) sum += weight;
      probability *= passes ? k / (runs + 1) : 1 - k / (runs + 1);
    }
    if (Math.abs(sum - observed) <= share * total) equal += probability;
    else if (sum < observed) below += probability;
  }
  return { pValue: below + equal / 2, pValueExact: below + equal };
}

/** Cases that stand beside a baseline of one to three runs, or beside none, and a bar with gates that compare them. */
export const comparedCases = fc
  .tuple(casesUpTo(8), bars, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 9 }))
  .chain(([cases, bar, runs, drawn]) =>
    fc.record({
      cases: fc.constant(cases),
      bar: fc
        .record(
          {
            max_newly_failing: fc.nat(2),
            regression: fc.record({
              alpha: fc.constantFrom(0.05, 0.25, 0.5),
              min_drop: fc.constantFrom(0, 0.02, 0.5),
            }),
            min_comparable: fc.constantFrom(0.3, 0.8, 1),
          },
          { requiredKeys: [] },
        )
        .map((gates): GateSettings => ({ ...bar, gates: { ...bar.gates, ...gates } })),
      against:
        drawn === 0
          ? fc.constant(undefined)
          : fc
              .tuple(...cases.map(() => outcomes(runs)))
              .map((all): Against => ({ ...PLAIN, baseline: { runs, kind: 'outputs', cases: all } })),
    }),
  );

const PLAIN = { runKind: 'outputs', pairing: 'by_place' } as const;

const outcomes = (runs: number): fc.Arbitrary<BaselineOutcome> =>
  fc.record({
    passedRuns: fc.integer({ min: 0, max: runs }),
    meanScore: fc.constant(0),
    errored: fc.nat(11).map((drawn) => drawn === 0),
    advisory: fc.constantFrom('none', 'none', 'none', 'none', 'some', 'all'),
  });

/** A case of a run beside what the baseline has of it; a bar may lack it. */
export interface ModelPair {
  readonly run: GatedCase | undefined;
  readonly was:
    | (Pick<BaselineOutcome, 'passedRuns' | 'errored' | 'advisory'> & { readonly weight: number })
    | undefined;
  /** Another definition, or another model that judges it. */
  readonly isChanged: boolean;
  /** A model judged one output in all runs. */
  readonly isSameOutput: boolean;
}

/** As in a run and a baseline of one bar. */
const pairedByPlace = (cases: readonly GatedCase[], { baseline }: Against): ModelPair[] =>
  cases.map((run, at) => ({
    run,
    was: { ...(baseline.cases[at] as BaselineOutcome), weight: run.weight },
    isChanged: false,
    isSameOutput: false,
  }));

/** Errored cases count as an outcome, or are left out. */
const withErrored = (pairs: readonly ModelPair[], outcome?: 'failed' | 'passed'): ModelPair[] =>
  pairs.map((pair) => {
    if (!pair.run?.errored) return pair;
    return { ...pair, run: outcome && withOutcome(pair.run, outcome) };
  });

/**
 * Cases that gate, and have a verdict of the same question in all runs. `isWorst`: also those that fail now and cannot be
 * compared, as if all of the baseline's errored runs had passed.
 */
function compared(pairs: readonly ModelPair[], runs: number, isWorst: boolean) {
  return pairs.flatMap(({ run, was, isChanged, isSameOutput }) => {
    if (run === undefined || was === undefined || run.advisory) return [];
    const isCertain = !isChanged && !was.errored && was.advisory === 'none';
    const passedRuns = was.errored ? runs : was.passedRuns;
    if (!isCertain && !(isWorst && !run.passed && passedRuns > 0)) return [];
    const isUnstable = isCertain && isSameOutput && passedRuns !== (run.passed ? runs : 0);
    return [{ run, weight: run.weight, passes: run.passed, passedRuns, isUnstable }];
  });
}

const sumOf = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);

export function isComparable(pairs: readonly ModelPair[], runs: number, least = 0.8): boolean {
  const some = compared(withErrored(pairs), runs, false).map(({ weight }) => weight);
  const now = pairs.flatMap(({ run }) => (run === undefined || run.advisory ? [] : run.weight));
  const before = pairs.flatMap(({ was }) => (was === undefined || was.advisory === 'all' ? [] : was.weight));
  const whole = Math.max(sumOf(now), sumOf(before));
  const share = whole === 0 ? some.length / Math.max(now.length, before.length) : sumOf(some) / whole;
  return some.length > 0 && share >= least - 1e-10;
}

/** The keys of cases that passed in half of the runs and fail now. Without `errored` they are left out. */
export function newlyFailing(
  pairs: readonly ModelPair[],
  runs: number,
  errored?: 'failed' | 'passed',
): string[] {
  return compared(withErrored(pairs, errored), runs, errored === 'failed')
    .filter(({ passes, passedRuns }) => !passes && passedRuns > 0 && passedRuns >= runs / 2)
    .filter(({ isUnstable }) => !isUnstable)
    .map(({ run }) => run.key);
}

/** By how much the weighted pass rate of these cases fell. */
function dropOf(cases: readonly PairedOutcome[], runs: number): number {
  const areZero = cases.every(({ weight }) => weight === 0);
  const weightOf = ({ weight }: PairedOutcome) => (areZero ? 1 : weight);
  const falls = cases.map((one) => weightOf(one) * (one.passedRuns / runs - Number(one.passes)));
  return cases.length === 0 ? 0 : sumOf(falls) / sumOf(cases.map(weightOf));
}

export const modelDifference = (pairs: readonly ModelPair[], runs: number): number =>
  -dropOf(compared(withErrored(pairs), runs, false), runs);

/** Whether the gate holds with the errored cases so, and whether chance alone could be all that it sees. */
function regression(
  pairs: readonly ModelPair[],
  { runs, share, errored }: { runs: number; share: number; errored: 'failed' | 'passed' },
  { alpha, min_drop }: NonNullable<GateSettings['gates']['regression']>,
) {
  const outcomes = compared(withErrored(pairs, errored), runs, errored === 'failed');
  const drop = dropOf(outcomes, runs);
  const isSeen = (some: readonly PairedOutcome[]) => enumerated(some, runs, share).pValue <= alpha + 1e-10;
  const isGreat = outcomes.length > 0 && drop >= min_drop - 1e-10;
  return {
    holds: !(isGreat && isSeen(outcomes)),
    isTooFew: isGreat && drop > 1e-12 && !isSeen(outcomes.map((one) => ({ ...one, passes: false }))),
  };
}

export function modelNewlyFailing(
  pairs: readonly ModelPair[],
  runs: number,
  { gates }: GateSettings,
): string {
  const most = gates.max_newly_failing ?? 0;
  const [worst, best] = (['failed', 'passed'] as const).map((is) => newlyFailing(pairs, runs, is).length);
  if ((best ?? 0) > most) return 'failed';
  return (worst ?? 0) <= most && isComparable(pairs, runs, gates.min_comparable) ? 'passed' : 'inconclusive';
}

/** The statuses of gates that compare: by both assignments of all errored cases. `share`: see `enumerated`. */
export function modelRelativeStatuses(
  cases: readonly GatedCase[],
  bar: GateSettings,
  against: Against | undefined,
  share: number,
): { gate: string; status: string }[] {
  const { max_newly_failing, regression: rule, min_comparable } = bar.gates;
  const gates = Object.keys({
    ...(max_newly_failing !== undefined && { max_newly_failing }),
    ...(rule !== undefined && { regression: rule }),
  });
  if (against === undefined) return gates.map((gate) => ({ gate, status: 'inconclusive' }));
  const pairs = pairedByPlace(cases, against);
  const { runs } = against.baseline;
  return gates.map((gate) => {
    if (rule === undefined || gate !== 'regression')
      return { gate, status: modelNewlyFailing(pairs, runs, bar) };
    const of = (errored: 'failed' | 'passed') => regression(pairs, { runs, share, errored }, rule);
    const worst = of('failed');
    if (!isComparable(pairs, runs, min_comparable)) return { gate, status: 'inconclusive' };
    if (!of('passed').holds) return { gate, status: 'failed' };
    return { gate, status: worst.holds && !worst.isTooFew ? 'passed' : 'inconclusive' };
  });
}
