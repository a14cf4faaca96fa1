import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../support/seed.ts';
import type { PlanId } from '../../../shared/contracts/auth.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { START_MS, startUpgrading, type Upgrading } from './upgrading.ts';

let upgrading: Upgrading;
beforeAll(async () => {
  upgrading = await startUpgrading();
});
afterAll(() => upgrading.stop());

/** Of the specification. */
const DAYS: Readonly<Record<PlanId, number>> = { free: 14, pro: 365, scale: 365, enterprise: 365 };

type Step =
  | { readonly kind: 'run'; readonly how: 'sync' | 'async' }
  | { readonly kind: 'wait'; readonly ms: number }
  /** The extension comes by its message, or is resumed that much later. */
  | { readonly kind: 'plan'; readonly plan: PlanId; readonly lateMs: number };

const wait = fc.oneof(
  fc.integer({ min: 0, max: 20 * DAY_MS }),
  fc.integer({ min: 0, max: 200 * DAY_MS }),
  // To the millisecond.
  fc.constantFrom(14 * DAY_MS - 1, 14 * DAY_MS, 365 * DAY_MS - 1, 365 * DAY_MS, 1),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('run'), how: fc.constantFrom('sync', 'async') }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('wait'), ms: wait }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('plan'),
      plan: fc.constantFrom('free', 'pro', 'scale'),
      lateMs: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 * DAY_MS })),
    }),
  },
);

test('exactly the runs within retention exist, for random runs, plan changes and times', async () => {
  const { service, evaluator } = upgrading;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 16 }), async (steps) => {
      service.clock.ms = START_MS;
      const gate = await upgrading.gate();
      const now = () => service.clock.ms ?? 0;
      let plan: PlanId = 'free';
      let model: { id: string; at: number }[] = [];
      // A run that is too old for the plan of one moment is gone at all later ones.
      const forget = () => {
        model = model.filter(({ at }) => now() - at < DAYS[plan] * DAY_MS);
      };
      for (const taken of steps) {
        if (taken.kind === 'run') model.push({ at: now(), id: await upgrading.run(gate, taken.how) });
        else if (taken.kind === 'wait') service.clock.ms = now() + taken.ms;
        else {
          forget();
          plan = taken.plan;
          await upgrading.changePlan(gate, plan, taken.lateMs > 0 ? 'message lost' : undefined);
          service.clock.ms = now() + taken.lateMs;
          if (taken.lateMs > 0) await evaluator.resume();
        }
        await evaluator.work();
        forget();
        const { body } = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs?pageSize=100`);
        expect(body.data.map(({ id }: { id: string }) => id)).toEqual(model.map(({ id }) => id).toReversed());
        expect(body.pagination.total).toBe(model.length);
      }
      for (const { id } of model) {
        const { body } = await gate.client('GET', `/v1/runs/${id}/results`);
        expect(body.data.length).toBe(1);
      }
    }),
    { numRuns: 25 },
  );
});
