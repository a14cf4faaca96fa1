import { expect, test } from '@jest/globals';
import { expiringAdvisories } from '../../../../../shared/domain/runs/results/notices.ts';
import { DAY_MS } from '../../../../../shared/domain/time.ts';

const CREATED_MS = Date.parse('2036-05-05T10:00:00.000Z');

const advisory = (untilMs: number | null, key = 'refund-window') => ({
  id: `id of ${key}`,
  key,
  advisory_until: untilMs === null ? null : new Date(CREATED_MS + untilMs).toISOString(),
});

test.each([
  ['that ends at once', 1, 1],
  ['that ends in 7 days', 7 * DAY_MS, 1],
  ['that ends later', 7 * DAY_MS + 1, 0],
  ['that ended when the run was created', 0, 0],
  ['that ended long ago', -DAY_MS, 0],
  ['that was never there', null, 0],
])('a run warns of an advisory %s when it is near its end', (_, untilMs, count) => {
  expect(expiringAdvisories([advisory(untilMs)], CREATED_MS)).toHaveLength(count);
});

test('a notice names the case, and when it gates again', () => {
  expect(expiringAdvisories([advisory(null), advisory(DAY_MS)], CREATED_MS)).toEqual([
    {
      code: 'ADVISORY_EXPIRING',
      message: 'The case refund-window gates again from 2036-05-06T10:00:00.000Z on.',
      case_id: 'id of refund-window',
      key: 'refund-window',
      expires_at: '2036-05-06T10:00:00.000Z',
    },
  ]);
});

test('a run warns of the first 20', () => {
  const cases = Array.from({ length: 50 }, (_, index) => [advisory(null), advisory(DAY_MS, `case-${index}`)]);
  const named = expiringAdvisories(cases.flat(), CREATED_MS).map(({ key }) => key);
  expect(named).toEqual(Array.from({ length: 20 }, (_, index) => `case-${index}`));
});
