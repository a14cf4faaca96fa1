import type { PageQuery } from '../../contracts/base/common.ts';
import type { ProviderValue } from '../../contracts/base/providers.ts';
import type { ByokKey } from '../../contracts/credentials/byokKeys.ts';
import { mayUse, organisationOf, requireScope } from '../access.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { notFound } from '../errors.ts';
import { limitRefusal } from '../limits.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import type { ProjectReader } from '../suites/ports.ts';
import type { ProjectHead } from '../suites/stored.ts';
import { MINUTE_MS, timestamp } from '../time.ts';
import type { ByokKeyStore, KeyContext, KeyUser, SealedKey, Vault } from './ports.ts';
import { canonicalProvider } from './providers.ts';
import { Secret } from './secret.ts';

interface Stored {
  readonly byokKeys: ByokKeyStore;
}

interface OfProjects extends Stored {
  readonly projects: ProjectReader;
}

interface NewKey {
  readonly provider: ProviderValue;
  readonly key: string;
  readonly name: string | null;
  readonly is_default: boolean;
  readonly project?: string | undefined;
}

const PREFIX_CHARACTERS = 8;
const WHAT = 'BYOK key';

/** At most half of a short key is shown. */
const prefixOf = (rawKey: string): string =>
  rawKey.slice(0, Math.min(PREFIX_CHARACTERS, Math.floor(rawKey.length / 2)));

const contextOf = (key: Pick<ByokKey, 'id' | 'org_id' | 'project_id' | 'provider'>): KeyContext => ({
  org: key.org_id,
  provider: canonicalProvider(key.provider),
  keyId: key.id,
  ...(key.project_id !== null && { project: key.project_id }),
});

export async function createByokKey(
  deps: Ambient & OfProjects & { vault: Pick<Vault, 'encrypt'> },
  principal: Principal,
  { provider, key: rawKey, name, is_default, project: slug }: NewKey,
): Promise<ByokKey> {
  const project = await placeOf(deps, principal, slug);
  const key: ByokKey = {
    id: deps.newId(),
    org_id: principal.orgId,
    project_id: project?.id ?? null,
    provider,
    name,
    key_prefix: prefixOf(rawKey),
    is_default,
    last_used_at: null,
    created_at: timestamp(deps.now()),
  };
  const ciphertext = await deps.vault.encrypt(new Secret(rawKey), contextOf(key));
  const log = logged(principal, deps.now(), keyLog(key, 'created'));
  const outcome = await deps.byokKeys.create(key, ciphertext, log, project);
  if (outcome !== 'created') throw limitRefusal(outcome, project ? 'projectByokKeys' : 'byokKeys');
  return key;
}

/** The project that is named, if the credential may manage it; else the organisation. */
async function placeOf(
  deps: OfProjects,
  principal: Principal,
  slug: string | undefined,
): Promise<ProjectHead | undefined> {
  if (slug !== undefined) return liveProjectHead(deps, principal, slug, 'full');
  organisationOf(principal, WHAT);
  return undefined;
}

const keyLog = (key: ByokKey, action: 'created' | 'revoked') => ({
  projectId: key.project_id,
  action,
  target: { type: 'byok_key', id: key.id, name: key.name ?? key.provider } as const,
  changes: fieldsOf(['provider', 'is_default'], key, action === 'created' ? 'made' : 'ended'),
});

export async function listByokKeys(
  deps: OfProjects,
  principal: Principal,
  { project: slug, ...query }: PageQuery & { readonly project?: string | undefined },
): Promise<Page<ByokKey>> {
  const project = await placeOf(deps, principal, slug);
  return deps.byokKeys.page(principal.orgId, project?.id ?? null, query);
}

/** A credential that is bound to a project finds the keys of that one only. */
export async function findByokKey(
  { byokKeys }: Stored,
  principal: Principal,
  keyId: string,
): Promise<ByokKey> {
  const key = await byokKeys.find(principal.orgId, keyId);
  const isOpen =
    key !== undefined &&
    (key.project_id === null ? principal.projectId === null : mayUse(principal, key.project_id));
  if (!isOpen) throw notFound(WHAT);
  requireScope(principal);
  return key;
}

export async function deleteByokKey(
  { byokKeys, now }: Stored & Pick<Ambient, 'now'>,
  principal: Principal,
  keyId: string,
): Promise<void> {
  const key = await findByokKey({ byokKeys }, principal, keyId);
  if (!(await byokKeys.revoke(key, logged(principal, now(), keyLog(key, 'revoked'))))) throw notFound(WHAT);
}

/**
 * The key that a judge of this provider uses: the project's default or newest key; where it has none, the organisation's.
 * Undefined without a key.
 */
export async function resolveKey(
  { byokKeys }: Stored,
  user: KeyUser,
  provider: ProviderValue,
): Promise<SealedKey | undefined> {
  return byokKeys.ofProvider(user, canonicalProvider(provider));
}

/** For the evaluator only. A `VaultError` when the key cannot be opened. */
export async function openKey({ vault }: { vault: Pick<Vault, 'decrypt'> }, key: SealedKey): Promise<Secret> {
  return vault.decrypt(key.ciphertext, contextOf(key));
}

export async function recordUse(
  { byokKeys, now }: Stored & Pick<Ambient, 'now'>,
  { org_id, id, last_used_at }: SealedKey,
): Promise<void> {
  const [usedAt, notAfter] = [timestamp(now()), timestamp(now() - MINUTE_MS)];
  if (last_used_at === null || last_used_at <= notAfter) await byokKeys.touch(org_id, id, usedAt, notAfter);
}
