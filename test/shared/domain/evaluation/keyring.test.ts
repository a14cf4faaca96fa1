import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createByokKey, deleteByokKey } from '../../../../shared/domain/byok/keys.ts';
import type { ByokKeyStore } from '../../../../shared/domain/byok/ports.ts';
import { createKeyring } from '../../../../shared/domain/evaluation/judgeCase.ts';
import type { Principal } from '../../../../shared/domain/ports.ts';
import { byokKeyStore } from '../../../../shared/storage/byokKeys.ts';
import { localVault } from '../../../../shared/vault/localVault.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';

let own: OwnTable;
beforeAll(async () => {
  own = await startOwnTable();
});
afterAll(() => own.stop());

/** An organisation whose keys are each revoked at the moment at which a judge found it, so many of them. */
async function revokingOnFinding(revocations: number, keys: readonly string[]) {
  const byokKeys = byokKeyStore(own.table);
  const deps = { byokKeys, vault: localVault(randomBytes(32)), now: Date.now, newId: randomUUID };
  const me = { orgId: randomUUID(), projectId: null, scope: 'full' } as Principal;
  for (const key of keys) {
    await createByokKey(deps, me, { provider: 'openai', key, name: null, is_default: false });
  }
  let left = revocations;
  const ofProvider: ByokKeyStore['ofProvider'] = async (...asked) => {
    const found = await byokKeys.ofProvider(...asked);
    if (found !== undefined && left-- > 0) await deleteByokKey(deps, me, found.id);
    return found;
  };
  return createKeyring({ ...deps, byokKeys: { ...byokKeys, ofProvider } }, me.orgId);
}

const KEYS = ['sk-first-0123456789', 'sk-second-0123456789'];

test.each([
  ['gives way to the one that is left', 1, KEYS, 'sk-first-0123456789'],
  ['is missing when it was the last', 1, KEYS.slice(1), undefined],
])(
  'a key that is revoked between being found and being opened %s',
  async (_what, revocations, keys, opened) => {
    const keyring = await revokingOnFinding(revocations, keys);
    expect((await keyring('openai'))?.reveal()).toBe(opened);
  },
);
