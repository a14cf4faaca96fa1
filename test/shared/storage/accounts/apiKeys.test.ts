import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../../shared/contracts/auth.ts';
import { newApiKey, sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { timestamp } from '../../../../shared/domain/time.ts';
import { accountStore } from '../../../../shared/storage/accounts/accounts.ts';
import { apiKeyStore } from '../../../../shared/storage/accounts/apiKeys.ts';
import { accountMaker } from '../../../../shared/storage/accounts/newAccounts.ts';
import { apiKeyKey, apiKeyPointers } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { withOwn } from '../contended.ts';
import { aLog } from '../stored.ts';

const NOW_MS = Date.parse('2026-05-05T10:00:00.500Z');
const LIMIT = 5;
const anyKey = (): boolean => true;

const memory = new MemoryTable(() => NOW_MS);

async function newOrganisation() {
  const deps = { accounts: accountMaker(memory), now: () => NOW_MS, newId: randomUUID };
  const { organisation, api_key } = await signUp(deps, { name: 'Keys', plan: 'free' });
  return { orgId: organisation.id, first: { id: api_key.id, sha256: sha256OfKey(api_key.key) } };
}

const newKey = (fields: Partial<ApiKey> = {}): ApiKey & { sha256: string } => ({
  id: randomUUID(),
  name: 'another',
  key_prefix: 'egk_',
  project_id: null,
  scope: 'full',
  expires_at: null,
  last_used_at: null,
  created_at: timestamp(NOW_MS),
  created_by: null,
  sha256: sha256OfKey(newApiKey()),
  ...fields,
});

/** The table, but for how its transactions go. */
const tableWhere = (transact: Table['transact']): Table => withOwn(memory, { transact });

const LOST = new Error('TimeoutError after the write');

/** How a write that was made can look as if it had not been. */
const lostAnswers: readonly (readonly [how: string, table: () => Table])[] = [
  [
    'whose answer never came',
    () => {
      let lost = false;
      return tableWhere(async (writes) => {
        const outcome = await memory.transact(writes);
        if (lost) return outcome;
        lost = true;
        throw LOST;
      });
    },
  ],
  [
    'that was repeated and met its own work',
    () =>
      tableWhere(async (writes) => {
        await memory.transact(writes);
        return memory.transact(writes);
      }),
  ],
];

const idsOf = async (orgId: string): Promise<string[]> =>
  (await apiKeyStore(memory).list(orgId)).map(({ id }) => id);

describe.each(lostAnswers)('a write %s', (_, table) => {
  test('makes one key', async () => {
    const { orgId, first } = await newOrganisation();
    const key = newKey();
    expect(await apiKeyStore(table()).create(orgId, key, () => LIMIT, aLog)).toBe('created');
    expect((await idsOf(orgId)).sort()).toEqual([first.id, key.id].sort());
  });

  test('makes a key in the place of one expired key and no more', async () => {
    const { orgId, first } = await newOrganisation();
    const [key, expired] = [newKey(), [1, 2].map((ms) => newKey({ expires_at: timestamp(NOW_MS - ms) }))];
    for (const old of expired) await apiKeyStore(memory).create(orgId, old, () => LIMIT, aLog);
    expect(await apiKeyStore(table()).create(orgId, key, () => 3, aLog)).toBe('created');
    expect((await idsOf(orgId)).sort()).toEqual([first.id, expired[0]?.id, key.id].sort());
    expect(await memory.get(apiKeyKey(String(expired[1]?.sha256)))).toBeUndefined();
  });

  test('revokes a key', async () => {
    const { orgId, first } = await newOrganisation();
    expect(await apiKeyStore(table()).revoke(orgId, first.id, anyKey, aLog)).toBe('revoked');
    expect(await idsOf(orgId)).toEqual([]);
    expect(await memory.get(apiKeyKey(first.sha256))).toBeUndefined();
  });
});

test('a table that goes on failing is an error, and neither makes nor revokes a key', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(tableWhere(() => Promise.reject(LOST)));
  await expect(store.create(orgId, newKey(), () => LIMIT, aLog)).rejects.toBe(LOST);
  await expect(store.revoke(orgId, first.id, anyKey, aLog)).rejects.toBe(LOST);
  expect(await idsOf(orgId)).toEqual([first.id]);
});

test('of many keys made at once as many come as there are free and expired places', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(memory);
  const present = [
    newKey({ expires_at: timestamp(NOW_MS - 1) }),
    newKey({ expires_at: timestamp(NOW_MS) }),
    newKey({ expires_at: timestamp(NOW_MS + 1) }),
  ];
  for (const key of present) await store.create(orgId, key, () => LIMIT, aLog);
  const made = Array.from({ length: 8 }, () => newKey());
  const outcomes = await Promise.all(made.map((key) => store.create(orgId, key, () => LIMIT, aLog)));
  const came = made.filter((_, nth) => outcomes[nth] === 'created').map(({ id }) => id);
  expect(came).toHaveLength(3);
  expect((await idsOf(orgId)).sort()).toEqual([first.id, present[2]?.id, ...came].sort());
  expect(await memory.query(apiKeyPointers(orgId))).toHaveLength(LIMIT);
});

test('of revocations at once that may not all be made, as many are made as may be', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(memory);
  const others = Array.from({ length: 4 }, () => newKey());
  for (const key of others) await store.create(orgId, key, () => LIMIT, aLog);
  const ids = [first.id, ...others.map(({ id }) => id)];
  const outcomes = await Promise.all(
    ids.map((id) => store.revoke(orgId, id, (_, keys) => keys.length > 1, aLog)),
  );
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(1);
  expect(await idsOf(orgId)).toEqual([ids[outcomes.indexOf('refused')]]);
});

test('a key that expired stays in the list for 30 days', async () => {
  const { orgId, first } = await newOrganisation();
  const dayMs = 86_400_000;
  const store = apiKeyStore(memory);
  const shown = newKey({ expires_at: timestamp(NOW_MS - 29 * dayMs) });
  const past = newKey({ expires_at: timestamp(NOW_MS - 31 * dayMs) });
  for (const key of [shown, past]) await store.create(orgId, key, () => LIMIT, aLog);
  expect((await idsOf(orgId)).sort()).toEqual([first.id, shown.id].sort());
});

test('a key is not made again by noting its use after it was revoked', async () => {
  const { orgId, first } = await newOrganisation();
  await apiKeyStore(memory).revoke(orgId, first.id, anyKey, aLog);
  const accounts = accountStore(memory, () => NOW_MS);
  await accounts.touchKey(first.sha256, timestamp(NOW_MS), timestamp(NOW_MS - 60_000));
  expect(await memory.get(apiKeyKey(first.sha256))).toBeUndefined();
});

test('of uses noted at once by functions that know nothing of each other, one is written a minute', async () => {
  const { orgId, first } = await newOrganisation();
  let written = 0;
  const update: Table['update'] = async (request) => {
    const answer = await memory.update(request);
    if (answer.updated) written++;
    return answer;
  };
  const accounts = accountStore(withOwn(memory, { update }), () => NOW_MS);
  const noteAt = (ms: number) => accounts.touchKey(first.sha256, timestamp(ms), timestamp(ms - 60_000));
  const lastUsed = async () => (await apiKeyStore(memory).list(orgId))[0]?.last_used_at;
  await Promise.all(Array.from({ length: 20 }, (_, nth) => noteAt(NOW_MS + nth)));
  expect(written).toBe(1);
  const notedMs = Date.parse(String(await lastUsed()));
  await noteAt(notedMs + 59_999);
  expect(await lastUsed()).toBe(timestamp(notedMs));
  await noteAt(notedMs + 60_000);
  expect(await lastUsed()).toBe(timestamp(notedMs + 60_000));
});
