import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Gates, verdictDetailSchema } from '../../../../../shared/contracts/gates.ts';
import type { Against, BaselineOutcome } from '../../../../../shared/scoring/verdict/baseline/baseline.ts';
import { loadComparison } from '../../../../../shared/scoring/verdict/baseline/loaded.ts';
import { verdictDetail } from '../../../../../shared/scoring/verdict/detail.ts';
import { foldVerdict } from '../../../../../shared/scoring/verdict/foldVerdict.ts';
import { isRelative } from '../../../../../shared/scoring/verdict/gates/registry.ts';
import type { GatedCase, GateSettings } from '../../../../../shared/scoring/verdict/gating.ts';
import { unreachableGates } from '../../../../../shared/scoring/verdict/unreachable.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';
import { caseOf, modelStatuses, withOutcome } from '../model.ts';
import { comparedCases, modelRelativeStatuses } from './model.ts';

beforeAll(loadComparison);

function judge(cases: readonly GatedCase[], bar: GateSettings, against?: Against) {
  const { kept, ...figures } = foldVerdict(cases, bar, against);
  const stored = JSON.parse(JSON.stringify(kept));
  const detail = verdictDetailSchema.parse(verdictDetail(figures, bar.passThreshold, stored));
  return { figures, kept, detail, relative: detail.gates.filter(({ gate }) => NAMES.includes(gate)) };
}
const NAMES = ['max_newly_failing', 'regression'];

const digestOfSuite = (gates: Gates): GateSettings => ({ passThreshold: 0, gates });
/** All of it passed in one run. */
const besidePassed = (count: number, more: { errored?: boolean } = {}): Against => ({
  runKind: 'outputs',
  pairing: 'by_place',
  baseline: {
    runs: 1,
    kind: 'outputs',
    cases: Array.from({ length: count }, () => ({
      passedRuns: 1,
      meanScore: 1,
      errored: false,
      advisory: 'none' as const,
      ...more,
    })),
  },
});
const judged = (model: string) => ({ judged: { outputDigest: null, models: [model] } });
type Outcome = Parameters<typeof caseOf>[1];
const casesWith = (counts: Partial<Record<Outcome, number>>) =>
  Object.entries(counts).flatMap(([outcome, count]) =>
    Array.from({ length: count }, (_, at) => caseOf(`${outcome}-${at}`, outcome as Outcome)),
  );
const WORSE = { regression: { alpha: 0.05, min_drop: 0.02 } };

describe('max_newly_failing', () => {
  const gates = { max_newly_failing: 1 };
  test.each<[string, Partial<Record<Outcome, number>>, string, object]>([
    ['as many as may', { passed: 9, failed: 1 }, 'passed', { observed: 1, required: 1, cases: ['failed-0'] }],
    ['one more', { passed: 8, failed: 1, missing: 1 }, 'failed', { cases: ['failed-0', 'missing-0'] }],
    [
      'one more if an errored one is counted',
      { errored: 1, passed: 8, failed: 1 },
      'inconclusive',
      {
        observed: 2,
        cases: ['failed-0', 'errored-0'],
        reason: 'it depends on cases that ended in an error',
      },
    ],
    ['one more, whatever is errored', { errored: 5, failed: 2 }, 'failed', { observed: 7 }],
    [
      'none, where too little is comparable',
      { errored: 3, passed: 7 },
      'inconclusive',
      {
        observed: 3,
        reason:
          'not comparable: 70 % of the weight is compared, and it takes 80 %: accept a run of the suite as it is now, or run the gate again where cases ended in an error',
      },
    ],
  ])('with %s newly failing', (_, counts, status, entry) => {
    const cases = casesWith(counts);
    const { relative } = judge(cases, digestOfSuite(gates), besidePassed(cases.length));
    expect(relative).toEqual([expect.objectContaining({ gate: 'max_newly_failing', status, ...entry })]);
  });

  test('names 20 cases, the gravest first', () => {
    const cases = Array.from({ length: 30 }, (_, at) =>
      caseOf(`c${at}`, 'failed', { weight: at, mustPass: at === 3 }),
    );
    const { relative, figures } = judge(cases, digestOfSuite(gates), besidePassed(30));
    expect(relative[0]?.cases?.slice(0, 3)).toEqual(['c3', 'c29', 'c28']);
    expect(relative[0]?.cases).toHaveLength(20);
    expect(figures.compared).toEqual({
      newlyFailing: relative[0]?.cases,
      newlyFailingCount: 30,
      difference: -1,
      comparable: true,
      pValue: expect.any(Number),
    });
  });
});

const COARSE = { regression: { alpha: 0.05, min_drop: 0.5 }, min_comparable: 0.5 };
const ANY_DROP = { regression: { alpha: 0.05, min_drop: 0 } };

describe('regression', () => {
  test.each<[string, Partial<Record<Outcome, number>>, object, string, object]>([
    [
      'more failing than chance has',
      { passed: 96, failed: 4 },
      WORSE,
      'failed',
      { observed: 0.03125, required: 0.05, difference: -0.04 },
    ],
    ['no more than chance has', { passed: 97, failed: 3 }, WORSE, 'passed', { observed: 0.0625 }],
    [
      'more than chance has, and less than matters',
      { passed: 396, failed: 4 },
      WORSE,
      'passed',
      { difference: -0.01 },
    ],
    [
      'exactly as much as may be, which fails',
      { passed: 96, failed: 4 },
      { regression: { alpha: 0.03125, min_drop: 0.04 } },
      'failed',
      {},
    ],
    [
      'what errored ones decide',
      { errored: 3, passed: 95, failed: 2 },
      WORSE,
      'inconclusive',
      { observed: 0.015625, difference: -0.05, reason: 'it depends on cases that ended in an error' },
    ],
    ['more than errored ones excuse', { errored: 2, passed: 94, failed: 4 }, WORSE, 'failed', {}],
    [
      'too little that is comparable',
      { errored: 25, failed: 75 },
      WORSE,
      'inconclusive',
      { reason: expect.stringContaining('75 % of the weight is compared, and it takes 80 %') },
    ],
    [
      'as much that is comparable as the suite asks for',
      { errored: 25, failed: 75 },
      { ...WORSE, min_comparable: 0.75 },
      'failed',
      {},
    ],
  ])('of a run with %s', (_, counts, gates, status, entry) => {
    const cases = casesWith(counts);
    const { relative, detail } = judge(cases, digestOfSuite(gates), besidePassed(cases.length));
    expect(relative).toEqual([expect.objectContaining({ gate: 'regression', status, ...entry })]);
    expect(detail.flips).toBeNull();
  });

  test('fails where all fails, however heavy one of the cases is', () => {
    const cases = [1e6, ...Array.from({ length: 10 }, () => 1)].map((weight, at) =>
      caseOf(`c${at}`, 'failed', { weight }),
    );
    const { relative } = judge(cases, digestOfSuite(WORSE), besidePassed(cases.length));
    expect(relative).toMatchObject([{ status: 'failed', difference: -1 }]);
  });

  test('is inconclusive where weights make the approximation too coarse', () => {
    const cases = Array.from({ length: 600 }, (_, at) =>
      caseOf(`c${at}`, 'failed', { weight: at === 0 ? 900.5 : 1 + Math.sqrt(at) }),
    );
    const { relative } = judge(cases, digestOfSuite(WORSE), besidePassed(600));
    expect(relative).toMatchObject([
      { status: 'inconclusive', reason: expect.stringContaining('one case weighs so much') },
    ]);
  });

  test.each<[string, Partial<Record<Outcome, number>>, object, string]>([
    ['three cases fall, and chance could fail all three', { failed: 3 }, WORSE, 'inconclusive'],
    ['one of three falls', { passed: 2, failed: 1 }, WORSE, 'inconclusive'],
    ['an errored one of two may have fallen', { passed: 1, errored: 1 }, COARSE, 'inconclusive'],
    ['none of three falls', { passed: 3 }, WORSE, 'passed'],
    ['none of three falls, and any fall would matter', { passed: 3 }, ANY_DROP, 'passed'],
    ['one of three falls by less than matters', { passed: 2, failed: 1 }, COARSE, 'passed'],
    ['one of four falls, and chance could not fail all four', { passed: 3, failed: 1 }, WORSE, 'passed'],
  ])(
    'is inconclusive where the cases that are compared are too few to tell: %s',
    (_, counts, gates, status) => {
      const cases = casesWith(counts);
      const { relative } = judge(cases, digestOfSuite(gates), besidePassed(cases.length));
      expect(relative).toEqual([expect.objectContaining({ gate: 'regression', status })]);
      if (status === 'inconclusive' && !counts.errored) {
        expect(relative).toMatchObject([{ reason: expect.stringContaining('so few cases') }]);
      }
    },
  );

  test('is not excused by what was errored in the baseline: such cases are not compared', () => {
    const { relative } = judge(
      casesWith({ failed: 10 }),
      digestOfSuite(WORSE),
      besidePassed(10, { errored: true }),
    );
    expect(relative).toMatchObject([
      { status: 'inconclusive', reason: expect.stringContaining('not comparable: 0 %') },
    ]);
  });
});

describe('cases that cannot be compared', () => {
  const gates = { max_newly_failing: 0, regression: { alpha: 0.5, min_drop: 0.1 } };
  /** Of ten cases the first two. */
  const withTwo = (now: Partial<GatedCase>, before: Partial<BaselineOutcome>, isChanged: boolean) => {
    const cases = Array.from({ length: 10 }, (_, at) =>
      caseOf(`c${at}`, at < 2 ? 'failed' : 'passed', at < 2 ? now : {}),
    );
    const { baseline } = besidePassed(10);
    const barCasesOf = (digest: string) =>
      cases.map(({ id }, at) => ({ id, weight: 1, digest: at < 2 ? digest : 'd' }));
    return judge(cases, digestOfSuite(gates), {
      runKind: 'outputs',
      baseline: {
        ...baseline,
        cases: baseline.cases.map((one, at) => (at < 2 ? { ...one, ...before } : one)),
      },
      pairing: { run: barCasesOf('now'), baseline: barCasesOf(isChanged ? 'before' : 'now') },
    });
  };
  const reason = expect.stringMatching(/^2 cases fail that cannot be compared with the baseline/);

  test.each<[string, Partial<GatedCase>, Partial<BaselineOutcome>, boolean]>([
    ['changed', {}, {}, true],
    ['judged by another model', judged('m2'), judged('m1'), false],
    ['advisory in the baseline', {}, { advisory: 'all' }, false],
    ['errored in the baseline', {}, { errored: true, passedRuns: 0 }, false],
  ])('leave both gates inconclusive where they fail and are %s', (_, now, before, isChanged) => {
    const { figures, relative } = withTwo(now, before, isChanged);
    expect(figures).toMatchObject({ status: 'aborted', inconclusive: true });
    expect(relative).toMatchObject([
      { gate: 'max_newly_failing', status: 'inconclusive', observed: 2, cases: ['c0', 'c1'], reason },
      { gate: 'regression', status: 'inconclusive', difference: -0.2, reason },
    ]);
  });

  test.each<[string, Partial<GatedCase>, Partial<BaselineOutcome>]>([
    ['pass', { passed: true }, {}],
    ['failed before', {}, { passedRuns: 0 }],
    ['are advisory', { advisory: true }, {}],
  ])('hold nothing up where they %s', (_, now, before) => {
    expect(withTwo(now, before, true).figures.status).toBe('cleared');
  });
});

test('without a baseline no relative gate clears a run, and the reason states what to do', () => {
  const bar = digestOfSuite({ max_newly_failing: 3, ...WORSE });
  const { figures, detail, relative } = judge(casesWith({ passed: 5 }), bar);
  expect(figures).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'bar' });
  const reason = 'no baseline: accept a run with scope full';
  const none = { status: 'inconclusive', observed: null, reason };
  expect(relative).toEqual([
    { gate: 'max_newly_failing', required: 3, ...none },
    { gate: 'regression', required: 0.05, ...none },
  ]);
  expect(detail).toMatchObject({ decided_by: NAMES, flips: null });
  expect(figures).not.toHaveProperty('compared');
});

test('relative gates stand behind those of tags, and flips come back when they go', () => {
  const tags = [{ tag: 't', pass_threshold: 0, min_judged_cases: 1 }];
  const cases = [caseOf('a', 'passed', { tags: ['t'] })];
  const bar = { passThreshold: 0.5, gates: { ...WORSE, max_newly_failing: 0, tags } };
  const { detail } = judge(cases, bar, besidePassed(1));
  expect(detail.gates.map(({ gate }) => gate)).toEqual(['pass_rate', 'tag:t', ...NAMES]);
  expect(detail.flips).toBeNull();
  expect(judge(cases, { ...bar, gates: { tags } }, besidePassed(1)).detail.flips).not.toBeNull();
});

test('no warning states that a relative gate is out of reach', () => {
  const active = [{ weight: 1, tags: [], advisory: false, isJudged: false }];
  const gates = { ...WORSE, max_newly_failing: 0, min_comparable: 1 };
  expect(unreachableGates(active, digestOfSuite(gates))).toEqual([]);
  const warned = unreachableGates(active, digestOfSuite({ ...gates, min_judged_cases: 2 }));
  expect(warned.map(({ gate }) => gate)).toEqual(['min_judged_cases']);
});

describe('laws of gates that compare', () => {
  test('each has the status that its errored cases give it, as failed and as passed; the others have their own', () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(comparedCases, ({ cases, bar, against }) => {
        const { figures, detail, kept } = judge(cases, bar, against);
        const { max_newly_failing: _, regression: __, ...others } = bar.gates;
        // Weights may be rounded: what hangs on sums that are almost equal is left to other tests.
        const [compared, same] = [1e-9, 1e-3].map((share) =>
          modelRelativeStatuses(cases, bar, against, share),
        );
        fc.pre(JSON.stringify(compared) === JSON.stringify(same));
        const wanted = [...modelStatuses(cases, { ...bar, gates: others }), ...(compared ?? [])];
        expect(detail.gates.map(({ gate, status }) => ({ gate, status }))).toEqual(wanted);
        expect(figures.status).toBe(
          wanted.every(({ status }) => status === 'passed') ? 'cleared' : 'aborted',
        );
        expect(detail.gates.filter(({ gate }) => NAMES.includes(gate))).toHaveLength(
          kept.gates.filter(isRelative).length,
        );
        for (const { gate, status } of wanted) seen.add(`${gate} ${status}`);
      }),
      { numRuns: sized(400, 3_000) },
    );
    const both = NAMES.flatMap((gate) =>
      ['passed', 'failed', 'inconclusive'].map((status) => `${gate} ${status}`),
    );
    expect(both.filter((one) => !seen.has(one))).toEqual([]);
  });

  test('an inconclusive run is the fault of the service exactly when it clears with the cases passed that the service could not judge', () => {
    let excused = 0;
    fc.assert(
      fc.property(comparedCases, ({ cases, bar: { gates }, against }) => {
        // Nothing else holds the run up.
        const bar = digestOfSuite({
          ...gates,
          min_judged_cases: undefined,
          min_lower_bound: undefined,
          tags: [],
        });
        const { inconclusive, fault } = judge(cases, bar, against).figures;
        const without = cases.map((one) => (one.fault === 'service' ? withOutcome(one, 'passed') : one));
        const clears = judge(without, bar, against).figures.status === 'cleared';
        expect(fault === 'service').toBe(inconclusive && clears);
        if (fault === 'service') excused++;
      }),
      { numRuns: sized(400, 3_000) },
    );
    expect(excused).toBeGreaterThan(3);
  });

  test('a case that fails or ends in an error in place of passing never clears an aborted run', () => {
    fc.assert(
      fc.property(
        comparedCases,
        fc.nat(),
        fc.constantFrom('failed' as const, 'errored' as const),
        ({ cases, bar, against }, pick, outcome) => {
          const place = pick % cases.length;
          const [better, worse] = (['passed', outcome] as const).map(
            (is) =>
              judge(
                cases.map((one, at) => (at === place ? withOutcome(one, is) : one)),
                bar,
                against,
              ).figures.status,
          );
          if (worse === 'cleared') expect(better).toBe('cleared');
        },
      ),
      { numRuns: sized(300, 3_000) },
    );
  });
});
