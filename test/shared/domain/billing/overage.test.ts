import { expect, test } from '@jest/globals';
import type { PlanId } from '../../../../shared/contracts/auth.ts';
import { overageOf } from '../../../../shared/domain/billing/overage.ts';
import { reportedMonths } from '../../../../shared/domain/billing/reportOverage.ts';

const month = (...parts: readonly (readonly [PlanId, number])[]) =>
  parts.map(([plan, used], index) => ({ plan, planVersion: index + 1, used }));

test.each([
  ['runs of Free', month(['free', 500]), 0],
  ['runs of Enterprise', month(['enterprise', 10_000_000]), 0],
  ['the last run that Pro includes', month(['pro', 15_000]), 0],
  ['the first one beyond it', month(['pro', 15_001]), 1],
  ['Pro after more runs than it includes', month(['enterprise', 50_000], ['pro', 10]), 10],
  ['Pro, refunded after that', month(['enterprise', 50_000], ['pro', -10]), 0],
  ['Scale after runs of Free', month(['free', 500], ['scale', 99_502]), 2],
  ['overage of a plan that ended', month(['pro', 15_007], ['free', 3]), 7],
  ['overage of both plans', month(['pro', 15_007], ['scale', 84_995]), 9],
  ['a plan that came back', month(['pro', 15_001], ['scale', 10], ['pro', 2]), 3],
] as const)('the overage of %s is %j: %d', (_, usage, overage) => {
  expect(overageOf(usage)).toBe(overage);
});

test.each([
  ['2026-03-31T23:59:59.999Z', ['2026-02', '2026-03']],
  ['2026-04-01T00:00:00.000Z', ['2026-03', '2026-04']],
  ['2027-01-01T00:00:00.000Z', ['2026-12', '2027-01']],
])('at %s the months %j are reported', (at, months) => {
  expect(reportedMonths(Date.parse(at))).toEqual(months);
});
