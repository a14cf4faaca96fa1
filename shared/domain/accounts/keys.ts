import type { ApiKey, PlanId } from '../../contracts/auth.ts';
import type { PageQuery } from '../../contracts/base/common.ts';
import type { Scope } from '../../contracts/base/scopes.ts';
import { ofOrganisation, organisationOf } from '../access.ts';
import { fieldsOf, logged } from '../changes/log.ts';
import { AppError, invalidField, notFound } from '../errors.ts';
import { API_KEY_DAYS_MAX, PERSONS_KEY_DAYS_MAX } from '../limits.ts';
import { pageOf } from '../pageOf.ts';
import { API_KEYS_MAX, PLAN } from '../plans.ts';
import type { Ambient, Page } from '../ports.ts';
import type { Principal } from '../principal.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import type { ProjectStore } from '../suites/ports.ts';
import { DAY_MS, timestamp } from '../time.ts';
import { newApiKey, sha256OfKey, shownPrefix } from './apiKey.ts';
import type { ApiKeyStore } from './ports.ts';

const WHAT = 'API key';

interface Deps extends Ambient {
  readonly apiKeys: ApiKeyStore;
  readonly projects: ProjectStore;
}

interface NewKey {
  readonly name: string;
  readonly project?: string | undefined;
  readonly scope: Scope;
  readonly expires_at: string | null;
}

const apiKeysMax = (plan: PlanId): number => API_KEYS_MAX[plan];

/** Only this answer holds the key. */
export async function createApiKey(
  deps: Deps,
  principal: Principal,
  { name, project, scope, expires_at }: NewKey,
): Promise<ApiKey & { key: string }> {
  const orgId = organisationOf(principal, WHAT);
  requireApiKey(principal);
  const nowMs = deps.now();
  checkExpiry(expires_at, nowMs);
  if (principal.credential.type === 'person') checkKeyOfPerson({ scope, expires_at }, nowMs);
  const project_id = project === undefined ? null : (await liveProjectHead(deps, principal, project)).id;
  const key = newApiKey();
  const apiKey: ApiKey = {
    id: deps.newId(),
    name,
    key_prefix: shownPrefix(key),
    project_id,
    scope,
    expires_at,
    last_used_at: null,
    created_at: timestamp(nowMs),
    created_by: principal.credential,
  };
  const outcome = await deps.apiKeys.create(
    orgId,
    { ...apiKey, sha256: sha256OfKey(key) },
    apiKeysMax,
    logged(principal, nowMs, keyLog(apiKey, 'created')),
  );
  if (outcome === 'organisation_gone') throw notFound(WHAT);
  if (outcome === 'limit_reached') {
    throw invalidField(
      'name',
      `an organisation on the ${PLAN[principal.plan].name} plan has at most ${apiKeysMax(principal.plan)} API keys: revoke one first`,
    );
  }
  return { ...apiKey, key };
}

export const keyLog = (key: ApiKey, action: 'created' | 'revoked') => ({
  projectId: key.project_id,
  action,
  target: { type: 'api_key', id: key.id, name: key.name } as const,
  changes: fieldsOf(['scope', 'project_id', 'expires_at'], key, action === 'created' ? 'made' : 'ended'),
});

/**
 * A stolen token works for an hour. It must not create a credential that works longer. A session has given its key within
 * ten minutes: the contracts say so.
 */
export function requireApiKey({ credential, session }: Principal): void {
  if (session || credential.type === 'api_key') return;
  throw new AppError(
    'SCOPE_REQUIRED',
    'A token makes no API keys, trusts no repositories and deletes no organisation: send an API key of the organisation itself.',
  );
}

/** A key outlives its maker's leave: only the organisation's own keys have all rights, or no end. */
function checkKeyOfPerson({ scope, expires_at }: Pick<NewKey, 'scope' | 'expires_at'>, nowMs: number): void {
  if (scope === 'full')
    throw invalidField(
      'scope',
      'must not be "full" for a key that a person makes: sign in with an API key of that scope',
    );
  if (expires_at === null || Date.parse(expires_at) - nowMs > PERSONS_KEY_DAYS_MAX * DAY_MS)
    throw invalidField(
      'expires_at',
      `must be within ${PERSONS_KEY_DAYS_MAX} days for a key that a person makes`,
    );
}

function checkExpiry(expiresAt: string | null, nowMs: number): void {
  if (expiresAt === null) return;
  const inMs = Date.parse(expiresAt) - nowMs;
  if (inMs <= 0) throw invalidField('expires_at', 'must be in the future');
  if (inMs > API_KEY_DAYS_MAX * DAY_MS) {
    throw invalidField('expires_at', 'must be within ten years; leave it out for a key that does not expire');
  }
}

export async function listApiKeys(
  { apiKeys }: Pick<Deps, 'apiKeys'>,
  principal: Principal,
  query: PageQuery,
): Promise<Page<ApiKey>> {
  const keys = await apiKeys.list(organisationOf(principal, WHAT));
  return pageOf(keys, query);
}

/** Requests with the key, or with a token made for it, are refused at once. */
export async function revokeApiKey(
  { apiKeys, now }: Pick<Deps, 'apiKeys' | 'now'>,
  principal: Principal,
  keyId: string,
): Promise<void> {
  const revokedAt = timestamp(now());
  const opensAll = ({ scope, project_id, expires_at }: ApiKey): boolean =>
    scope === 'full' && project_id === null && (expires_at === null || expires_at > revokedAt);
  const lastsAsLong = (other: ApiKey, key: ApiKey): boolean =>
    other.expires_at === null || (key.expires_at !== null && other.expires_at >= key.expires_at);
  const find = async (orgId: string) => (await apiKeys.list(orgId)).find(({ id }) => id === keyId);
  const revoked = await ofOrganisation(principal, WHAT, find);
  const outcome = await apiKeys.revoke(
    principal.orgId,
    keyId,
    (key, keys) =>
      !opensAll(key) ||
      keys.some((other) => other.id !== key.id && opensAll(other) && lastsAsLong(other, key)),
    logged(principal, now(), keyLog(revoked, 'revoked')),
  );
  if (outcome === 'gone') throw notFound(WHAT);
  if (outcome === 'refused') {
    throw invalidField(
      'keyId',
      'is the last key with scope "full" and no project that is valid for so long: first create another one that expires no earlier',
    );
  }
}
