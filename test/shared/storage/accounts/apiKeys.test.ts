import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiKey } from '../../../../shared/contracts/auth.ts';
import { newApiKey, sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { timestamp } from '../../../../shared/domain/time.ts';
import { accountStore } from '../../../../shared/storage/accounts/accounts.ts';
import { apiKeyStore } from '../../../../shared/storage/accounts/apiKeys.ts';
import { apiKeyKey, apiKeyPointers } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';

const NOW_MS = Date.parse('2026-05-05T10:00:00.500Z');
const LIMIT = 5;
const anyKey = (): boolean => true;

let own: OwnTable;
beforeAll(async () => {
  own = await startOwnTable(() => NOW_MS);
});
afterAll(() => own.stop());

async function newOrganisation() {
  const deps = { accounts: accountStore(own.table, () => NOW_MS), now: () => NOW_MS, newId: randomUUID };
  const { organisation, api_key } = await signUp(deps, { name: 'Keys' });
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
  sha256: sha256OfKey(newApiKey()),
  ...fields,
});

/** The engine, but for how its transactions go. */
const tableWhere = (transact: Table['transact']): Table => ({
  ...own.table,
  transact,
  get: (key) => own.table.get(key),
  getMany: (keys) => own.table.getMany(keys),
  query: (range, options) => own.table.query(range, options),
  backoff: own.table.backoff,
});

const LOST = new Error('TimeoutError after the write');

/** How a write that was made can look as if it had not been. */
const lostAnswers: readonly (readonly [how: string, table: () => Table])[] = [
  [
    'whose answer never came',
    () => {
      let lost = false;
      return tableWhere(async (writes) => {
        const outcome = await own.table.transact(writes);
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
        await own.table.transact(writes);
        return own.table.transact(writes);
      }),
  ],
];

const idsOf = async (orgId: string): Promise<string[]> =>
  (await apiKeyStore(own.table).list(orgId)).map(({ id }) => id);

describe.each(lostAnswers)('a write %s', (_, table) => {
  test('makes one key', async () => {
    const { orgId, first } = await newOrganisation();
    const key = newKey();
    expect(await apiKeyStore(table()).create(orgId, key, LIMIT)).toBe('created');
    expect((await idsOf(orgId)).sort()).toEqual([first.id, key.id].sort());
  });

  test('makes the last key that there may be', async () => {
    const { orgId } = await newOrganisation();
    expect(await apiKeyStore(table()).create(orgId, newKey(), 2)).toBe('created');
    expect(await apiKeyStore(table()).create(orgId, newKey(), 2)).toBe('limit_reached');
  });

  test('makes a key in the place of one expired key and no more', async () => {
    const { orgId, first } = await newOrganisation();
    const [key, expired] = [newKey(), [1, 2].map((ms) => newKey({ expires_at: timestamp(NOW_MS - ms) }))];
    for (const old of expired) await apiKeyStore(own.table).create(orgId, old, LIMIT);
    expect(await apiKeyStore(table()).create(orgId, key, 3)).toBe('created');
    expect((await idsOf(orgId)).sort()).toEqual([first.id, expired[0]?.id, key.id].sort());
    expect(await own.table.get(apiKeyKey(String(expired[1]?.sha256)))).toBeUndefined();
  });

  test('revokes a key', async () => {
    const { orgId, first } = await newOrganisation();
    expect(await apiKeyStore(table()).revoke(orgId, first.id, anyKey)).toBe('revoked');
    expect(await idsOf(orgId)).toEqual([]);
    expect(await own.table.get(apiKeyKey(first.sha256))).toBeUndefined();
  });
});

test('a table that goes on failing is an error, and neither makes nor revokes a key', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(tableWhere(() => Promise.reject(LOST)));
  await expect(store.create(orgId, newKey(), LIMIT)).rejects.toBe(LOST);
  await expect(store.revoke(orgId, first.id, anyKey)).rejects.toBe(LOST);
  expect(await idsOf(orgId)).toEqual([first.id]);
});

test('of many keys made at once as many come as there may be, each under its hash and its id', async () => {
  const { orgId } = await newOrganisation();
  const store = apiKeyStore(own.table);
  const outcomes = await Promise.all(Array.from({ length: 12 }, () => store.create(orgId, newKey(), LIMIT)));
  expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(LIMIT - 1);
  expect(outcomes.filter((outcome) => outcome === 'limit_reached')).toHaveLength(12 - LIMIT + 1);
  const pointers = await own.table.query(apiKeyPointers(orgId));
  const items = await own.table.getMany(pointers.map(({ sha256 }) => apiKeyKey(String(sha256))));
  expect(pointers).toHaveLength(LIMIT);
  expect(items.map((item) => `APIKEY#${item?.id}`)).toEqual(pointers.map(({ sk }) => sk));
});

test('of many keys made at once as many come as there are free and expired places', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(own.table);
  const present = [
    newKey({ expires_at: timestamp(NOW_MS - 1) }),
    newKey({ expires_at: timestamp(NOW_MS) }),
    newKey({ expires_at: timestamp(NOW_MS + 1) }),
  ];
  for (const key of present) await store.create(orgId, key, LIMIT);
  const made = Array.from({ length: 8 }, () => newKey());
  const outcomes = await Promise.all(made.map((key) => store.create(orgId, key, LIMIT)));
  const came = made.filter((_, nth) => outcomes[nth] === 'created').map(({ id }) => id);
  expect(came).toHaveLength(3);
  expect((await idsOf(orgId)).sort()).toEqual([first.id, present[2]?.id, ...came].sort());
  expect(await own.table.query(apiKeyPointers(orgId))).toHaveLength(LIMIT);
});

test('of revocations at once that may not all be made, as many are made as may be', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(own.table);
  const others = Array.from({ length: 4 }, () => newKey());
  for (const key of others) await store.create(orgId, key, LIMIT);
  const ids = [first.id, ...others.map(({ id }) => id)];
  const outcomes = await Promise.all(ids.map((id) => store.revoke(orgId, id, (_, keys) => keys.length > 1)));
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(1);
  expect(await idsOf(orgId)).toEqual([ids[outcomes.indexOf('refused')]]);
});

test('a key that expired stays in the list for 30 days', async () => {
  const { orgId, first } = await newOrganisation();
  const dayMs = 86_400_000;
  const store = apiKeyStore(own.table);
  const shown = newKey({ expires_at: timestamp(NOW_MS - 29 * dayMs) });
  const past = newKey({ expires_at: timestamp(NOW_MS - 31 * dayMs) });
  for (const key of [shown, past]) await store.create(orgId, key, LIMIT);
  expect((await idsOf(orgId)).sort()).toEqual([first.id, shown.id].sort());
});
