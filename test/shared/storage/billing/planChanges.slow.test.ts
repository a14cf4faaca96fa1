import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { PLANS, type PlanId } from '../../../../shared/contracts/auth.ts';
import { newApiKey, sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { overageOf } from '../../../../shared/domain/billing/overage.ts';
import { PLAN } from '../../../../shared/domain/plans.ts';
import { retainedSince } from '../../../../shared/domain/retention/retention.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { accountStore } from '../../../../shared/storage/accounts/accounts.ts';
import { apiKeyStore } from '../../../../shared/storage/accounts/apiKeys.ts';
import { overageStore } from '../../../../shared/storage/billing/overageReports.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import {
  apiKeyKey,
  COUNTER_SHARDS,
  organisationKey,
  type Shard,
  subscriberKey,
  usageKey,
  usageOfMonth,
} from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';
import { withOwn } from '../contended.ts';

const START_MS = Date.parse('2026-03-10T12:00:00.000Z');
const MONTH = '2026-03';

let own: OwnTable;
beforeAll(async () => {
  own = await startOwnTable(() => START_MS);
});
afterAll(() => own.stop());

async function newOrganisation() {
  const deps = { accounts: accountStore(own.table, () => START_MS), now: () => START_MS, newId: randomUUID };
  const { organisation, api_key } = await signUp(deps, { name: 'Changing' });
  return { orgId: organisation.id, sha256: sha256OfKey(api_key.key) };
}

const move = (orgId: string, plan: PlanId, atMs = START_MS) =>
  changePlan(own.table, { orgId, plan: () => plan, atMs, alongside: {} });

/** As if so many runs had been stored: in a shard as long as it is open, else in the first item. */
async function run(orgId: string, by = 1, { month = MONTH, shard }: { month?: string; shard?: Shard } = {}) {
  const { updated } = await own.table.update({
    Key: usageKey(orgId, month, shard),
    UpdateExpression: 'ADD used :by',
    ...(shard !== undefined && { ConditionExpression: 'attribute_not_exists(closed)' }),
    ExpressionAttributeValues: { ':by': by },
  });
  if (!updated) await run(orgId, by, { month });
}

async function overageNow(orgId: string, month = MONTH): Promise<number> {
  const store = overageStore(own.table);
  const found = await store.month(orgId, month);
  const plan = found?.plan ?? (await store.planOf(orgId));
  if (found === undefined || plan === undefined) return 0;
  return overageOf({ ...found, plan }, found.used);
}

async function addKey(orgId: string): Promise<string> {
  const sha256 = sha256OfKey(newApiKey());
  const key = {
    id: randomUUID(),
    name: 'another',
    key_prefix: 'egk_',
    project_id: null,
    scope: 'full' as const,
    expires_at: null,
    last_used_at: null,
    created_at: timestamp(START_MS),
    sha256,
  };
  await apiKeyStore(own.table).create(orgId, key, 50);
  return sha256;
}

test('overage is the number of runs made while the plan of the moment was used up, whatever the plans before and after', async () => {
  const step = fc.oneof(
    fc.record({
      runs: fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 60_000 })),
      shard: fc.option(fc.nat(COUNTER_SHARDS - 1), { nil: undefined }),
    }),
    fc.record({ plan: fc.constantFrom(...PLANS) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { orgId } = await newOrganisation();
      let [plan, used, overage]: [PlanId, number, number] = ['free', 0, 0];
      for (const taken of steps) {
        if ('plan' in taken) {
          await move(orgId, taken.plan);
          plan = taken.plan;
        } else {
          // Only under a plan that blocks none.
          await run(orgId, taken.runs, plan === 'free' ? {} : { shard: taken.shard });
          const priced = typeof PLAN[plan].overage === 'object';
          const within = Math.max(0, PLAN[plan].monthlyRuns - used);
          if (priced) overage += Math.max(0, taken.runs - within);
          used += taken.runs;
        }
        expect(await overageNow(orgId)).toBe(overage);
      }
    }),
    { numRuns: 40 },
  );
});

test('runs that go on during changes of plan are counted and charged exactly', async () => {
  const { orgId } = await newOrganisation();
  await move(orgId, 'pro');
  await run(orgId, 14_980);
  let running = true;
  let made = 14_980;
  const runs = Array.from({ length: 4 }, async (_, nth) => {
    for (let shard = nth; running; shard = (shard + 5) % COUNTER_SHARDS) {
      await run(orgId, 1, nth === 0 ? {} : { shard });
      made++;
    }
  });
  const books = [];
  for (const plan of ['scale', 'pro', 'scale', 'pro', 'free', 'pro'] as const) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    await move(orgId, plan);
    books.push(await own.table.get(usageKey(orgId, MONTH)));
  }
  running = false;
  await Promise.all(runs);
  // Every floor is the number of runs at the moment of a change: between two of them the plan is known.
  const spans = books.map((book) => ({ plan: book?.plan as PlanId, from: Number(book?.overage_floor) }));
  const before = { plan: 'pro' as PlanId, from: 0 };
  const all = [before, ...spans];
  const overage = all.reduce((sum, { plan, from }, index) => {
    const to = all[index + 1]?.from ?? made;
    const priced = typeof PLAN[plan].overage === 'object';
    return sum + (priced ? Math.max(0, to - Math.max(from, PLAN[plan].monthlyRuns)) : 0);
  }, 0);
  expect(await usageStore(own.table).used(orgId, MONTH)).toBe(made);
  expect(made).toBeGreaterThan(15_000);
  expect(await overageNow(orgId)).toBe(overage);
});

test('under a plan that blocks further runs all of a month is in its first item, on which the quota is a condition', async () => {
  const { orgId } = await newOrganisation();
  await move(orgId, 'pro');
  for (const shard of [undefined, 3, 7]) await run(orgId, 100, { shard });
  await move(orgId, 'free');
  // A request that was let in before.
  await run(orgId, 1, { shard: 3 });
  const parts = async () =>
    (await own.table.query(usageOfMonth(orgId, MONTH)))
      .map(({ used }) => used ?? 0)
      .filter((used) => used !== 0);
  expect(await parts()).toEqual([301]);
  await move(orgId, 'scale');
  await run(orgId, 5, { shard: 3 });
  expect(await parts()).toEqual([301, 5]);
  expect(await usageStore(own.table).used(orgId, MONTH)).toBe(306);
});

test('at the end of a month, runs of a plan that ended count in the first item of the next month, too', async () => {
  const { orgId } = await newOrganisation();
  const endMs = Date.parse('2026-03-31T23:59:59.900Z');
  await move(orgId, 'pro', endMs - DAY_MS);
  await move(orgId, 'free', endMs);
  await run(orgId, 1, { month: '2026-04', shard: 9 });
  expect((await own.table.get(usageKey(orgId, '2026-04')))?.used).toBe(1);
});

test('a change that comes too late leaves the shards as they were', async () => {
  const { orgId } = await newOrganisation();
  await move(orgId, 'pro');
  const never = {
    Update: {
      Key: organisationKey(randomUUID()),
      UpdateExpression: 'SET x = :x',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':x': 1 },
    },
  };
  const late = { orgId, plan: () => 'free' as const, atMs: START_MS, alongside: { late: never } };
  expect(await changePlan(own.table, late)).toEqual({ outcome: 'superseded' });
  await run(orgId, 1, { shard: 5 });
  expect((await own.table.get(usageKey(orgId, MONTH, 5)))?.used).toBe(1);
});

test('a month that is over is charged under the plan it ended with, whatever comes after', async () => {
  const { orgId } = await newOrganisation();
  await move(orgId, 'pro', Date.parse('2026-02-20T00:00:00.000Z'));
  await run(orgId, 20_000);
  await move(orgId, 'scale', Date.parse('2026-04-01T00:00:00.000Z'));
  await move(orgId, 'free', Date.parse('2026-04-02T00:00:00.000Z'));
  await run(orgId, 1);
  expect(await overageNow(orgId)).toBe(5_001);
  expect(await overageNow(orgId, '2026-04')).toBe(0);
});

test('organisation and keys change together, and keys added or revoked meanwhile are of the same plan', async () => {
  const { orgId, sha256 } = await newOrganisation();
  const store = apiKeyStore(own.table);
  const revoked: string[] = [];
  const kept: string[] = [sha256];
  const editing = Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let round = 0; round < 8; round++) {
        const added = await addKey(orgId);
        const item = round % 2 === 0 ? await own.table.get(apiKeyKey(added)) : undefined;
        if (item !== undefined) await store.revoke(orgId, String(item.id), () => true);
        (item === undefined ? kept : revoked).push(added);
      }
    }),
  );
  let editingGoesOn = true;
  const changing = (async () => {
    for (let round = 0; editingGoesOn; round++) await move(orgId, PLANS[round % PLANS.length] ?? 'free');
  })();
  await editing;
  editingGoesOn = false;
  await changing;
  const organisation = await own.table.get(organisationKey(orgId));
  const keys = await own.table.getMany(kept.map(apiKeyKey));
  expect(keys.map((key) => key?.plan)).toEqual(kept.map(() => organisation?.plan));
  for (const hash of revoked) expect(await own.table.get(apiKeyKey(hash))).toBeUndefined();
});

test('several changes of the plan at once leave organisation and keys with the same plan', async () => {
  const { orgId, sha256 } = await newOrganisation();
  for (let round = 0; round < 5; round++) {
    await Promise.all(PLANS.map((plan) => move(orgId, plan)));
    const [organisation, key] = await own.table.getMany([organisationKey(orgId), apiKeyKey(sha256)]);
    expect(key?.plan).toBe(organisation?.plan);
    expect(key?.retained_from).toBe(organisation?.retained_from);
  }
});

test('runs that were gone under the former plan stay gone: `retainedFrom` only moves forward', async () => {
  const { orgId, sha256 } = await newOrganisation();
  const keptSince = async () => {
    const [organisation, key] = await own.table.getMany([organisationKey(orgId), apiKeyKey(sha256)]);
    expect(key?.retained_from).toBe(organisation?.retained_from);
    return organisation?.retained_from;
  };
  const gone = (atMs: number) => retainedSince({ plan: 'free', retainedFrom: null }, atMs);
  await move(orgId, 'pro', START_MS);
  expect(await keptSince()).toBe(gone(START_MS));
  await move(orgId, 'free', START_MS + DAY_MS);
  expect(await keptSince()).toBe(gone(START_MS));
  await move(orgId, 'scale', START_MS + 30 * DAY_MS);
  expect(await keptSince()).toBe(gone(START_MS + 30 * DAY_MS));
});

test('an unchanged plan writes nothing, and a missing organisation gets no plan', async () => {
  const { orgId } = await newOrganisation();
  const before = await own.table.get(organisationKey(orgId));
  expect(await move(orgId, 'free')).toEqual({ outcome: 'unchanged' });
  expect(await own.table.get(organisationKey(orgId))).toEqual(before);
  expect(await move(randomUUID(), 'pro')).toEqual({ outcome: 'organisation_gone' });
});

test('a subscriber is remembered while there is a plan with overage, and two months after', async () => {
  const { orgId } = await newOrganisation();
  await move(orgId, 'pro');
  expect((await own.table.get(subscriberKey(orgId)))?.expires_at).toBeUndefined();
  await move(orgId, 'free');
  const until = Number((await own.table.get(subscriberKey(orgId)))?.expires_at) * 1_000;
  expect(until - START_MS).toBeGreaterThan(62 * DAY_MS);
});

test('a change that finds its plan made by another one leaves the shards open for the next change', async () => {
  const { orgId } = await newOrganisation();
  let overtaken = false;
  const get: Table['get'] = async (key) => {
    const item = await own.table.get(key);
    if (!overtaken) {
      overtaken = true;
      await move(orgId, 'pro');
    }
    return item;
  };
  const late = withOwn(own.table, { get });
  const change = { orgId, plan: () => 'pro' as const, atMs: START_MS + 1, alongside: {} };
  expect(await changePlan(late, change)).toEqual({ outcome: 'unchanged' });
  await run(orgId, 1, { shard: 3 });
  expect(await move(orgId, 'scale', START_MS + 2)).toMatchObject({ outcome: 'changed', from: 'pro' });
  expect(await usageStore(own.table).used(orgId, MONTH)).toBe(1);
});
