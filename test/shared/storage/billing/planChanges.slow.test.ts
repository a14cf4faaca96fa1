import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { PLANS, type PlanId } from '../../../../shared/contracts/auth.ts';
import { newApiKey, sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { retainedSince } from '../../../../shared/domain/retention/retention.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { apiKeyStore } from '../../../../shared/storage/accounts/apiKeys.ts';
import { accountMaker } from '../../../../shared/storage/accounts/newAccounts.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { apiKeyKey, organisationKey, subscriberKey } from '../../../../shared/storage/table/keys.ts';
import type { Item } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
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
  await apiKeyStore(memory).create(orgId, key, () => 1_000, aLog);
  return sha256;
}

test('organisation and keys change together, and keys added or revoked meanwhile are of the same plan', async () => {
  const { orgId, sha256 } = await newOrganisation();
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
  const organisation = await memory.get(organisationKey(orgId));
  const keys = await memory.getMany(kept.map(apiKeyKey));
  const planOf = (item: Item | undefined) => [item?.plan, item?.plan_version];
  expect(keys.map(planOf)).toEqual(kept.map(() => planOf(organisation)));
  for (const hash of revoked) expect(await memory.get(apiKeyKey(hash))).toBeUndefined();
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
