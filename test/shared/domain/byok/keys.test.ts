import { randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import {
  createByokKey,
  decryptKey,
  deleteByokKey,
  listByokKeys,
  resolveKey,
  touchLastUsed,
} from '../../../../shared/domain/byok/keys.ts';
import { VaultError } from '../../../../shared/domain/byok/ports.ts';
import { Secret } from '../../../../shared/domain/byok/secret.ts';
import type { Principal } from '../../../../shared/domain/ports.ts';
import { byokKeyStore } from '../../../../shared/storage/byokKeys.ts';
import { localVault } from '../../../../shared/vault/localVault.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';
import { rawItems } from '../../../support/rawItems.ts';

const vault = localVault(randomBytes(32));
let own: OwnTable;
let clock = Date.UTC(2026, 4, 1);
beforeAll(async () => {
  own = await startOwnTable();
});
afterAll(() => own.stop());

const depsOf = () => ({
  byokKeys: byokKeyStore(own.table),
  vault,
  now: () => clock,
  newId: randomUUID,
});
let deps: ReturnType<typeof depsOf>;
let me: Principal;
beforeEach(() => {
  deps = depsOf();
  me = { orgId: randomUUID(), credential: { type: 'api_key', key_id: randomUUID() }, plan: 'free', retainedFrom: null, projectId: null, scope: 'full' };
});

type Given = Partial<Parameters<typeof createByokKey>[2]>;
const add = (given: Given = {}, by: Principal = me) =>
  createByokKey(deps, by, {
    provider: 'openai',
    key: 'sk-live-0123456789',
    name: null,
    is_default: false,
    ...given,
  });
const open = async (keyId: string, orgId = me.orgId) => (await decryptKey(deps, orgId, keyId))?.reveal();

test('without a default the newest key of the provider is used, with one the default', async () => {
  expect(await resolveKey(deps, me.orgId, 'openai')).toBeUndefined();
  const oldest = await add();
  const newest = await add();
  for (let others = 0; others < 25; others++) await add({ provider: 'anthropic' });
  expect(await resolveKey(deps, me.orgId, 'openai')).toEqual(newest);
  const chosen = await add({ is_default: true });
  await add();
  expect(await resolveKey(deps, me.orgId, 'openai')).toEqual(chosen);
  expect(await resolveKey(deps, me.orgId, 'google')).toBeUndefined();
  await deleteByokKey(deps, me, chosen.id);
  const left = await resolveKey(deps, me.orgId, 'openai');
  expect(left?.id).not.toBe(oldest.id);
  expect(left?.is_default).toBe(false);
});

test('both names of a provider resolve to the same key', async () => {
  const key = await add({ provider: 'provider_a_cloud' });
  expect(await resolveKey(deps, me.orgId, 'azure_openai')).toEqual(key);
  const preferred = await add({ provider: 'azure_openai', is_default: true });
  expect(await resolveKey(deps, me.orgId, 'provider_a_cloud')).toEqual(preferred);
  expect(await resolveKey(deps, me.orgId, 'provider_a')).toBeUndefined();
});

test('revoking the last key of a provider leaves none to use', async () => {
  const key = await add({ is_default: true });
  await deleteByokKey(deps, me, key.id);
  expect(await resolveKey(deps, me.orgId, 'openai')).toBeUndefined();
  expect(await open(key.id)).toBeUndefined();
});

test('a pointer to a key that is gone counts as no default', async () => {
  const key = await add({ is_default: true });
  const other = await add();
  await own.table.put({ pk: `ORG#${me.orgId}`, sk: 'BYOKDEFAULT#openai', key_id: randomUUID() });
  expect(await resolveKey(deps, me.orgId, 'openai')).toEqual(other);
  await deleteByokKey(deps, me, key.id);
  expect((await listByokKeys(deps, me, { page: 1, pageSize: 20 })).items).toEqual([other]);
});

test('a key opens for its own organisation only, and does not show itself', async () => {
  const key = await add({ key: 'sk-live-secret-part' });
  expect(await open(key.id)).toBe('sk-live-secret-part');
  expect(await open(key.id, randomUUID())).toBeUndefined();
  expect(await open(randomUUID())).toBeUndefined();
  const secret = await decryptKey(deps, me.orgId, key.id);
  expect(secret).toBeInstanceOf(Secret);
  const shown = [
    String(secret),
    `${secret}`,
    JSON.stringify({ secret }),
    inspect({ secret }, { depth: 9, showHidden: true }),
    JSON.stringify(structuredClone({ ...secret })),
    JSON.stringify(Object.getOwnPropertyNames(secret)),
  ];
  for (const text of shown) expect(text).not.toContain('secret-part');
  expect(shown.slice(0, 3)).toEqual(['[redacted]', '[redacted]', '{"secret":"[redacted]"}']);
});

test.each([
  ['organisation', () => ({ org_id: randomUUID() })],
  ['key', () => ({ id: randomUUID() })],
  ['provider', () => ({ provider: 'anthropic' })],
])('a ciphertext moved to another %s in the table does not open', async (_what, changeOf) => {
  const key = await add();
  const item = (await rawItems(own)).find(({ sk }) => sk === `BYOKKEY#${key.id}`);
  const { org_id, id, ...rest } = { ...item, org_id: key.org_id, id: key.id, ...changeOf() };
  await own.table.put({ ...rest, org_id, id, pk: `ORG#${org_id}`, sk: `BYOKKEY#${id}` });
  await expect(decryptKey(deps, org_id, id)).rejects.toBeInstanceOf(VaultError);
});

test('the time of the last use moves forward only, and dies with the key', async () => {
  const key = await add();
  const lastUsed = async () => (await deps.byokKeys.find(me.orgId, key.id))?.last_used_at;
  expect(await lastUsed()).toBeNull();
  await touchLastUsed(deps, me.orgId, key.id);
  expect(await lastUsed()).toBe('2026-05-01T00:00:00.000Z');
  clock += 1;
  await touchLastUsed(deps, me.orgId, key.id);
  clock -= 1_000;
  await touchLastUsed(deps, me.orgId, key.id);
  expect(await lastUsed()).toBe('2026-05-01T00:00:00.001Z');
  await deleteByokKey(deps, me, key.id);
  clock += 5_000;
  await touchLastUsed(deps, me.orgId, key.id);
  await touchLastUsed(deps, me.orgId, randomUUID());
  expect(await lastUsed()).toBeUndefined();
  const left = (await rawItems(own)).find(({ sk }) => sk === `BYOKKEY#${key.id}`);
  expect(left).toMatchObject({ last_used_at: '2026-05-01T00:00:00.001Z', deleted_at: expect.any(String) });
});
