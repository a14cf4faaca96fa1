import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { reportAllOverage } from '../../../../shared/domain/billing/reportOverage.ts';
import { HOUR_MS, type Reporting, SHARDS, START_MS, startReporting } from './reporting.ts';

let reporting: Reporting;
beforeAll(async () => {
  reporting = await startReporting();
});
afterAll(() => reporting.stop());
beforeEach(() => reporting.reset());

test.each(['before', 'after'] as const)(
  'a reporter that dies %s any of its steps reports everything once when it is run again',
  async (when) => {
    const subscriber = await reporting.newSubscriber();
    await subscriber.run(15_000);
    let overage = 0;
    for (let count = 1; count < 40; count++) {
      await subscriber.run(7);
      overage += 7;
      const died = await reporting.dyingAt(count, when, subscriber.orgId);
      expect(subscriber.reportedRuns()).toBeLessThanOrEqual(overage);
      await reportAllOverage(reporting.alive(subscriber.orgId), SHARDS);
      expect(subscriber.reportedRuns()).toBe(overage);
      if (!died) return;
    }
    throw new Error('It never came to its end');
  },
);

test('after any crashes, runs, plan changes and repetitions the reports add up to the overage, and never to more before', async () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ runs: fc.integer({ min: 1, max: 20_000 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({ plan: fc.constantFrom('free' as const, 'pro' as const, 'scale' as const) }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        dies: fc.integer({ min: 1, max: 12 }),
        when: fc.constantFrom('before' as const, 'after' as const),
      }),
    },
    { weight: 2, arbitrary: fc.record({ twice: fc.constant(true) }) },
    { weight: 1, arbitrary: fc.record({ lost: fc.constant(true) }) },
    { weight: 2, arbitrary: fc.record({ hours: fc.integer({ min: 0, max: 4 }) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 18 }), async (steps) => {
      reporting.clock.ms = START_MS;
      const subscriber = await reporting.newSubscriber();
      const { orgId } = subscriber;
      let [plan, used, due] = ['pro', 0, 0];
      const limits: Record<string, number> = { free: Number.POSITIVE_INFINITY, pro: 15_000, scale: 100_000 };
      for (const taken of steps) {
        if ('runs' in taken) {
          await subscriber.run(taken.runs);
          due += Math.max(0, taken.runs - Math.max(0, (limits[plan] ?? 0) - used));
          used += taken.runs;
        } else if ('plan' in taken) {
          await subscriber.move(taken.plan);
          plan = taken.plan;
        } else if ('dies' in taken) await reporting.dyingAt(taken.dies, taken.when, orgId);
        else if ('twice' in taken)
          await Promise.all([
            reportAllOverage(reporting.alive(orgId), SHARDS),
            reportAllOverage(reporting.alive(orgId), SHARDS),
          ]);
        else if ('lost' in taken) {
          reporting.stripe.hooks.fault = 'drop';
          await reportAllOverage(reporting.alive(orgId), SHARDS).catch(() => {});
          reporting.stripe.hooks.fault = undefined;
        } else reporting.clock.ms += taken.hours * HOUR_MS;
        expect(subscriber.reportedRuns()).toBeLessThanOrEqual(due);
      }
      await reportAllOverage(reporting.alive(orgId), SHARDS);
      expect(subscriber.reportedRuns()).toBe(due);
    }),
    { numRuns: 20 },
  );
});

test('a function that was delayed does not undo what other functions reported since', async () => {
  const subscriber = await reporting.newSubscriber();
  const { orgId } = subscriber;
  await subscriber.run(15_010);
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const deps = reporting.alive(orgId);
  const payments: typeof deps.payments = {
    reportOverage: async (report) => {
      await deps.payments.reportOverage(report);
      sent.resolve();
      await released.promise;
    },
  };
  const heldUp = reportAllOverage({ ...deps, payments }, SHARDS);
  await sent.promise;
  await reportAllOverage(deps, SHARDS);
  await subscriber.run(20);
  await reportAllOverage(deps, SHARDS);
  await subscriber.run(5);
  released.resolve();
  await heldUp;
  await reportAllOverage(deps, SHARDS);
  expect(subscriber.reportedRuns()).toBe(35);
});
