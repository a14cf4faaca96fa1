import type { ApiKey, PlanId } from '../../contracts/auth.ts';
import type { ApiKeyStore } from '../../domain/accounts/ports.ts';
import { logWrite } from '../lists/changeLog.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { apiKeyKey, apiKeyPointerKey, apiKeyPointers, organisationKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { apiKeyOf, KEYS_WITH_PLAN_MAX, putApiKey, WITHOUT_PLAN } from './apiKeyItems.ts';
import { nextVersion, type OrganisationItem, readOrganisationItem } from './organisationItems.ts';

interface Keys {
  readonly organisation: OrganisationItem;
  readonly keys: readonly (ApiKey & { readonly sha256: string; readonly holdsPlan: boolean })[];
}

/** At one version of the organisation: every writer that adds or revokes a key makes the next one. */
async function keysOf(table: Table, orgId: string): Promise<Keys | undefined> {
  const organisation = await table.get(organisationKey(orgId));
  if (organisation === undefined) return undefined;
  const pointers = await table.query(apiKeyPointers(orgId));
  const pointed = pointers.map((pointer) => ({
    sha256: String(pointer.sha256),
    holdsPlan: pointer[WITHOUT_PLAN] === undefined,
  }));
  const items = await table.getMany(pointed.map(({ sha256 }) => apiKeyKey(sha256)));
  const keys = pointed.flatMap((pointer, index) => {
    const item = items[index];
    return item === undefined ? [] : [{ ...apiKeyOf(item, pointers[index] ?? {}), ...pointer }];
  });
  return { organisation: readOrganisationItem(organisation), keys };
}

const existing = { ConditionExpression: 'attribute_exists(pk)' };

const deletionOf = (orgId: string, { id, sha256 }: { id: string; sha256: string }) => ({
  endedKey: { Delete: { Key: apiKeyKey(sha256), ...existing } },
  endedPointer: { Delete: { Key: apiKeyPointerKey(orgId, id), ...existing } },
});

type Writer = (writes: Record<string, Write>) => Promise<boolean>;

/** A failed write may have been made: the keys are read again to find out. A second failure is an error. */
function writer(table: Table): Writer {
  let failures = 0;
  return async (writes) => {
    try {
      return (await table.transact(writes)).committed;
    } catch (error) {
      if (++failures > 1) throw error;
      return false;
    }
  };
}

interface Revocation {
  readonly orgId: string;
  readonly keyId: string;
  readonly mayRevoke: (key: ApiKey, keys: readonly ApiKey[]) => boolean;
  readonly log: Write;
}

/** Undefined when the keys changed meanwhile, or the answer got lost. */
async function revokeOnce(table: Table, write: Writer, { orgId, keyId, mayRevoke, log }: Revocation) {
  const current = await keysOf(table, orgId);
  const key = current?.keys.find(({ id }) => id === keyId);
  if (current === undefined || key === undefined) return 'gone';
  if (!mayRevoke(key, current.keys)) return 'refused';
  const revoked = await write({
    organisation: nextVersion(current.organisation),
    ...deletionOf(orgId, key),
    log,
  });
  return revoked ? 'revoked' : undefined;
}

interface Creation {
  readonly orgId: string;
  readonly key: ApiKey & { readonly sha256: string };
  readonly limitOf: (plan: PlanId) => number;
  readonly log: Write;
}

/** Undefined when the keys changed meanwhile, or the answer got lost. */
async function createOnce(table: Table, write: Writer, { orgId, key, limitOf, log }: Creation) {
  const current = await keysOf(table, orgId);
  if (current === undefined) return 'organisation_gone';
  const { organisation, keys } = current;
  // Begun since the request was let in: a key would not know of it.
  if (organisation.deletes_at !== undefined) return 'organisation_gone';
  if (keys.some(({ id }) => id === key.id)) return 'created';
  const limit = limitOf(organisation.plan);
  const replaced = keys.length === limit ? firstExpired(keys, key.created_at) : undefined;
  if (keys.length >= limit && replaced === undefined) return 'limit_reached';
  const withPlan = keys.filter((other) => other.holdsPlan && other !== replaced).length;
  const created = await write({
    organisation: nextVersion(organisation),
    ...putApiKey(organisation, key, withPlan < KEYS_WITH_PLAN_MAX),
    ...(replaced && deletionOf(orgId, replaced)),
    log,
  });
  return created ? 'created' : undefined;
}

function firstExpired(keys: Keys['keys'], time: string): Keys['keys'][number] | undefined {
  const endOf = ({ expires_at }: ApiKey): string => expires_at ?? '9999';
  const [first] = keys.toSorted((a, b) => (endOf(a) < endOf(b) ? -1 : 1));
  return first !== undefined && endOf(first) <= time ? first : undefined;
}

export function apiKeyStore(table: Table): ApiKeyStore {
  return {
    create(orgId, key, limitOf, change) {
      const write = writer(table);
      const log = logWrite(orgId, change);
      return retryOnConflict(() => createOnce(table, write, { orgId, key, limitOf, log }), table.backoff);
    },

    async list(orgId) {
      const current = await keysOf(table, orgId);
      const newestFirst = (a: ApiKey, b: ApiKey): number =>
        a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1;
      return (current?.keys ?? []).map(({ sha256: _, holdsPlan: __, ...key }) => key).toSorted(newestFirst);
    },

    async revoke(orgId, keyId, mayRevoke, change) {
      const write = writer(table);
      const log = logWrite(orgId, change);
      let attempted = false;
      const outcome = await retryOnConflict(async () => {
        const step = await revokeOnce(table, write, { orgId, keyId, mayRevoke, log });
        attempted ||= step === undefined;
        return step;
      }, table.backoff);
      // Gone since the first try: that try revoked it and its answer got lost, or another request did.
      return outcome === 'gone' && attempted ? 'revoked' : outcome;
    },

    async endSessions(orgId, keyId, untilMs) {
      await table.update({
        Key: apiKeyPointerKey(orgId, keyId),
        UpdateExpression: 'SET sessions_valid_after = :until',
        // A key that was revoked meanwhile has no sessions.
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(sessions_valid_after) OR sessions_valid_after < :until)',
        ExpressionAttributeValues: { ':until': untilMs },
      });
    },
  };
}
