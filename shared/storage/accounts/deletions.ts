import type { DeletionStore } from '../../domain/accounts/ports.ts';
import { logWrite } from '../lists/changeLog.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { chunksOf } from '../table/batches.ts';
import { apiKeyKey, apiKeyPointers, organisationKey, purgeKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { nextVersion, type OrganisationItem, readOrganisationItem } from './organisationItems.ts';

const KEYS_AT_ONCE = 20;

/**
 * The purge is due at once: it copies to all keys what the organisation has, where the request died before it had. The
 * version distinguishes a deletion from one that was begun after it was taken back.
 */
const purgeDue = ({ id, version }: OrganisationItem): Write => ({
  Put: {
    Item: {
      ...purgeKey(id, 'organisation', id),
      org_id: id,
      kind: 'organisation',
      id,
      version: version + 1,
      next_at: 0,
    },
  },
});

export function deletionStore(table: Table): DeletionStore {
  /** Undefined once its deletion can't be taken back, too. */
  const find = async (orgId: string): Promise<OrganisationItem | undefined> => {
    const item = await table.get(organisationKey(orgId));
    return item === undefined || item.closed_at !== undefined ? undefined : readOrganisationItem(item);
  };

  return {
    async begin(orgId, deletesAt, change) {
      const log = logWrite(orgId, change);
      const begun = await retryOnConflict(async () => {
        const organisation = await find(orgId);
        if (organisation === undefined) return null;
        if (organisation.deletes_at !== undefined) return organisation.deletes_at;
        const { committed } = await table.transact({
          organisation: nextVersion(organisation, ', deletes_at = :at', { ':at': deletesAt }),
          purge: purgeDue(organisation),
          log,
        });
        return committed ? deletesAt : undefined;
      }, table.backoff);
      if (begun === null) return undefined;
      await markKeys(table, orgId, begun);
      return begun;
    },

    async takeBack(orgId, change) {
      const log = logWrite(orgId, change);
      const isBack = await retryOnConflict(async () => {
        const organisation = await find(orgId);
        if (organisation === undefined) return false;
        if (organisation.deletes_at === undefined) return true;
        const { committed } = await table.transact({
          organisation: nextVersion(organisation, ' REMOVE deletes_at'),
          purge: purgeDue(organisation),
          log,
        });
        return committed || undefined;
      }, table.backoff);
      if (isBack) await markKeys(table, orgId, undefined);
      return isBack;
    },
  };
}

/** Says in each key of the organisation when that goes, so that a request with it reads nothing more. */
export async function markKeys(table: Table, orgId: string, deletesAt: string | undefined): Promise<void> {
  const pointers = await table.query(apiKeyPointers(orgId));
  const change =
    deletesAt === undefined
      ? { UpdateExpression: 'REMOVE deletes_at' }
      : { UpdateExpression: 'SET deletes_at = :at', ExpressionAttributeValues: { ':at': deletesAt } };
  for (const some of chunksOf(pointers, KEYS_AT_ONCE)) {
    const marked = some.map(({ sha256 }) =>
      table.update({
        Key: apiKeyKey(String(sha256)),
        ...change,
        // A key that was revoked meanwhile stays revoked.
        ConditionExpression: 'attribute_exists(pk)',
      }),
    );
    await Promise.all(marked);
  }
}
