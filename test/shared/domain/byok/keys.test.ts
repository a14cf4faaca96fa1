import { randomBytes, randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { beforeEach, expect, test } from '@jest/globals';
import type { ProviderValue } from '../../../../shared/contracts/base/providers.ts';
import {
  createByokKey,
  deleteByokKey,
  listByokKeys,
  openKey,
  recordUse,
  resolveKey,
} from '../../../../shared/domain/byok/keys.ts';
import { VaultError } from '../../../../shared/domain/byok/ports.ts';
import { Secret } from '../../../../shared/domain/byok/secret.ts';
import type { Principal } from '../../../../shared/domain/principal.ts';
import { byokKeyStore } from '../../../../shared/storage/accounts/byokKeys.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { localVault } from '../../../../shared/vault/localVault.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { principalOf } from '../../storage/stored.ts';

const vault = localVault(randomBytes(32));
let clock = Date.UTC(2026, 4, 1);
const memory = new MemoryTable(() => clock);

const depsOf = () => ({
  byokKeys: byokKeyStore(memory),
  projects: projectStore(memory),
  vault,
  now: () => clock,
  newId: randomUUID,
});
let deps: ReturnType<typeof depsOf>;
let me: Principal;
beforeEach(() => {
  deps = depsOf();
  me = principalOf(randomUUID());
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
const opened = async (keyId: string, orgId = me.orgId) => {
  const sealed = await deps.byokKeys.sealed(orgId, keyId);
  return sealed && openKey(deps, sealed);
};
const open = async (...of: Parameters<typeof opened>) => (await opened(...of))?.reveal();
const resolved = async (provider: ProviderValue, projectId: string = randomUUID()) =>
  (await resolveKey(deps, { orgId: me.orgId, projectId }, provider))?.id;

test('without a default the newest key of the provider is used, with one the default', async () => {
  expect(await resolved('openai')).toBeUndefined();
  const oldest = await add();
  const newest = await add();
  for (let others = 0; others < 25; others++) await add({ provider: 'anthropic' });
  expect(await resolved('openai')).toBe(newest.id);
  const chosen = await add({ is_default: true });
  await add();
  expect(await resolved('openai')).toBe(chosen.id);
  expect(await resolved('google')).toBeUndefined();
  await deleteByokKey(deps, me, chosen.id);
  expect([undefined, oldest.id, newest.id, chosen.id]).not.toContain(await resolved('openai'));
});

test('both names of a provider resolve to the same key', async () => {
  const key = await add({ provider: 'provider_a_cloud' });
  expect(await resolved('azure_openai')).toBe(key.id);
  const preferred = await add({ provider: 'azure_openai', is_default: true });
  expect(await resolved('provider_a_cloud')).toBe(preferred.id);
  expect(await resolved('provider_a')).toBeUndefined();
});

test('revoking the last key of a provider leaves none to use', async () => {
  const key = await add({ is_default: true });
  await deleteByokKey(deps, me, key.id);
  expect(await resolved('openai')).toBeUndefined();
  expect(await open(key.id)).toBeUndefined();
});

test('a pointer to a key that is gone counts as no default', async () => {
  const key = await add({ is_default: true });
  const other = await add();
  await memory.put({ pk: `ORG#${me.orgId}`, sk: 'BYOKDEFAULT#openai', key_id: randomUUID() });
  expect(await resolved('openai')).toBe(other.id);
  await deleteByokKey(deps, me, key.id);
  expect((await listByokKeys(deps, me, { page: 1, pageSize: 20 })).items).toEqual([other]);
});

test('a key opens for its own organisation only, and does not show itself', async () => {
  const key = await add({ key: 'sk-live-secret-part' });
  expect(await open(key.id)).toBe('sk-live-secret-part');
  expect(await open(key.id, randomUUID())).toBeUndefined();
  expect(await open(randomUUID())).toBeUndefined();
  const secret = await opened(key.id);
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
  const item = memory.items().find(({ sk }) => sk === `BYOKKEY#${key.id}`);
  const { org_id, id, ...rest } = { ...item, org_id: key.org_id, id: key.id, ...changeOf() };
  await memory.put({ ...rest, org_id, id, pk: `ORG#${org_id}`, sk: `BYOKKEY#${id}` });
  await expect(open(id, org_id)).rejects.toBeInstanceOf(VaultError);
});

test('the time of last use is kept to the minute, only moves forward, and is deleted with the key', async () => {
  const key = await add();
  const lastUsed = async () => (await deps.byokKeys.find(me.orgId, key.id))?.last_used_at;
  const sealed = async () => {
    const found = await deps.byokKeys.sealed(me.orgId, key.id);
    if (found === undefined) throw new Error('the key is not there');
    return found;
  };
  expect(await lastUsed()).toBeNull();
  // Those that come together have all read that it was never used.
  const unused = await sealed();
  await Promise.all([recordUse(deps, unused), recordUse(deps, unused)]);
  expect(await lastUsed()).toBe('2026-05-01T00:00:00.000Z');
  for (const [passedMs, noted] of [
    [59_999, '00:00:00.000'],
    [1, '00:01:00.000'],
    [-1_000, '00:01:00.000'],
    [90_000, '00:02:29.000'],
  ] as const) {
    clock += passedMs;
    await recordUse(deps, await sealed());
    expect(await lastUsed()).toBe(`2026-05-01T${noted}Z`);
    // What is read as never used may have been noted since.
    await recordUse(deps, unused);
    expect(await lastUsed()).toBe(`2026-05-01T${noted}Z`);
  }
  const before = await sealed();
  await deleteByokKey(deps, me, key.id);
  clock += 300_000;
  await recordUse(deps, before);
  await recordUse(deps, { ...before, id: randomUUID() });
  expect(await lastUsed()).toBeUndefined();
  const left = memory.items().find(({ sk }) => sk === `BYOKKEY#${key.id}`);
  expect(left).toMatchObject({ last_used_at: '2026-05-01T00:02:29.000Z', deleted_at: expect.any(String) });
});

test('a use within the minute writes nothing', async () => {
  const key = await add();
  const use = async () => {
    const found = await deps.byokKeys.sealed(me.orgId, key.id);
    if (found !== undefined) await recordUse(deps, found);
    return memory.items();
  };
  const once = await use();
  expect(await use()).toEqual(once);
});
