import { expect, test } from '@jest/globals';
import { includedRuns, overageOf } from '../../../../shared/domain/billing/overage.ts';
import { reportedMonths } from '../../../../shared/domain/billing/reportOverage.ts';

test.each([
  ['free', 0, 100_000, 0],
  ['enterprise', 0, 10_000_000, 0],
  ['pro', 0, 15_000, 0],
  ['pro', 0, 15_001, 1],
  ['pro', 50_000, 50_000, 0],
  ['pro', 50_000, 50_010, 10],
  ['pro', 50_000, 49_990, 0],
  ['scale', 0, 100_000, 0],
  ['scale', 20_000, 100_002, 2],
] as const)('on %s since run %d, run %d brings the overage to %d', (plan, floor, used, overage) => {
  expect(overageOf({ plan, floor, base: 0 }, used)).toBe(overage);
  expect(overageOf({ plan, floor, base: 7 }, used)).toBe(7 + overage);
});

test('only plans with a price for overage have a limit of included runs', () => {
  expect(includedRuns({ plan: 'free', floor: 0 })).toBe(Number.POSITIVE_INFINITY);
  expect(includedRuns({ plan: 'enterprise', floor: 0 })).toBe(Number.POSITIVE_INFINITY);
});

test.each([
  ['2026-03-31T23:59:59.999Z', ['2026-02', '2026-03']],
  ['2026-04-01T00:00:00.000Z', ['2026-03', '2026-04']],
  ['2027-01-01T00:00:00.000Z', ['2026-12', '2027-01']],
])('at %s the months %j are told', (at, months) => {
  expect(reportedMonths(Date.parse(at))).toEqual(months);
});
