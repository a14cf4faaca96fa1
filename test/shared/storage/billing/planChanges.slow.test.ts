import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { PLANS, type PlanId } from '../../../../shared/contracts/auth.ts';
import { newApiKey, sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { API_KEYS_MAX } from '../../../../shared/domain/plans.ts';
import { retainedSince } from '../../../../shared/domain/retention/retention.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { accountStore } from '../../../../shared/storage/accounts/accounts.ts';
import { KEYS_WITH_PLAN_MAX } from '../../../../shared/storage/accounts/apiKeyItems.ts';
import { apiKeyStore } from '../../../../shared/storage/accounts/apiKeys.ts';
import { deletionStore } from '../../../../shared/storage/accounts/deletions.ts';
import { accountMaker } from '../../../../shared/storage/accounts/newAccounts.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { organisationPurgeStore } from '../../../../shared/storage/purge/organisations.ts';
import {
  apiKeyKey,
  apiKeyPointers,
  organisationKey,
  subscriberKey,
} from '../../../../shared/storage/table/keys.ts';
import type { Item, Table, TransactOptions, Write } from '../../../../shared/storage/table/table.ts';
import { Random } from '../../../faults/random.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { withOwn } from '../contended.ts';
import { aLog } from '../stored.ts';

const START_MS = Date.parse('2026-03-10T12:00:00.000Z');

const memory = new MemoryTable(() => START_MS);

async function newOrganisation() {
  const deps = { accounts: accountMaker(memory), now: () => START_MS, newId: randomUUID };
  const { organisation, api_key } = await signUp(deps, { name: 'Changing', plan: 'free' });
  return { orgId: organisation.id, sha256: sha256OfKey(api_key.key) };
}

const move = (orgId: string, plan: PlanId, atMs = START_MS) =>
  changePlan(memory, { orgId, plan: () => plan, atMs, alongside: {} });

const manyKeys = () => 2_000;
const apiKeysMax = (plan: PlanId) => API_KEYS_MAX[plan];

async function addKey(orgId: string, limitOf: (plan: PlanId) => number = manyKeys): Promise<string> {
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
    created_by: null,
    sha256,
  };
  const outcome = await apiKeyStore(memory).create(orgId, key, limitOf, aLog);
  if (outcome !== 'created') throw new Error(outcome);
  return sha256;
}

/** The plan that a request with each of the keys has. */
const plansOf = (keys: readonly string[]) =>
  Promise.all(
    keys.map(async (sha256) => {
      const principal = await accountStore(memory, () => START_MS).principalOfKey(sha256);
      return principal && [principal.plan, principal.planVersion, principal.retainedFrom];
    }),
  );
const planOf = async (orgId: string) => {
  const item = await memory.get(organisationKey(orgId));
  return [item?.plan, item?.plan_version, item?.retained_from ?? null];
};
/** The keys that one transaction has to move. */
async function keysWithPlan(orgId: string): Promise<number> {
  const pointers = await memory.query(apiKeyPointers(orgId));
  const items = await memory.getMany(pointers.map((pointer) => apiKeyKey(String(pointer.sha256))));
  return items.filter((item) => item?.plan !== undefined).length;
}

test('organisation and keys change together, and keys added or revoked meanwhile are of the same plan', async () => {
  const { orgId, sha256 } = await newOrganisation();
  // The next ones are on both sides of those that hold the plan themselves.
  for (let others = 0; others < 44; others++) await addKey(orgId);
  const store = apiKeyStore(memory);
  const revoked: string[] = [];
  const kept: string[] = [sha256];
  const editing = Promise.all(
    Array.from({ length: 3 }, async () => {
      for (let round = 0; round < 8; round++) {
        const added = await addKey(orgId);
        const item = round % 2 === 0 ? await memory.get(apiKeyKey(added)) : undefined;
        if (item !== undefined) await store.revoke(orgId, String(item.id), () => true, aLog);
        (item === undefined ? kept : revoked).push(added);
      }
    }),
  );
  let editingGoesOn = true;
  const changing = (async () => {
    for (let round = 0; editingGoesOn; round++) {
      await move(orgId, PLANS[round % PLANS.length] ?? 'free');
      // The table is in memory: else nothing but this goes on.
      await setImmediate();
    }
  })();
  await editing;
  editingGoesOn = false;
  await changing;
  const now = await planOf(orgId);
  expect(await plansOf(kept)).toEqual(kept.map(() => now));
  for (const hash of revoked) expect(await memory.get(apiKeyKey(hash))).toBeUndefined();
  expect(await keysWithPlan(orgId)).toBeLessThanOrEqual(KEYS_WITH_PLAN_MAX);
});

const valuesOf = ({ organisation }: Record<string, Write>): Item =>
  organisation?.Update?.ExpressionAttributeValues ?? {};

test.each([1, 2, 3, 4, 5, 6])(
  'no request has another plan than its organisation had meanwhile, whatever dies and meets, seed %d',
  async (seed) => {
    const random = new Random(seed);
    const { orgId, sha256 } = await newOrganisation();
    const keys = [sha256];
    for (let others = 0; others < 60; others++) keys.push(await addKey(orgId));
    const versions: string[] = [String(await planOf(orgId))];
    /** Loses a request or an answer, or lets others in between. */
    const own = {
      async transact(writes: Record<string, Write>, options?: TransactOptions) {
        if (random.chance(0.2)) throw new Error('died before its transaction');
        await setImmediate();
        const { ':plan': plan, ':planVersion': version, ':from': since } = valuesOf(writes);
        const outcome = await (memory as Table).transact(writes, options);
        if (outcome.committed && plan !== undefined) versions.push(String([plan, version, since]));
        if (random.chance(0.2)) throw new Error('died after its transaction');
        return outcome;
      },
    };
    const dying = withOwn(memory, own as Partial<MemoryTable>);
    for (let round = 0; round < 20; round++) {
      const from = versions.length - 1;
      const sent = Array.from({ length: 8 }, () => random.pick(keys));
      const changes = Array.from({ length: 2 }, () =>
        changePlan(dying, { orgId, plan: () => random.pick(PLANS), atMs: START_MS, alongside: {} }),
      );
      const [seen] = await Promise.all([plansOf(sent), Promise.allSettled(changes)]);
      for (const plan of seen) expect(versions.slice(from)).toContain(String(plan));
      const now = await planOf(orgId);
      expect(await plansOf(keys)).toEqual(keys.map(() => now));
    }
  },
);

test('an organisation of 1,000 keys changes its plan, lists, revokes and is deleted; on a smaller plan its keys go on, and none is made', async () => {
  const { orgId, sha256 } = await newOrganisation();
  await move(orgId, 'scale');
  const keys = [sha256];
  while (keys.length < 1_000) keys.push(await addKey(orgId, apiKeysMax));
  await expect(addKey(orgId, apiKeysMax)).rejects.toThrow('limit_reached');
  const store = apiKeyStore(memory);
  expect(await store.list(orgId)).toHaveLength(1_000);
  expect(await keysWithPlan(orgId)).toBe(KEYS_WITH_PLAN_MAX);
  expect(await move(orgId, 'free')).toEqual({ outcome: 'changed', from: 'scale', to: 'free' });
  const now = await planOf(orgId);
  expect(await plansOf(keys)).toEqual(keys.map(() => now));
  // Neither in the place of one that has expired.
  await memory.update({
    Key: apiKeyKey(keys[999] ?? ''),
    UpdateExpression: 'SET valid_until = :at',
    ExpressionAttributeValues: { ':at': timestamp(START_MS - DAY_MS) },
  });
  await expect(addKey(orgId, apiKeysMax)).rejects.toThrow('limit_reached');
  // The place of a revoked key that held the plan is taken by the next one.
  const first = await memory.get(apiKeyKey(keys[1] ?? ''));
  expect(await store.revoke(orgId, String(first?.id), () => true, aLog)).toBe('revoked');
  await addKey(orgId);
  expect(await keysWithPlan(orgId)).toBe(KEYS_WITH_PLAN_MAX);
  const deletesAt = timestamp(START_MS + 7 * DAY_MS);
  expect(await deletionStore(memory).begin(orgId, deletesAt, aLog)).toBe(deletesAt);
  const principals = await Promise.all(
    keys.slice(2, 999).map((key) => accountStore(memory, () => START_MS).principalOfKey(key)),
  );
  expect(new Set(principals.map((principal) => principal?.deletesAt))).toEqual(new Set([deletesAt]));
  await organisationPurgeStore(memory).endAccess(orgId);
  expect(await plansOf(keys)).toEqual(keys.map(() => undefined));
});

test('several changes of the plan at once leave organisation and keys with the same plan', async () => {
  const { orgId, sha256 } = await newOrganisation();
  for (let round = 0; round < 5; round++) {
    await Promise.all(PLANS.map((plan) => move(orgId, plan)));
    const [organisation, key] = await memory.getMany([organisationKey(orgId), apiKeyKey(sha256)]);
    expect(key?.plan).toBe(organisation?.plan);
    expect(key?.plan_version).toBe(organisation?.plan_version);
    expect(key?.retained_from).toBe(organisation?.retained_from);
  }
});

test('runs that were gone under the former plan stay gone: `retainedFrom` only moves forward', async () => {
  const { orgId, sha256 } = await newOrganisation();
  const keptSince = async () => {
    const [organisation, key] = await memory.getMany([organisationKey(orgId), apiKeyKey(sha256)]);
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
  const before = await memory.get(organisationKey(orgId));
  expect(await move(orgId, 'free')).toEqual({ outcome: 'unchanged' });
  expect(await memory.get(organisationKey(orgId))).toEqual(before);
  expect(await move(randomUUID(), 'pro')).toEqual({ outcome: 'organisation_gone' });
});

test('a subscriber is remembered while there is a plan with overage, and two months after', async () => {
  const { orgId } = await newOrganisation();
  await move(orgId, 'pro');
  expect((await memory.get(subscriberKey(orgId)))?.expires_at).toBeUndefined();
  await move(orgId, 'free');
  const until = Number((await memory.get(subscriberKey(orgId)))?.expires_at) * 1_000;
  expect(until - START_MS).toBeGreaterThan(62 * DAY_MS);
});

test('a change beside writes that come too late changes nothing', async () => {
  const { orgId, sha256 } = await newOrganisation();
  const late = {
    Update: {
      Key: organisationKey(randomUUID()),
      UpdateExpression: 'SET x = :x',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':x': 1 },
    },
  };
  const change = { orgId, plan: () => 'pro' as const, atMs: START_MS, alongside: { late } };
  expect(await changePlan(memory, change)).toEqual({ outcome: 'superseded' });
  expect((await memory.get(apiKeyKey(sha256)))?.plan).toBe('free');
});
