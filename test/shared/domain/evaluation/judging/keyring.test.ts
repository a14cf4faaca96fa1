import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { createByokKey, deleteByokKey } from '../../../../../shared/domain/byok/keys.ts';
import {
  createKeyring,
  type Keyring,
  type OpenKey,
} from '../../../../../shared/domain/evaluation/judging/keyring.ts';
import type { Principal } from '../../../../../shared/domain/principal.ts';
import { byokKeyStore } from '../../../../../shared/storage/accounts/byokKeys.ts';
import { projectReader } from '../../../../../shared/storage/suites/readers/projectReader.ts';
import type { Table } from '../../../../../shared/storage/table/table.ts';
import { localVault } from '../../../../../shared/vault/localVault.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { withOwn } from '../../../storage/contended.ts';

const vault = localVault(randomBytes(32));
const memory = new MemoryTable(Date.now);
let me: Principal;
beforeEach(() => {
  me = { orgId: randomUUID(), projectId: null, scope: 'full' } as Principal;
});

const depsOn = (table: Table) => ({
  byokKeys: byokKeyStore(table),
  projects: projectReader(table),
  vault,
  now: Date.now,
  newId: randomUUID,
});

const add = async (key: string, is_default = false) =>
  (await createByokKey(depsOn(memory), me, { provider: 'openai', key, name: null, is_default })).id;
const revoke = (id: string) => deleteByokKey(depsOn(memory), me, id);

const user = () => ({ orgId: me.orgId, projectId: randomUUID() });

function openedBy(key: Awaited<ReturnType<Keyring>>): OpenKey | undefined {
  if (key && 'kind' in key) throw new Error(key.reason);
  return key;
}

/** The key that a judge opens when this happens between its knowing of a key, by default or list, and its reading it. */
async function openedAfter(read: 'the default' | 'the list', act: () => Promise<unknown>) {
  let isDone = false;
  const afterwards = async <T>(isIt: boolean, answer: Promise<T>): Promise<T> => {
    const found = await answer;
    if (!isIt || isDone) return found;
    isDone = true;
    await act();
    return found;
  };
  const table = withOwn(memory, {
    get: (key) =>
      afterwards(key.sk === (read === 'the list' ? 'LIST#BYOKKEYS' : 'BYOKDEFAULT#openai'), memory.get(key)),
  });
  const key = openedBy(await createKeyring(depsOn(table), user())('openai'));
  expect(isDone).toBe(true);
  return key?.secret.reveal();
}

const FIRST = 'sk-first-0123456789';
const SECOND = 'sk-second-0123456789';
const THIRD = 'sk-third-0123456789';

test.each([
  ['the default', true],
  ['the list', false],
] as const)(
  'a key that is revoked between being found through %s and being read gives way to the one that is left',
  async (read, isDefault) => {
    await add(FIRST);
    const second = await add(SECOND, isDefault);
    expect(await openedAfter(read, () => revoke(second))).toBe(FIRST);
  },
);

test.each([
  ['the default', true],
  ['the list', false],
] as const)(
  'the last key that is revoked between being found through %s and being read is missing, or gives way to its successor',
  async (read, isDefault) => {
    const first = await add(FIRST, isDefault);
    expect(await openedAfter(read, () => revoke(first))).toBeUndefined();
    const second = await add(SECOND, isDefault);
    const replace = () => revoke(second).then(() => add(THIRD));
    expect(await openedAfter(read, replace)).toBe(THIRD);
  },
);

test('a revoked key is noticed 5 seconds later at the latest, and the keyring then opens the one that is left', async () => {
  let nowMs = Date.now();
  await add(FIRST);
  const second = await add(SECOND);
  const keyring = createKeyring({ ...depsOn(memory), now: () => nowMs }, user());
  const opened = openedBy(await keyring('openai'));
  expect(opened?.secret.reveal()).toBe(SECOND);
  nowMs += 6_000;
  expect(await opened?.isRevoked()).toBe(false);
  await revoke(second);
  nowMs += 5_001;
  expect(await opened?.isRevoked()).toBe(true);
  expect(openedBy(await keyring('openai'))?.secret.reveal()).toBe(FIRST);
});
