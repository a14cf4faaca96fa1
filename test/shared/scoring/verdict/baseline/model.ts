import fc from 'fast-check';
import type { Against, BaselineOutcome } from '../../../../../shared/scoring/verdict/baseline/baseline.ts';
import type { PairedOutcome } from '../../../../../shared/scoring/verdict/baseline/worseTest.ts';
import type { Bar, GatedCase } from '../../../../../shared/scoring/verdict/gating.ts';
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
        .map((gates): Bar => ({ ...bar, gates: { ...bar.gates, ...gates } })),
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

/** Cases by place that gate in the run and in all of the baseline's, where these have a verdict. */
function paired(cases: readonly GatedCase[], { baseline }: Against) {
  const all = cases.map((run, at) => ({ run, was: baseline.cases[at] as BaselineOutcome }));
  return all.filter(({ run, was }) => !run.advisory && !was.errored && was.advisory === 'none');
}

function weigh(cases: readonly GatedCase[]): number {
  return cases.reduce((sum, { weight }) => sum + weight, 0);
}

/** Of cases whose errored ones stand for nothing. */
function isComparable(cases: readonly GatedCase[], { gates }: Bar, against: Against): boolean {
  const compared = paired(cases, against).filter(({ run }) => !run.errored);
  const gating = cases.filter(({ advisory }) => !advisory);
  const before = cases.filter((_, at) => against.baseline.cases[at]?.advisory !== 'all');
  const counts = [compared.length, Math.max(gating.length, before.length)] as const;
  const weights = [weigh(compared.map(({ run }) => run)), Math.max(weigh(gating), weigh(before))] as const;
  const [part, whole] = weights[1] === 0 ? counts : weights;
  return compared.length > 0 && part / whole >= (gates.min_comparable ?? 0.8) - 1e-10;
}

/** Cases that gate and fail now, and passed before as far as is known, without an outcome to compare with. */
function assumed(cases: readonly GatedCase[], { baseline }: Against) {
  const all = cases.map((run, at) => ({ run, was: baseline.cases[at] as BaselineOutcome }));
  return all
    .filter(({ run, was }) => !run.advisory && !run.passed && (was.errored || was.advisory !== 'none'))
    .map(({ run, was }) => ({ run, was: was.errored ? { ...was, passedRuns: baseline.runs } : was }))
    .filter(({ was }) => was.passedRuns > 0);
}

/** Without an errored case. */
function holding(
  { cases, isWorst }: { readonly cases: readonly GatedCase[]; readonly isWorst: boolean },
  { gates }: Bar,
  against: Against,
  share: number,
) {
  const { runs } = against.baseline;
  const compared = [...paired(cases, against), ...(isWorst ? assumed(cases, against) : [])];
  const failing = compared.filter(
    ({ run, was }) => !run.passed && was.passedRuns > 0 && was.passedRuns >= runs / 2,
  );
  const outcomes = compared.map(({ run, was }) => ({
    weight: run.weight,
    passes: run.passed,
    passedRuns: was.passedRuns,
  }));
  const areZero = outcomes.every(({ weight }) => weight === 0);
  const weightOf = (one: PairedOutcome) => (areZero ? 1 : one.weight);
  const total = outcomes.reduce((sum, one) => sum + weightOf(one), 0);
  const drop = outcomes.reduce(
    (sum, one) => sum + weightOf(one) * (one.passedRuns / runs - Number(one.passes)),
    0,
  );
  const { alpha = 0, min_drop = 1 } = gates.regression ?? {};
  const isWorse =
    enumerated(outcomes, runs, share).pValue <= alpha + 1e-10 && drop / total >= min_drop - 1e-10;
  const least = enumerated(
    outcomes.map((one) => ({ ...one, passes: false })),
    runs,
    share,
  ).pValue;
  return {
    isTooFew: drop > 1e-12 && drop / total >= min_drop - 1e-10 && least > alpha + 1e-10,
    max_newly_failing: failing.length <= (gates.max_newly_failing ?? 0),
    regression: outcomes.length === 0 || !isWorse,
  };
}

/** The statuses of gates that compare: by both assignments of all errored cases. `share`: see `enumerated`. */
export function modelRelativeStatuses(
  cases: readonly GatedCase[],
  bar: Bar,
  against: Against | undefined,
  share: number,
): { gate: string; status: string }[] {
  const gates = (['max_newly_failing', 'regression'] as const).filter(
    (gate) => bar.gates[gate] !== undefined,
  );
  if (against === undefined) return gates.map((gate) => ({ gate, status: 'inconclusive' }));
  const [failed, passed] = (['failed', 'passed'] as const).map((outcome) =>
    holding(
      {
        cases: cases.map((one) => (one.errored ? withOutcome(one, outcome) : one)),
        isWorst: outcome === 'failed',
      },
      bar,
      against,
      share,
    ),
  );
  const comparable = isComparable(cases, bar, against);
  return gates.map((gate) => {
    const isFailure = passed?.[gate] === false && (comparable || gate === 'max_newly_failing');
    if (isFailure) return { gate, status: 'failed' };
    const isTooFew = gate === 'regression' && failed?.isTooFew === true;
    return { gate, status: comparable && failed?.[gate] && !isTooFew ? 'passed' : 'inconclusive' };
  });
}
