import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { timestampSchema } from '../../../shared/contracts/base/common.ts';
import { PLAN } from '../../../shared/domain/plans.ts';
import { retainedSince } from '../../../shared/domain/retention/retention.ts';
import { DAY_MS, monthOf, timestamp } from '../../../shared/domain/time.ts';

const anyMs = fc.integer({ min: 0, max: Date.parse('9999-12-31T23:59:59.999Z') });

test('a timestamp is ISO 8601 in UTC with milliseconds, and names the same moment', () => {
  fc.assert(
    fc.property(anyMs, (ms) => {
      expect(timestampSchema.safeParse(timestamp(ms)).success).toBe(true);
      expect(Date.parse(timestamp(ms))).toBe(ms);
    }),
  );
});

test('timestamps sort as text as they do in time', () => {
  fc.assert(
    fc.property(anyMs, anyMs, (one, other) => {
      expect(timestamp(one) < timestamp(other)).toBe(one < other);
    }),
  );
});

test('a month is that of UTC, to its last millisecond', () => {
  expect(monthOf('2026-11-30T23:59:59.999Z')).toBe('2026-11');
  expect(monthOf('2026-12-01T00:00:00.000Z')).toBe('2026-12');
  expect(DAY_MS).toBe(24 * 60 * 60 * 1_000);
});

test('plans have the runs and the retention of the specification', () => {
  const figures = Object.entries(PLAN).map(([id, { monthlyRuns, retentionDays }]) => [
    id,
    monthlyRuns,
    retentionDays,
  ]);
  expect(figures).toEqual([
    ['free', 500, 14],
    ['pro', 15_000, 365],
    ['scale', 100_000, 365],
    ['enterprise', Number.POSITIVE_INFINITY, expect.any(Number)],
  ]);
});

test('a run is gone at exactly the age of its retention, and stays gone under a plan with a longer one', () => {
  const nowMs = Date.parse('2026-05-05T10:00:00.000Z');
  const firstRetained = timestamp(nowMs - 14 * DAY_MS + 1);
  expect(retainedSince({ plan: 'free', retainedFrom: null }, nowMs)).toBe(firstRetained);
  expect(retainedSince({ plan: 'pro', retainedFrom: firstRetained }, nowMs)).toBe(firstRetained);
});
