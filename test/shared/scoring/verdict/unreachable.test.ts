import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { GateSettings } from '../../../../shared/scoring/verdict/gating.ts';
import { type CountedCase, unreachableGates } from '../../../../shared/scoring/verdict/unreachable.ts';
import { sized } from '../../../support/soak.ts';
import { bars, casesUpTo, modelClears, withOutcome } from './model.ts';

const cases = (count: number, fields: Partial<CountedCase> = {}): CountedCase[] =>
  Array.from({ length: count }, () => ({ weight: 1, tags: [], advisory: false, isJudged: false, ...fields }));
const safety = (min_judged_cases: number) => ({ tag: 'safety', pass_threshold: 1, min_judged_cases });
const messagesOf = (active: readonly CountedCase[], gates: GateSettings['gates']) =>
  unreachableGates(active, { passThreshold: 1, gates }).map(({ gate, message }) => `${gate}: ${message}`);

test.each<[string, CountedCase[], GateSettings['gates'], string[]]>([
  ['that may be cleared', cases(35), { min_lower_bound: 0.9, min_judged_cases: 35 }, []],
  [
    'without a case',
    [],
    {},
    ['pass_rate: has no active case, and a gate that checks nothing does not clear: add one'],
  ],
  [
    'of advisory cases only',
    cases(2, { advisory: true }),
    { min_judged_cases: 1 },
    [
      'pass_rate: has advisory cases only, and a gate that checks nothing does not clear: end the advisory of one',
    ],
  ],
  [
    'with a lower bound that its cases cannot prove',
    cases(20),
    { min_lower_bound: 0.9 },
    [
      'min_lower_bound: no output passes it: 20 cases prove at most 0.838, even if all pass: it takes 35 cases',
    ],
  ],
  [
    'whose weights make its cases too few',
    [...cases(39), ...cases(1, { weight: 20 })],
    { min_lower_bound: 0.9 },
    [
      'min_lower_bound: no output passes it: cases whose weights make them worth 7.9 prove at most 0.673, even if all pass: it takes 35 of equal weight',
    ],
  ],
  [
    'with a lower bound that no suite can prove',
    cases(1),
    { min_lower_bound: 1 },
    [
      'min_lower_bound: no output passes it: 1 case proves at most 0.206, even if all pass: no suite has enough cases for it',
    ],
  ],
  [
    'whose gate on judges has none that counts',
    [...cases(2), ...cases(1, { isJudged: true, advisory: true })],
    { judges: { min_caught: 0.7, max_age_days: 30 } },
    ['judges: no output passes it: no case that counts is judged by a model: add one, or take the gate away'],
  ],
  [
    'whose gate on judges waits for a check',
    cases(2, { isJudged: true }),
    { judges: { min_caught: 0.7, max_age_days: 30 } },
    [],
  ],
  [
    'with more verdicts needed than cases that count',
    [...cases(30), ...cases(9, { advisory: true })],
    { min_judged_cases: 35 },
    ['min_judged_cases: no output passes it: 30 cases count, and it takes 35'],
  ],
  [
    'with a tag that only an advisory case has',
    [...cases(3), ...cases(1, { tags: ['safety'], advisory: true })],
    { tags: [safety(1)] },
    ['tag:safety: no output passes it: no case that counts has the tag'],
  ],
  [
    'with a tag that too few cases have',
    [...cases(3), ...cases(1, { tags: ['safety'] })],
    { tags: [safety(2)], min_judged_cases: 5 },
    [
      'min_judged_cases: no output passes it: 4 cases count, and it takes 5',
      'tag:safety: no output passes it: 1 case with the tag counts, and it takes 2',
    ],
  ],
])('a suite %s is warned of so', (_, active, gates, messages) => {
  expect(messagesOf(active, gates)).toEqual(messages);
});

test('there is a warning exactly where no outcome of the cases clears a run', () => {
  fc.assert(
    fc.property(casesUpTo(9), bars, fc.boolean(), (given, bar, isAdvisory) => {
      const active = given.map((one) => ({ ...one, isJudged: false, advisory: isAdvisory }));
      const best = given.map((one) => withOutcome(one, 'passed'));
      const mayClear = !isAdvisory && modelClears(best, bar);
      expect(unreachableGates(active, bar).length === 0).toBe(mayClear);
    }),
    { numRuns: sized(200, 1_000) },
  );
});
