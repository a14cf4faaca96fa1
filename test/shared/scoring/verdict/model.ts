import fc from 'fast-check';
import { faultSchema } from '../../../../shared/contracts/gates.ts';
import type { GatedCase, GateSettings } from '../../../../shared/scoring/verdict/gating.ts';

/** The rules of samples and gates, written a second time: with sums of weights, and errored ones as failed and as passed. */

const OUTCOMES = ['passed', 'failed', 'errored', 'missing'] as const;
type Outcome = (typeof OUTCOMES)[number];

export function caseOf(id: string, outcome: Outcome, more: Partial<GatedCase> = {}): GatedCase {
  const state = {
    passed: outcome === 'passed',
    errored: outcome === 'errored',
    missing: outcome === 'missing',
  };
  return { id, key: id, weight: 1, ...state, mustPass: false, tags: [], advisory: false, ...more };
}

export const withOutcome = (one: GatedCase, outcome: Outcome): GatedCase =>
  caseOf(one.id, outcome, {
    key: one.key,
    weight: one.weight,
    mustPass: one.mustPass,
    tags: one.tags,
    advisory: one.advisory,
  });

const TAGS = ['a', 'b', 'c'];
const shares = fc.oneof(
  fc.double({ min: 1e-9, max: 0.99, noNaN: true }),
  fc.integer({ min: 0, max: 6 }).map((sixths) => sixths / 6),
);

export const bars: fc.Arbitrary<GateSettings> = fc.record({
  passThreshold: shares,
  gates: fc.record(
    {
      min_judged_cases: fc.integer({ min: 1, max: 9 }),
      min_lower_bound: fc.double({ min: 1e-9, max: 0.8, noNaN: true }),
      tags: fc.subarray(TAGS).chain((tags) =>
        fc.tuple(
          ...tags.map((tag) =>
            fc.record({
              tag: fc.constant(tag),
              pass_threshold: shares,
              min_judged_cases: fc.integer({ min: 1, max: 4 }),
            }),
          ),
        ),
      ),
    },
    { requiredKeys: [] },
  ),
});

/** Equal ones, small numbers, others; 0 among them. */
const weights = [
  fc.constant(1),
  fc.integer({ min: 0, max: 4 }),
  fc.oneof(fc.constant(0), fc.double({ min: 1e-3, max: 10, noNaN: true })),
];

const often = (of: number): fc.Arbitrary<boolean> => fc.nat(of - 1).map((drawn) => drawn === 0);

export function casesUpTo(maxLength: number): fc.Arbitrary<GatedCase[]> {
  const listOf = (weight: fc.Arbitrary<number>, tags: fc.Arbitrary<string[]>, mustPassOf: number) =>
    fc.array(
      fc.record({
        outcome: fc.constantFrom(...OUTCOMES),
        fault: fc.constantFrom(...faultSchema.options),
        weight,
        tags,
        mustPass: often(mustPassOf),
      }),
      { minLength: 1, maxLength },
    );
  return fc
    .tuple(
      fc.constantFrom(...weights),
      fc.constantFrom(
        fc.subarray(TAGS),
        fc.constantFrom(...TAGS, undefined).map((tag) => (tag === undefined ? [] : [tag])),
      ),
      fc.constantFrom(4, 1_000_000),
    )
    .chain(([weight, tags, mustPassOf]) => listOf(weight, tags, mustPassOf))
    .map((given) =>
      given.map(({ outcome, fault, ...more }, at) =>
        caseOf(`c${at}`, outcome, outcome === 'errored' ? { fault, ...more } : more),
      ),
    );
}

/** What the passed cases weigh, and all. */
export function weigh(cases: readonly GatedCase[]): { passed: number; all: number } {
  const areZero = cases.every(({ weight }) => weight === 0);
  const sumOf = (some: readonly GatedCase[]) =>
    some.reduce((sum, { weight }) => sum + (areZero ? 1 : weight), 0);
  return { passed: sumOf(cases.filter(({ passed }) => passed)), all: sumOf(cases) };
}

function reaches(cases: readonly GatedCase[], bar: number): boolean {
  const { passed, all } = weigh(cases);
  return passed >= (bar === 1 ? 1 : bar * (1 - 1e-11)) * all;
}

/** Solves no equation: the bound is one that Wilson's test does not reject. */
function proves(cases: readonly GatedCase[], bound: number): boolean {
  const areZero = cases.every(({ weight }) => weight === 0);
  const [sum, squares, passed] = cases.reduce(
    ([all, square, some], one) => {
      const weight = areZero ? 1 : one.weight;
      return [all + weight, square + weight ** 2, some + (one.passed ? weight : 0)];
    },
    [0, 0, 0],
  );
  const rate = passed / sum;
  return rate >= bound && (rate - bound) ** 2 * (sum ** 2 / squares) >= 1.959964 ** 2 * bound * (1 - bound);
}

const passed = (one: GatedCase): GatedCase => withOutcome(one, 'passed');

const judged = (cases: readonly GatedCase[]): number =>
  cases.filter(({ errored, missing }) => !errored && !missing).length;

interface ModelGate {
  readonly gate: string;
  /** Whether any outcome of these cases holds; left out where one always does, or where none is a failure. */
  readonly isWithinReach?: (cases: readonly GatedCase[]) => boolean;
  readonly hasEvidence: (cases: readonly GatedCase[]) => boolean;
  readonly holds: (cases: readonly GatedCase[]) => boolean;
}

function gatesOf(cases: readonly GatedCase[], { passThreshold, gates }: GateSettings): ModelGate[] {
  const always = () => true;
  const { min_judged_cases: least, min_lower_bound: bound } = gates;
  const judgedGate = {
    gate: 'min_judged_cases',
    hasEvidence: (now: readonly GatedCase[]) => judged(now) >= (least ?? 0),
  };
  const all: (ModelGate | false)[] = [
    { gate: 'pass_rate', hasEvidence: always, holds: (now) => reaches(now, passThreshold) },
    least !== undefined && { ...judgedGate, holds: always },
    bound !== undefined && {
      gate: 'min_lower_bound',
      hasEvidence: always,
      isWithinReach: (now) => proves(now.map(passed), bound),
      holds: (now) => proves(now, bound),
    },
    cases.some(({ mustPass }) => mustPass) && {
      gate: 'must_pass',
      hasEvidence: always,
      holds: (now) => now.every(({ mustPass, passed }) => !mustPass || passed),
    },
    ...(gates.tags ?? []).map(({ tag, pass_threshold, min_judged_cases }) => {
      const tagged = (now: readonly GatedCase[]) => now.filter(({ tags }) => tags.includes(tag));
      return {
        gate: `tag:${tag}`,
        hasEvidence: (now: readonly GatedCase[]) => judged(tagged(now)) >= min_judged_cases,
        holds: (now: readonly GatedCase[]) => reaches(tagged(now), pass_threshold),
      };
    }),
  ];
  return all.filter((gate) => gate !== false);
}

/** More passed cases never open a gate less: the worst and the best outcome of the errored cases tell its status. */
export function modelStatuses(
  cases: readonly GatedCase[],
  bar: GateSettings,
): { gate: string; status: string }[] {
  const [worst = [], best = []] = (['failed', 'passed'] as const).map((outcome) =>
    cases.map((one) => (one.errored ? withOutcome(one, outcome) : one)),
  );
  return gatesOf(cases, bar).map(({ gate, hasEvidence, isWithinReach = () => true, holds }) => {
    if (!isWithinReach(cases)) return { gate, status: 'inconclusive' };
    if (!holds(best)) return { gate, status: 'failed' };
    return { gate, status: holds(worst) && hasEvidence(cases) ? 'passed' : 'inconclusive' };
  });
}

/** With errored cases as failed, which decides. */
export function modelClears(cases: readonly GatedCase[], bar: GateSettings): boolean {
  return gatesOf(cases, bar).every(({ hasEvidence, holds }) => hasEvidence(cases) && holds(cases));
}

export function isShortOfEvidence(cases: readonly GatedCase[], bar: GateSettings): boolean {
  return gatesOf(cases, bar).some(({ hasEvidence }) => !hasEvidence(cases));
}

export interface ModelSample {
  readonly passed: boolean;
  readonly errored: boolean;
  readonly score: number;
}

/** Of a case that takes several samples. Samples that were not sent have failed, with a score of 0. */
export function modelSamples(
  samples: readonly ModelSample[],
  { sampleCount, samplePassRate }: { readonly sampleCount: number; readonly samplePassRate: number },
): ModelSample {
  const needed = Math.max(1, Math.ceil(samplePassRate * sampleCount - 1e-9));
  const passes = (counts: (one: ModelSample) => boolean) => samples.filter(counts).length >= needed;
  const passed = passes((one) => one.passed && !one.errored);
  const errored = !passed && passes((one) => one.passed || one.errored);
  // Errored samples are taken for the worst where the case passes, for the best where it fails.
  const scoreOf = (one: ModelSample) => (one.errored ? (passed ? -1 : 2) : one.score);
  const missing = Array.from({ length: sampleCount - samples.length }, () => 0);
  const scores = [...samples.map(scoreOf), ...missing].toSorted((one, other) => other - one);
  return { passed, errored, score: errored ? 0 : (scores[needed - 1] ?? 0) };
}
