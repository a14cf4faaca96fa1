import { expect, test } from '@jest/globals';
import type { BarCase, BaselineOutcome } from '../../../../../shared/scoring/verdict/baseline/baseline.ts';
import { worstDifference } from '../../../../../shared/scoring/verdict/baseline/worstDifference.ts';
import type { GatedCase } from '../../../../../shared/scoring/verdict/gating.ts';
import { caseOf } from '../model.ts';

const FIVE = ['a', 'b', 'c', 'd', 'e'];

/** Of a case `x` beside four that pass before and now. */
interface Sides {
  /** Undefined: it is gone. */
  readonly now?: (Partial<GatedCase> & { readonly is: Parameters<typeof caseOf>[1] }) | undefined;
  /** Undefined: it is new. */
  readonly before?: Partial<BaselineOutcome> | undefined;
  readonly isChanged?: boolean;
  readonly weightBefore?: number;
}

function differenceWith({ now, before, isChanged = false, weightBefore = 1 }: Sides): number {
  const others = FIVE.slice(1);
  const outcome = { passedRuns: 2, meanScore: 1, errored: false, advisory: 'none' as const };
  const bar = (id: string, digest = 'd', weight = 1): BarCase => ({ id, digest, weight });
  const { is = 'passed', ...more } = now ?? {};
  return worstDifference(
    [...(now === undefined ? [] : [caseOf('x', is, more)]), ...others.map((id) => caseOf(id, 'passed'))],
    {
      runKind: 'outputs',
      baseline: {
        runs: 2,
        kind: 'outputs',
        cases: [
          ...(before === undefined ? [] : [{ ...outcome, ...before }]),
          ...others.map((): BaselineOutcome => outcome),
        ],
      },
      pairing: {
        run: [
          ...(now === undefined ? [] : [bar('x', isChanged ? 'other' : 'd')]),
          ...others.map((id) => bar(id)),
        ],
        baseline: [
          ...(before === undefined ? [] : [bar('x', 'd', weightBefore)]),
          ...others.map((id) => bar(id)),
        ],
      },
    },
  );
}

const PASSED = { is: 'passed' as const };
const FAILED = { is: 'failed' as const };

test.each<[string, Sides, number]>([
  ['passes as before', { now: PASSED, before: {} }, 0],
  ['fails, and passed', { now: FAILED, before: {} }, -0.2],
  ['fails, and passed in half of the runs', { now: FAILED, before: { passedRuns: 1 } }, -0.1],
  ['passes, and failed', { now: PASSED, before: { passedRuns: 0 } }, 0.2],
  ['is changed and fails', { now: FAILED, before: {}, isChanged: true }, -0.2],
  ['is changed, fails, and failed', { now: FAILED, before: { passedRuns: 0 }, isChanged: true }, 0],
  ['is changed, passes, and failed', { now: PASSED, before: { passedRuns: 0 }, isChanged: true }, 0],
  ['is gone', { before: {} }, -0.2],
  ['is gone, and failed', { before: { passedRuns: 0 } }, 0],
  ['is new and passes', { now: PASSED }, 0],
  ['is new and fails', { now: FAILED }, -0.25],
  ['is new, advisory, and fails', { now: { ...FAILED, advisory: true } }, 0],
  ['is new and has no output', { now: { is: 'missing' } }, -0.25],
  ['fails, and was errored', { now: FAILED, before: { passedRuns: 0, errored: true } }, -0.2],
  ['is advisory by now and fails', { now: { ...FAILED, advisory: true }, before: {} }, -0.2],
  ['was advisory, gates and fails', { now: FAILED, before: { advisory: 'all', passedRuns: 0 } }, -0.25],
  ['was advisory in some runs and fails', { now: FAILED, before: { advisory: 'some' } }, -0.2],
  ['weighs less by now and fails', { now: { ...FAILED, weight: 0.001 }, before: {}, weightBefore: 6 }, -0.6],
])('a case that %s', (_, sides, difference) => {
  expect(differenceWith(sides)).toBeCloseTo(difference, 12);
});

test('weights that were all 0 are equal', () => {
  const against = {
    runKind: 'outputs' as const,
    baseline: {
      runs: 1,
      kind: 'outputs' as const,
      cases: FIVE.map(() => ({ passedRuns: 1, meanScore: 1, errored: false, advisory: 'none' as const })),
    },
    pairing: 'by_place' as const,
  };
  const cases = FIVE.map((id, at) => caseOf(id, at === 0 ? 'failed' : 'passed', { weight: 0 }));
  expect(worstDifference(cases, against)).toBeCloseTo(-0.2, 12);
});

test('a baseline without a case that gated has fallen as far as can be', () => {
  const advisory: BaselineOutcome = { passedRuns: 2, meanScore: 1, errored: false, advisory: 'all' };
  const bar = [{ id: 'x', digest: 'd', weight: 1 }];
  const baseline = { runs: 2, kind: 'outputs', cases: [advisory] } as const;
  const against = { runKind: 'outputs', baseline, pairing: { run: bar, baseline: bar } } as const;
  expect(worstDifference([caseOf('x', 'passed', {})], against)).toBe(-1);
});
