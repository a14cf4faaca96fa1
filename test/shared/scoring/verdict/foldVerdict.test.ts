import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { verdictDetailSchema } from '../../../../shared/contracts/gates.ts';
import { verdictDetail } from '../../../../shared/scoring/verdict/detail.ts';
import { foldVerdict } from '../../../../shared/scoring/verdict/foldVerdict.ts';
import type { GatedCase, GateSettings } from '../../../../shared/scoring/verdict/gating.ts';
import { verdictOf } from '../../../../shared/scoring/verdict/verdict.ts';
import { sized } from '../../../support/soak.ts';
import { bars, caseOf, casesUpTo, modelClears, modelStatuses, withOutcome } from './model.ts';

/** The figures, and the answer's object as it is read from what is stored. */
function judge(cases: readonly GatedCase[], bar: GateSettings) {
  const { kept, ...figures } = foldVerdict(cases, bar);
  const stored = JSON.parse(JSON.stringify(kept));
  return {
    figures,
    kept,
    detail: verdictDetailSchema.parse(verdictDetail(figures, bar.passThreshold, stored)),
  };
}

const BAR: GateSettings = { passThreshold: 0.6, gates: {} };
const four = (...outcomes: Parameters<typeof caseOf>[1][]) =>
  outcomes.map((outcome, at) => caseOf('abcd'.charAt(at), outcome));

describe('the verdict of four cases', () => {
  test('all passed: the bar, the interval, and how many failures it takes', () => {
    const { figures, detail } = judge(four('passed', 'passed', 'passed', 'passed'), BAR);
    expect(figures).toMatchObject({ status: 'cleared', total_cases: 4, passed_cases: 4, missing_cases: 0 });
    expect(detail).toEqual({
      gates: [{ gate: 'pass_rate', status: 'passed', observed: 1, required: 0.6 }],
      decided_by: [],
      confidence: {
        level: 0.95,
        method: 'wilson',
        lower: expect.closeTo(0.510109, 6),
        upper: 1,
        effective_cases: 4,
      },
      flips: { to: 'aborted', cases: 2, exact: true, case_ids: [] },
    });
  });

  test('a missing output is a failure, not an error', () => {
    const { figures, detail } = judge(four('passed', 'passed', 'failed', 'missing'), BAR);
    expect(figures).toMatchObject({
      status: 'aborted',
      pass_rate: 0.5,
      failed_cases: 2,
      missing_cases: 1,
      errored_cases: 0,
      inconclusive: false,
    });
    expect(detail.flips).toEqual({ to: 'cleared', cases: 1, exact: true, case_ids: ['c'] });
  });

  test('an errored case that could clear the run makes it inconclusive', () => {
    const { figures, detail } = judge(four('passed', 'passed', 'failed', 'errored'), BAR);
    expect(figures).toMatchObject({
      status: 'aborted',
      errored_cases: 1,
      missing_cases: 0,
      inconclusive: true,
    });
    expect(detail).toMatchObject({ gates: [{ status: 'inconclusive' }], decided_by: ['pass_rate'] });
  });

  test('a failed must-pass case aborts whatever the pass rate, an errored one is inconclusive', () => {
    const cases = (outcome: 'failed' | 'errored') => [
      ...four('passed', 'passed', 'passed'),
      caseOf('d', outcome, { mustPass: true }),
    ];
    const failed = judge(cases('failed'), BAR);
    expect(failed.figures).toMatchObject({ status: 'aborted', pass_rate: 0.75, inconclusive: false });
    expect(failed.detail).toMatchObject({
      gates: [
        { gate: 'pass_rate', status: 'passed' },
        { gate: 'must_pass', status: 'failed', observed: 1, required: 0, cases: ['d'] },
      ],
      decided_by: ['must_pass'],
      flips: { to: 'cleared', cases: 1, exact: true, case_ids: ['d'] },
    });
    expect(judge(cases('errored'), BAR).figures).toMatchObject({ status: 'aborted', inconclusive: true });
  });

  test('a tag gate with too few verdicts is inconclusive, one that cannot hold has failed', () => {
    const bar: GateSettings = {
      passThreshold: 0.5,
      gates: { tags: [{ tag: 'safety', pass_threshold: 1, min_judged_cases: 2 }] },
    };
    const withB = (outcome: 'failed' | 'errored', tags = ['safety']) =>
      judge(
        [caseOf('a', 'passed', { tags }), caseOf('b', outcome, { tags }), ...four('passed', 'passed')],
        bar,
      );
    expect(withB('errored').detail.gates[1]).toEqual({
      gate: 'tag:safety',
      status: 'inconclusive',
      observed: 0.5,
      required: 1,
      judged_cases: 1,
      reason: '1 of 2 cases needed has a verdict',
    });
    expect(withB('failed').detail.gates[1]).toMatchObject({ status: 'failed', judged_cases: 2 });
    const none = withB('failed', []);
    expect(none.detail.gates[1]).toMatchObject({ status: 'inconclusive', judged_cases: 0 });
    expect(none.figures).toMatchObject({ status: 'aborted', inconclusive: true });
    expect(none.detail.flips).toBeNull();
  });

  test('an advisory case is counted apart and opens or closes nothing', () => {
    const advisory = ['failed', 'errored', 'missing', 'passed'] as const;
    const beside = advisory.map((outcome) =>
      caseOf(outcome, outcome, { advisory: true, mustPass: true, tags: ['x'] }),
    );
    const { figures } = judge([...four('passed', 'passed', 'passed'), ...beside], BAR);
    expect(figures).toEqual({
      status: 'cleared',
      pass_rate: 1,
      total_cases: 3,
      passed_cases: 3,
      failed_cases: 0,
      errored_cases: 0,
      missing_cases: 0,
      advisory_cases: 4,
      advisory_failed_cases: 3,
      inconclusive: false,
    });
    expect(() => foldVerdict(beside, BAR)).toThrow('at least one case');
  });

  test('a case that is missing or errored never passes, whatever else it states', () => {
    const cases = [caseOf('a', 'missing', { passed: true }), caseOf('b', 'errored', { passed: true })];
    expect(foldVerdict(cases, BAR)).toMatchObject({ passed_cases: 0, errored_cases: 1, missing_cases: 1 });
  });
});

test('of two gates of which one failed, the other is still known to be inconclusive', () => {
  const cases = [...four('passed', 'errored'), caseOf('z', 'failed', { mustPass: true })];
  const { figures, detail } = judge(cases, { passThreshold: 0.6, gates: {} });
  expect(figures.inconclusive).toBe(false);
  expect(detail.gates).toMatchObject([
    { gate: 'pass_rate', status: 'inconclusive' },
    { gate: 'must_pass', status: 'failed' },
  ]);
});

test('a run that is aborted though all gates passed, since it could not be evaluated, names nothing that flips it', () => {
  const { kept, ...figures } = foldVerdict(four('passed', 'passed', 'passed', 'errored'), BAR);
  expect(verdictDetail({ ...figures, status: 'aborted' }, 0.6, kept)).toMatchObject({
    gates: [{ gate: 'pass_rate', status: 'passed' }],
    decided_by: [],
    flips: null,
  });
});

test('weights that are all zero within a tag are equal ones', () => {
  const tagged = ['passed', 'passed', 'failed'] as const;
  const cases = tagged.map((outcome, at) => caseOf(`t${at}`, outcome, { tags: ['t'], weight: 0 }));
  const gates = { tags: [{ tag: 't', pass_threshold: 0.7, min_judged_cases: 1 }] };
  const { detail } = judge([caseOf('a', 'passed'), ...cases], { passThreshold: 0.5, gates });
  expect(detail.gates[1]).toMatchObject({ status: 'failed', observed: 0.666666666667 });
});

test('at most 20 must-pass cases and 20 cases that would have to pass are named, by whole ids', () => {
  const uuid = (at: number) => `0f1c2d3e-4a5b-4c6d-8e7f-90a1b2c3${(1000 + at).toString(16).padStart(4, '0')}`;
  const cases = Array.from({ length: 30 }, (_, at) =>
    caseOf(uuid(at), 'failed', { mustPass: true, key: at % 2 === 0 ? `case-${at}` : uuid(at) }),
  );
  const { detail } = judge(cases, BAR);
  expect(detail.gates[1]).toMatchObject({ observed: 30, cases: cases.slice(0, 20).map(({ key }) => key) });
  expect(detail.flips).toMatchObject({ cases: 30, case_ids: cases.slice(0, 20).map(({ id }) => id) });
});

test('of must-pass cases that did not pass, failed and missing ones are named before errored ones, each heaviest first', () => {
  const named = (outcome: Parameters<typeof caseOf>[1], weight: number) =>
    caseOf(`${outcome}-${weight}`, outcome, { weight, mustPass: true });
  const errored = Array.from({ length: 25 }, (_, at) => named('errored', 100 + at));
  const others = [named('failed', 1), named('missing', 3), named('failed', 2)];
  const { detail } = judge([...errored, ...others, caseOf('free', 'failed', { weight: 1_000 })], BAR);
  const { cases = [] } = detail.gates.find(({ gate }) => gate === 'must_pass') ?? {};
  expect(cases.slice(0, 4)).toEqual(['missing-3', 'failed-2', 'failed-1', 'errored-124']);
  expect(cases).toHaveLength(20);
});

describe('laws of folding', () => {
  test('with the pass rate alone it is the verdict over the cases, to the letter', () => {
    const weight = fc.oneof(
      fc.double({ min: 0, max: 1000, noNaN: true }),
      fc.constantFrom(0, Number.MIN_VALUE, 0.1, 1, Number.MAX_VALUE),
    );
    const outcome = fc.constantFrom('passed', 'failed', 'errored', 'missing');
    const lists = fc.array(fc.tuple(outcome, weight), { minLength: 1, maxLength: 30 });
    const bar = fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 0, max: 12 }).map((twelfths) => twelfths / 12),
    );
    fc.assert(
      fc.property(lists, bar, (list, passThreshold) => {
        const cases = list.map(([kind, given], at) => caseOf(`c${at}`, kind as 'passed', { weight: given }));
        const { figures } = judge(cases, { passThreshold, gates: {} });
        const { dependsOnErrored: inconclusive, ...rated } = verdictOf(cases, passThreshold);
        expect(figures).toEqual({
          ...rated,
          inconclusive,
          missing_cases: cases.filter(({ missing }) => missing).length,
          advisory_cases: 0,
          advisory_failed_cases: 0,
          ...(figures.inconclusive && { fault: expect.any(String) }),
        });
      }),
      { numRuns: 500 },
    );
  });

  test('every gate has the status that its errored cases give it, as failed and as passed', () => {
    fc.assert(
      fc.property(casesUpTo(8), bars, (cases, bar) => {
        const { figures, detail } = judge(cases, bar);
        const expected = modelStatuses(cases, bar);
        expect(detail.gates.map(({ gate, status }) => ({ gate, status }))).toEqual(expected);
        const open = expected.filter(({ status }) => status !== 'passed');
        expect(detail.decided_by).toEqual(open.map(({ gate }) => gate));
        expect(figures.status).toBe(modelClears(cases, bar) ? 'cleared' : 'aborted');
        expect(figures.status).toBe(open.length === 0 ? 'cleared' : 'aborted');
        expect(figures.inconclusive).toBe(
          open.length > 0 && open.every(({ status }) => status === 'inconclusive'),
        );
      }),
      { numRuns: sized(400, 1_500) },
    );
  });

  test('an inconclusive run is the fault of the service exactly when it clears with the cases passed that the service could not judge', () => {
    let excused = 0;
    fc.assert(
      fc.property(casesUpTo(8), bars, (cases, bar) => {
        const { inconclusive, fault } = judge(cases, bar).figures;
        const without = cases.map((one) => (one.fault === 'service' ? withOutcome(one, 'passed') : one));
        expect(fault === 'service').toBe(inconclusive && modelClears(without, bar));
        expect(fault !== undefined).toBe(inconclusive);
        if (fault === 'service') excused++;
      }),
      { numRuns: sized(400, 1_500) },
    );
    expect(excused).toBeGreaterThan(sized(2, 10));
  });

  test('one more passed case never turns cleared into aborted', () => {
    fc.assert(
      fc.property(casesUpTo(12), bars, fc.nat(), (before, bar, pick) => {
        const at = pick % before.length;
        const after = before.map((one, index) => (index === at ? withOutcome(one, 'passed') : one));
        if (foldVerdict(before, bar).status === 'cleared') {
          expect(foldVerdict(after, bar).status).toBe('cleared');
        }
      }),
      { numRuns: sized(300, 1_000) },
    );
  });

  test('advisory cases and the order of the cases change nothing', () => {
    fc.assert(
      fc.property(casesUpTo(6), casesUpTo(3), bars, (cases, beside, bar) => {
        const advisory = beside.map((one) => ({ ...one, id: `x${one.id}`, advisory: true }));
        const [alone, among] = [judge(cases, bar), judge([...advisory, ...cases], bar)];
        expect(among.detail).toEqual(alone.detail);
        const turned = judge(cases.toReversed(), bar);
        expect(turned.figures.status).toBe(alone.figures.status);
        const [flips, others] = [alone.detail.flips, turned.detail.flips];
        if (flips?.exact && others?.exact) expect(others.cases).toBe(flips.cases);
      }),
      { numRuns: 500 },
    );
  });
});
