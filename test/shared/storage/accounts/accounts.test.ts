import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sha256OfKey } from '../../../../shared/domain/accounts/apiKey.ts';
import { signUp } from '../../../../shared/domain/accounts/signUp.ts';
import { timestamp } from '../../../../shared/domain/time.ts';
import { accountStore } from '../../../../shared/storage/accounts/accounts.ts';
import { apiKeyStore } from '../../../../shared/storage/accounts/apiKeys.ts';
import { apiKeyKey } from '../../../../shared/storage/table/keys.ts';
import { type EngineTable, startEngineTable } from '../../../support/ownService.ts';

const NOW_MS = Date.parse('2026-05-05T10:00:00.500Z');

let own: EngineTable;
beforeAll(async () => {
  own = await startEngineTable(() => NOW_MS);
});
afterAll(() => own.stop());

const accounts = () => accountStore(own.table, () => NOW_MS);

async function newOrganisation() {
  const deps = { accounts: accounts(), now: () => NOW_MS, newId: randomUUID };
  const { organisation, api_key } = await signUp(deps, { name: 'Keys' });
  return { orgId: organisation.id, first: { id: api_key.id, sha256: sha256OfKey(api_key.key) } };
}

test('a key is not made again by noting its use after it was revoked', async () => {
  const { orgId, first } = await newOrganisation();
  await apiKeyStore(own.table).revoke(orgId, first.id, () => true);
  await accounts().touchKey(first.sha256, timestamp(NOW_MS), timestamp(NOW_MS - 60_000));
  expect(await own.table.get(apiKeyKey(first.sha256))).toBeUndefined();
});

test('of uses noted at once by functions that know nothing of each other, one is written a minute', async () => {
  const { orgId, first } = await newOrganisation();
  const store = apiKeyStore(own.table);
  const noteAt = (ms: number) => accounts().touchKey(first.sha256, timestamp(ms), timestamp(ms - 60_000));
  const before = own.table.consumed().write;
  await Promise.all(Array.from({ length: 20 }, (_, nth) => noteAt(NOW_MS + nth)));
  expect(own.table.consumed().write - before).toBe(1);
  const [noted] = await store.list(orgId);
  const notedMs = Date.parse(String(noted?.last_used_at));
  await noteAt(notedMs + 59_999);
  expect((await store.list(orgId))[0]?.last_used_at).toBe(timestamp(notedMs));
  await noteAt(notedMs + 60_000);
  expect((await store.list(orgId))[0]?.last_used_at).toBe(timestamp(notedMs + 60_000));
});
