import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { averagePassRate, figuresOf, NO_RUNS, plus } from '../../../../shared/domain/analytics/figures.ts';
import { regressionsBetween } from '../../../../shared/domain/analytics/regressions.ts';
import type { ScoredCase } from '../../../../shared/domain/runs/ports.ts';
import { resultOf } from '../../storage/results.ts';

const scored = (score: number, passed: boolean, fields: Partial<ScoredCase> = {}): ScoredCase => ({
  ...resultOf(0, ''),
  case_id: 'a',
  case_name: 'A',
  passed,
  score,
  threshold: 0.9,
  reason: `scored ${score}`,
  scorer_output: {},
  duration_ms: 1,
  ...fields,
});

const ERROR = { scorer_output: { error: 'JUDGE_TIMEOUT' }, errored: true, fault: 'service' } as const;
const UNJUDGEABLE = {
  scorer_output: { error: 'SIMILARITY_TOO_LONG' },
  errored: true,
  fault: 'candidate',
} as const;

test.each([
  ['that fell to 0', scored(1, true), scored(0, false)],
  ['that the candidate has kept from being judged', scored(1, true), scored(0, false, UNJUDGEABLE)],
  ['that fell by just 0.1, however that is written in binary', scored(0.9, true), scored(0.8, false)],
])('a case is flagged %s', (_, before, current) => {
  const { case_id, case_name, score, threshold, reason } = current;
  expect(regressionsBetween([before], [current])).toEqual([
    {
      case_id,
      case_name,
      threshold,
      reason,
      regression: true,
      current_score: score,
      previous_score: before.score,
    },
  ]);
});

test.each([
  ['that passes still', [scored(1, true)], [scored(0.9, true)]],
  ['that failed before', [scored(0.8, false)], [scored(0, false)]],
  ['that fell by less than 0.1', [scored(0.9, true)], [scored(0.8001, false)]],
  [
    'that failed at the same score, as a side threshold makes it',
    [scored(0.95, true)],
    [scored(0.95, false)],
  ],
  ['that is new', [], [scored(0, false)]],
  ['that is gone', [scored(1, true)], []],
  ['of another id', [scored(1, true, { case_id: 'b' })], [scored(0, false)]],
  ['whose scorer could not judge it now', [scored(1, true)], [scored(0, false, ERROR)]],
  ['whose scorer could not judge it before', [scored(0, false, ERROR)], [scored(0, false)]],
  [
    'that the candidate kept from being judged before',
    [scored(0, false, UNJUDGEABLE)],
    [scored(0, false, UNJUDGEABLE)],
  ],
])('a case is not flagged %s', (_, before, current) => {
  expect(regressionsBetween(before, current)).toEqual([]);
});

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('an average is that of the rates, within a billionth, between 0 and 1, in whatever order runs end', () => {
  fc.assert(
    fc.property(fc.array(share, { minLength: 1, maxLength: 200 }), (rates) => {
      const total = (of: readonly number[]) =>
        of.map((pass_rate) => figuresOf({ status: 'aborted', pass_rate })).reduce(plus, NO_RUNS);
      const average = averagePassRate(total(rates));
      expect(average).toBeGreaterThanOrEqual(0);
      expect(average).toBeLessThanOrEqual(1);
      expect(Math.abs(average - rates.reduce((a, b) => a + b, 0) / rates.length)).toBeLessThanOrEqual(
        1.01e-9,
      );
      expect(total(rates.toReversed())).toEqual(total(rates));
    }),
  );
});

test.each([
  [[1], 1],
  [[0], 0],
  [[1, 0], 0.5],
  [[0.1, 0.2], 0.15],
  [[2 / 3], 0.666666667],
  [[1, 0, 0], 0.333333333],
])('the average of %j is %d', (rates, average) => {
  const figures = rates.map((pass_rate) => figuresOf({ status: 'cleared', pass_rate })).reduce(plus, NO_RUNS);
  expect(averagePassRate(figures)).toBe(average);
});
