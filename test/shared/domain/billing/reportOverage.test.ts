import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PlanId } from '../../../../shared/contracts/auth.ts';
import { overageOf } from '../../../../shared/domain/billing/overage.ts';
import type { OverageStore } from '../../../../shared/domain/billing/ports.ts';
import { reportAllOverage, reportedMonths } from '../../../../shared/domain/billing/reportOverage.ts';
import { overageStore } from '../../../../shared/storage/billing/overageReports.ts';
import { subscriberKey, subscriberShard } from '../../../../shared/storage/table/keys.ts';
import { HOUR_MS, type Reporting, SHARDS, startReporting } from './reporting.ts';

let reporting: Reporting;
beforeAll(async () => {
  reporting = await startReporting();
});
afterAll(() => reporting.stop());
beforeEach(() => reporting.reset());

test('each run beyond the plan is reported once, for this month and the last', async () => {
  const subscriber = await reporting.newSubscriber();
  await subscriber.run(14_999);
  await reportAllOverage(reporting.alive(), SHARDS);
  expect(subscriber.reportedRuns()).toBe(0);
  await subscriber.run(11);
  await reportAllOverage(reporting.alive(), SHARDS);
  await reportAllOverage(reporting.alive(), SHARDS);
  expect(subscriber.reportedRuns()).toBe(10);
  await subscriber.run(90);
  reporting.clock.ms = Date.parse('2026-04-01T00:00:00.000Z');
  await reportAllOverage(reporting.alive(), SHARDS);
  expect(subscriber.reportedRuns()).toBe(100);
  await subscriber.run(15_005);
  await subscriber.run(1, '2026-03');
  await reportAllOverage(reporting.alive(), SHARDS);
  expect(subscriber.reportedRuns()).toBe(106);
  const { form } = reporting.stripe.calls.findLast(({ path }) => path === '/v1/billing/meter_events') ?? {};
  expect(form).toEqual({
    event_name: 'evalgate_runs_beyond_plan',
    identifier: `${subscriber.orgId}:2026-04:0-5`,
    'payload[stripe_customer_id]': subscriber.customer,
    'payload[value]': '5',
    timestamp: String(reporting.clock.ms / 1_000),
  });
});

test('overage of a plan that ended is reported; a plan that blocks runs has none', async () => {
  const subscriber = await reporting.newSubscriber();
  await subscriber.run(15_020);
  await subscriber.move('free');
  await subscriber.run(3);
  await reportAllOverage(reporting.alive(subscriber.orgId), SHARDS);
  expect(subscriber.reportedRuns()).toBe(20);
});

test('a report that failed at the provider is sent exactly once when the provider works again', async () => {
  const subscriber = await reporting.newSubscriber();
  await subscriber.run(15_010);
  reporting.stripe.hooks.fault = 'down';
  await expect(reportAllOverage(reporting.alive(subscriber.orgId), SHARDS)).rejects.toThrow(
    '1 organisations',
  );
  reporting.stripe.hooks.fault = undefined;
  await reportAllOverage(reporting.alive(subscriber.orgId), SHARDS);
  expect(subscriber.reportedRuns()).toBe(10);
  reporting.clock.ms += HOUR_MS;
  await reportAllOverage(reporting.alive(subscriber.orgId), SHARDS);
  expect(subscriber.reportedRuns()).toBe(10);
});

describe('a report that was never confirmed', () => {
  test.each([
    ['was counted', 'drop', 30],
    ['was not counted', 'down', 20],
  ] as const)(
    'and %s is not repeated after a day; later runs are reported, and an alarm is logged',
    async (_, mood, reportedRuns) => {
      const subscriber = await reporting.newSubscriber();
      await subscriber.run(15_010);
      reporting.stripe.hooks.fault = mood;
      await expect(reportAllOverage(reporting.alive(subscriber.orgId), SHARDS)).rejects.toThrow(
        '1 organisations',
      );
      reporting.stripe.hooks.fault = undefined;
      reporting.clock.ms += 24 * HOUR_MS;
      await subscriber.run(20);
      await reportAllOverage(reporting.alive(subscriber.orgId), SHARDS);
      expect(subscriber.reportedRuns()).toBe(reportedRuns);
      const line = reporting.service.log.findLast(({ code }) => code === 'overage_unconfirmed');
      expect(line).toMatchObject({ org_id: subscriber.orgId, runs: 10 });
    },
  );

  test('is sent again within the day, under the same identifier', async () => {
    const subscriber = await reporting.newSubscriber();
    await subscriber.run(15_010);
    reporting.stripe.hooks.fault = 'drop';
    await expect(reportAllOverage(reporting.alive(subscriber.orgId), SHARDS)).rejects.toThrow();
    reporting.stripe.hooks.fault = undefined;
    reporting.clock.ms += 22 * HOUR_MS;
    await reportAllOverage(reporting.alive(subscriber.orgId), SHARDS);
    expect(subscriber.reportedRuns()).toBe(10);
  });
});

test('an organisation whose report fails does not stop the others', async () => {
  const [first, second] = [await reporting.newSubscriber(), await reporting.newSubscriber()];
  await Promise.all([first.run(15_001), second.run(15_002)]);
  const deps = reporting.alive();
  const month: OverageStore['month'] = async (orgId, of) => {
    if (orgId === first.orgId) throw new Error('broken');
    return overageStore(reporting.service.table).month(orgId, of);
  };
  await expect(
    reportAllOverage({ ...deps, overage: { ...overageStore(reporting.service.table), month } }, SHARDS),
  ).rejects.toThrow('The overage of 1 organisations could not be reported');
  expect(second.reportedRuns()).toBe(2);
  await reportAllOverage(deps, SHARDS);
  expect(first.reportedRuns()).toBe(1);
});

test('an invocation of a shard reports its subscribers and no others', async () => {
  const subscriber = await reporting.newSubscriber();
  await subscriber.run(15_010);
  const own = SHARDS.find((shard) => subscriberShard(shard).pk === subscriberKey(subscriber.orgId).pk) ?? -1;
  await reportAllOverage(
    reporting.alive(),
    SHARDS.filter((shard) => shard !== own),
  );
  expect(subscriber.reportedRuns()).toBe(0);
  await reportAllOverage(reporting.alive(), [own]);
  expect(subscriber.reportedRuns()).toBe(10);
});

test.each([
  ['runs out of time', false],
  ['dies', true],
])(
  'the last subscriber of a shard is reported, once, when the invocation before %s half way',
  async (_, dies) => {
    const subscriber = await reporting.newSubscriber();
    const { orgId } = subscriber;
    await subscriber.run(15_010);
    // Before it in its shard.
    for (let other = 0; other < 100; other++) {
      const key = subscriberKey(`00000000-0000-4000-8000-${String(other).padStart(11, '0')}${orgId.at(-1)}`);
      await reporting.service.table.put({ ...key });
    }
    const deps = reporting.alive();
    let [looks, tookMs] = [0, 10_000];
    const month: OverageStore['month'] = async (of, name) => {
      reporting.clock.ms += tookMs;
      looks++;
      return deps.overage.month(of, name);
    };
    const intend: OverageStore['intend'] = async () => {
      throw new Error('it should not get there');
    };
    const half = {
      ...deps,
      overage: { ...overageStore(reporting.service.table), month, intend },
      ...(dies && {
        positions: {
          ...deps.positions,
          at: (walk: string) => deps.positions.at(walk),
          save: async (walk: string, position: string | null) => {
            await deps.positions.save(walk, position);
            if (looks > 50) throw new Error('killed');
          },
        },
      }),
    };
    const shard = SHARDS.filter((one) => subscriberShard(one).pk === subscriberKey(orgId).pk);
    await reportAllOverage(half, shard).catch(() => {});
    expect(subscriber.reportedRuns()).toBe(0);
    const before = looks;
    tookMs = 0;
    await reportAllOverage({ ...deps, overage: { ...overageStore(reporting.service.table), month } }, shard);
    expect(subscriber.reportedRuns()).toBe(10);
    // Two months of each; those of the other test may be in the shard, too.
    const subscribers = await reporting.service.table.query(subscriberShard(shard[0] ?? -1));
    expect(looks - before).toBeLessThan(2 * (subscribers.length - 1));
    await reportAllOverage(reporting.alive(), shard);
    expect(subscriber.reportedRuns()).toBe(10);
  },
);

const usageOf = (...parts: readonly (readonly [PlanId, number])[]) =>
  parts.map(([plan, used], index) => ({ plan, planVersion: index + 1, used }));

test.each([
  ['runs of Free', usageOf(['free', 500]), 0],
  ['runs of Enterprise', usageOf(['enterprise', 10_000_000]), 0],
  ['the last run that Pro includes', usageOf(['pro', 15_000]), 0],
  ['the first one beyond it', usageOf(['pro', 15_001]), 1],
  ['Pro after more runs than it includes', usageOf(['enterprise', 50_000], ['pro', 10]), 10],
  ['Pro, refunded after that', usageOf(['enterprise', 50_000], ['pro', -10]), 0],
  ['Scale after runs of Free', usageOf(['free', 500], ['scale', 99_502]), 2],
  ['overage of a plan that ended', usageOf(['pro', 15_007], ['free', 3]), 7],
  ['overage of both plans', usageOf(['pro', 15_007], ['scale', 84_995]), 9],
  ['a plan that came back', usageOf(['pro', 15_001], ['scale', 10], ['pro', 2]), 3],
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
