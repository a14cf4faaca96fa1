import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lowerOf } from '../../../../../shared/scoring/judging/agreement.ts';
import { type JudgeEvidence, proofOf } from '../../../../../shared/scoring/judging/proof.ts';
import { verdictDetail } from '../../../../../shared/scoring/verdict/detail.ts';
import { foldVerdict } from '../../../../../shared/scoring/verdict/foldVerdict.ts';
import { judges } from '../../../../../shared/scoring/verdict/gates/judges.ts';
import { caseOf, casesUpTo } from '../model.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const MODEL = 'gpt-5.4-mini-2026-08-01';
const gate = { min_caught: 0.7, max_age_days: 30 };
const bar = { passThreshold: 1, gates: { judges: gate } };

const checkedAs = (caught: number, sent = 30, more: object = {}) => ({
  scorer_digest: 'sha256:tone',
  answered_models: [MODEL],
  fail: { sent, caught, errored: 0, lower: lowerOf(caught, sent) },
  ...more,
});
const evidence = (more: Partial<JudgeEvidence> = {}): JudgeEvidence => ({
  suite: 'returns',
  createdAtMs: NOW_MS,
  judges: [{ scorer: 'tone', digest: 'sha256:tone', models: [MODEL] }],
  check: { endedAtMs: NOW_MS - 3 * DAY_MS, judges: [checkedAs(26)] },
  ...more,
});

function verdictOf(found: JudgeEvidence | undefined, cases = [caseOf('a', 'passed')]) {
  const verdict = foldVerdict(cases, bar, undefined, found && proofOf(found, gate));
  const answer = verdictDetail(verdict, 1, verdict.kept).gates.find(({ gate: name }) => name === 'judges');
  return { verdict, answer };
}

test('26 of 30 wrong answers caught, by the models that answered, clear a gate of 0.7', () => {
  const { verdict, answer } = verdictOf(evidence());
  expect(verdict).toMatchObject({ status: 'cleared', inconclusive: false });
  expect(answer).toEqual({
    gate: 'judges',
    status: 'passed',
    observed: expect.closeTo(0.7032, 4),
    required: 0.7,
  });
});

const AGAIN = 'evalgate check returns';
const endedAtMs = NOW_MS - 3 * DAY_MS;
describe('the gate is inconclusive, by fault of the bar, and names what to do:', () => {
  test.each<[string, JudgeEvidence | undefined, string]>([
    [
      'no case that counts is judged',
      evidence({ judges: [] }),
      'no case that counts is judged by a model: add one, or take the gate away',
    ],
    [
      'no wrong answer was there to catch',
      evidence({ check: { endedAtMs, judges: [checkedAs(0, 0)] } }),
      `the cases of judge tone have no wrong answers: add some (examples.fail), then ${AGAIN}`,
    ],
    [
      'wrong answers could not be judged',
      evidence({
        check: {
          endedAtMs,
          judges: [checkedAs(5, 30, { fail: { sent: 30, caught: 5, errored: 25, lower: lowerOf(5, 30) } })],
        },
      }),
      `judge tone caught 5 of 30 wrong answers, and 25 could not be judged: ${AGAIN}`,
    ],
    [
      'no judge is known',
      undefined,
      'no case that counts is judged by a model: add one, or take the gate away',
    ],
    [
      'no check was made',
      evidence({ check: undefined }),
      `judge tone has not been checked as it is now: ${AGAIN}`,
    ],
    [
      'the rubric was edited since',
      evidence({ judges: [{ scorer: 'tone', digest: 'sha256:new', models: [MODEL] }] }),
      `judge tone has not been checked as it is now: ${AGAIN}`,
    ],
    [
      'the check is 30 days and a second old',
      evidence({ check: { endedAtMs: NOW_MS - 30 * DAY_MS - 1_000, judges: [checkedAs(30)] } }),
      `judge tone was checked too long ago: ${AGAIN}`,
    ],
    [
      'another model answered',
      evidence({
        judges: [{ scorer: 'tone', digest: 'sha256:tone', models: [MODEL, 'gpt-5.4-mini-2026-11-20'] }],
      }),
      `judge tone answered as gpt-5.4-mini-2026-11-20, which no check has seen: ${AGAIN}`,
    ],
    [
      'a model without a name answered',
      evidence({ judges: [{ scorer: 'tone', digest: 'sha256:tone', models: [null] }] }),
      `judge tone answered without the name of a model, which no check has seen: ${AGAIN}`,
    ],
    [
      '25 of 30 were caught',
      evidence({ check: { endedAtMs, judges: [checkedAs(25)] } }),
      `judge tone caught 25 of 30 wrong answers, which proves 0.664, and it takes 0.7: add wrong answers or make its rubric stricter, then ${AGAIN}`,
    ],
  ])('%s', (_why, found, reason) => {
    const { verdict, answer } = verdictOf(found);
    expect(verdict).toMatchObject({ status: 'aborted', inconclusive: true, fault: 'bar' });
    expect(verdict.kept.flips).toBeNull();
    expect(answer).toMatchObject({ status: 'inconclusive', reason });
  });
});

test('a check that is 30 days old to the second, or ended after the run began, is current', () => {
  for (const at of [NOW_MS - 30 * DAY_MS, NOW_MS + 1_000]) {
    const { verdict } = verdictOf(evidence({ check: { endedAtMs: at, judges: [checkedAs(30)] } }));
    expect(verdict.status).toBe('cleared');
  }
});

test('a judge that answered nothing in the run needs a check as any other', () => {
  const silent = [{ scorer: 'tone', digest: 'sha256:tone', models: [] }];
  expect(verdictOf(evidence({ judges: silent })).verdict.status).toBe('cleared');
  expect(verdictOf(evidence({ judges: silent, check: undefined })).verdict.inconclusive).toBe(true);
});

test('of several judges the least proven one is observed', () => {
  const both = ['tone', 'facts'].map((scorer) => ({ scorer, digest: `sha256:${scorer}`, models: [] }));
  const checks = [checkedAs(30), checkedAs(20, 20, { scorer_digest: 'sha256:facts' })];
  const { answer } = verdictOf(evidence({ judges: both, check: { endedAtMs, judges: checks } }));
  expect(answer).toMatchObject({ status: 'passed', observed: expect.closeTo(0.838875, 6) });
});

test('the gate clears no run that is not cleared without it, and fails none that is not failed', () => {
  const checks = fc.constantFrom(evidence(), evidence({ check: undefined }), undefined);
  fc.assert(
    fc.property(casesUpTo(6), checks, (cases, found) => {
      const plain = foldVerdict(cases, { passThreshold: 0.5, gates: {} });
      const gated = foldVerdict(
        cases,
        { passThreshold: 0.5, gates: { judges: gate } },
        undefined,
        found && proofOf(found, gate),
      );
      const isOpen = found?.check !== undefined;
      expect(gated.status).toBe(isOpen ? plain.status : 'aborted');
      const isAborted = (one: typeof plain) => one.status === 'aborted' && !one.inconclusive;
      expect(isAborted(gated)).toBe(isAborted(plain));
    }),
  );
});

test.each<[string, object | undefined, object | undefined, string]>([
  ['a new gate', undefined, gate, 'stricter'],
  ['none any more', gate, undefined, 'weaker'],
  ['a higher share', gate, { ...gate, min_caught: 0.8 }, 'stricter'],
  ['a lower share', gate, { ...gate, min_caught: 0.6 }, 'weaker'],
  ['older checks', gate, { ...gate, max_age_days: 60 }, 'weaker'],
  ['younger checks', gate, { ...gate, max_age_days: 7 }, 'stricter'],
  ['both ways', gate, { min_caught: 0.8, max_age_days: 60 }, 'weaker'],
  ['the same', gate, gate, 'same'],
])('%s: %j to %j is %s', (_what, before, after, effect) => {
  expect(judges.effect({ judges: before } as never, { judges: after } as never)).toBe(effect);
});
