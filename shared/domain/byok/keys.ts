import type { PageQuery } from '../../contracts/base/common.ts';
import type { ProviderValue } from '../../contracts/base/providers.ts';
import type { ByokKey } from '../../contracts/credentials/byokKeys.ts';
import { ofOrganisation, organisationOf } from '../access.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { notFound } from '../errors.ts';
import { limitRefusal } from '../limits.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { MINUTE_MS, timestamp } from '../time.ts';
import type { ByokKeyStore, KeyContext, SealedKey, Vault } from './ports.ts';
import { canonicalProvider } from './providers.ts';
import { Secret } from './secret.ts';

interface Stored {
  readonly byokKeys: ByokKeyStore;
}

interface NewKey {
  readonly provider: ProviderValue;
  readonly key: string;
  readonly name: string | null;
  readonly is_default: boolean;
}

const PREFIX_CHARACTERS = 8;
const WHAT = 'BYOK key';

/** At most half of a short key is shown. */
const prefixOf = (rawKey: string): string =>
  rawKey.slice(0, Math.min(PREFIX_CHARACTERS, Math.floor(rawKey.length / 2)));

const contextOf = (key: Pick<ByokKey, 'id' | 'org_id' | 'provider'>): KeyContext => ({
  org: key.org_id,
  provider: canonicalProvider(key.provider),
  keyId: key.id,
});

export async function createByokKey(
  deps: Ambient & Stored & { vault: Pick<Vault, 'encrypt'> },
  principal: Principal,
  { provider, key: rawKey, name, is_default }: NewKey,
): Promise<ByokKey> {
  const key: ByokKey = {
    id: deps.newId(),
    org_id: organisationOf(principal, WHAT),
    provider,
    name,
    key_prefix: prefixOf(rawKey),
    is_default,
    last_used_at: null,
    created_at: timestamp(deps.now()),
  };
  const ciphertext = await deps.vault.encrypt(new Secret(rawKey), contextOf(key));
  const log = logged(principal, deps.now(), keyLog(key, 'created'));
  const outcome = await deps.byokKeys.create(key, ciphertext, log);
  if (outcome === 'limit_reached') throw limitRefusal(outcome, 'byokKeys');
  return key;
}

const keyLog = (key: ByokKey, action: 'created' | 'revoked') => ({
  projectId: null,
  action,
  target: { type: 'byok_key', id: key.id, name: key.name ?? key.provider } as const,
  changes: fieldsOf(['provider', 'is_default'], key, action === 'created' ? 'made' : 'ended'),
});

export async function listByokKeys(
  { byokKeys }: Stored,
  principal: Principal,
  query: PageQuery,
): Promise<Page<ByokKey>> {
  return byokKeys.page(organisationOf(principal, WHAT), query);
}

export async function deleteByokKey(
  { byokKeys, now }: Stored & Pick<Ambient, 'now'>,
  principal: Principal,
  keyId: string,
): Promise<void> {
  const key = await ofOrganisation(principal, WHAT, (orgId) => byokKeys.find(orgId, keyId));
  if (!(await byokKeys.revoke(key, logged(principal, now(), keyLog(key, 'revoked'))))) throw notFound(WHAT);
}

/** The key that a judge of this provider uses: the default, or the newest key. Undefined without a key. */
export async function resolveKey(
  { byokKeys }: Stored,
  orgId: string,
  provider: ProviderValue,
): Promise<SealedKey | undefined> {
  return byokKeys.ofProvider(orgId, canonicalProvider(provider));
}

/** For the evaluator only. A `VaultError` when the key cannot be opened. */
export async function openKey({ vault }: { vault: Pick<Vault, 'decrypt'> }, key: SealedKey): Promise<Secret> {
  return vault.decrypt(key.ciphertext, contextOf(key));
}

export async function recordUse(
  { byokKeys, now }: Stored & Pick<Ambient, 'now'>,
  { org_id, id, last_used_at }: SealedKey,
): Promise<void> {
  const [at, notAfter] = [timestamp(now()), timestamp(now() - MINUTE_MS)];
  if (last_used_at === null || last_used_at <= notAfter) await byokKeys.touch(org_id, id, at, notAfter);
}
