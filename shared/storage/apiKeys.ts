import type { ApiKey } from '../contracts/auth.ts';
import type { ApiKeyStore } from '../domain/accounts/ports.ts';
import { apiKeyOf, putApiKey, readApiKeyItem } from './apiKeyItems.ts';
import { untilSettled } from './backoff.ts';
import { apiKeyKey, apiKeyPointerKey, apiKeyPointers, organisationKey } from './keys.ts';
import { type OrganisationItem, readOrganisationItem } from './organisationItems.ts';
import type { Table, Write } from './table.ts';

interface Keys {
  readonly organisation: OrganisationItem;
  readonly keys: readonly (ApiKey & { readonly sha256: string })[];
}

/** All keys of an organisation as they were at one version of it: whoever adds or revokes one makes the next. */
async function keysOf(table: Table, orgId: string): Promise<Keys | undefined> {
  const organisation = await table.get(organisationKey(orgId));
  if (organisation === undefined) return undefined;
  const pointers = await table.query(apiKeyPointers(orgId));
  const hashes = pointers.map(({ sha256 }) => String(sha256));
  const items = await table.getMany(hashes.map(apiKeyKey));
  const keys = items.flatMap((item, index) =>
    item === undefined ? [] : [{ ...apiKeyOf(readApiKeyItem(item)), sha256: hashes[index] ?? '' }],
  );
  return { organisation: readOrganisationItem(organisation), keys };
}

/** Undefined when the key is gone. */
async function keyAmong(table: Table, orgId: string, keyId: string) {
  const current = await keysOf(table, orgId);
  const key = current?.keys.find(({ id }) => id === keyId);
  return current && key && { ...current, key };
}

const nextVersion = ({ id, version }: OrganisationItem): Write => ({
  Update: {
    Key: organisationKey(id),
    UpdateExpression: 'SET version = :next',
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':version': version, ':next': version + 1 },
  },
});

const existing = { ConditionExpression: 'attribute_exists(pk)' };

/** A write that fails may have been made, which shows when all is read again; one that fails twice has failed. */
function writer(table: Table): (writes: Record<string, Write>) => Promise<boolean> {
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

export function apiKeyStore(table: Table): ApiKeyStore {
  return {
    create(orgId, key, limit) {
      const write = writer(table);
      return untilSettled(async () => {
        const current = await keysOf(table, orgId);
        if (current === undefined) return 'organisation_gone';
        if (current.keys.some(({ id }) => id === key.id)) return 'created';
        if (current.keys.length >= limit) return 'limit_reached';
        const { organisation } = current;
        const writes = { organisation: nextVersion(organisation), ...putApiKey(organisation, key) };
        return (await write(writes)) ? 'created' : undefined;
      }, table.backoff);
    },

    async list(orgId) {
      const current = await keysOf(table, orgId);
      const newestFirst = (a: ApiKey, b: ApiKey): number =>
        a.created_at === b.created_at ? (a.id < b.id ? 1 : -1) : a.created_at < b.created_at ? 1 : -1;
      return (current?.keys ?? []).map(({ sha256: _, ...key }) => key).toSorted(newestFirst);
    },

    revoke(orgId, keyId, mayRevoke) {
      const write = writer(table);
      let wasThere = false;
      return untilSettled(async () => {
        const found = await keyAmong(table, orgId, keyId);
        // Gone since the last attempt: by that, its answer being lost, or by who asked for the same.
        if (found === undefined) return wasThere ? 'revoked' : 'gone';
        if (!mayRevoke(found.key, found.keys)) return 'refused';
        wasThere = true;
        const revoked = await write({
          organisation: nextVersion(found.organisation),
          apiKey: { Delete: { Key: apiKeyKey(found.key.sha256), ...existing } },
          pointer: { Delete: { Key: apiKeyPointerKey(orgId, keyId), ...existing } },
        });
        return revoked ? 'revoked' : undefined;
      }, table.backoff);
    },

    async touch(sha256, at, notAfter) {
      await table.update({
        Key: apiKeyKey(sha256),
        UpdateExpression: 'SET last_used_at = :at',
        ConditionExpression:
          'attribute_exists(pk) AND (attribute_not_exists(last_used_at) OR last_used_at <= :after)',
        ExpressionAttributeValues: { ':at': at, ':after': notAfter },
      });
    },
  };
}
