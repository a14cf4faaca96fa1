import type { OrganisationPurge, OrganisationPurgeStore } from '../../domain/purge/ports.ts';
import { markKeys } from '../accounts/deletions.ts';
import {
  apiKeyKey,
  apiKeyPointers,
  billingKey,
  customerKey,
  type Key,
  organisationKey,
  organisationPartition,
  PENDING_SHARDS,
  PK,
  pendingShard,
  placesOf,
  projectPartition,
  purgeKey,
  purgesOf,
  retentionDueKey,
  SK,
  subscriberKey,
  suitePartition,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { dropKeys, dropRange, everythingIn } from './drop.ts';

const dueKey = (orgId: string): Key => purgeKey(orgId, 'organisation', orgId);

const isSame = (version: number) => ({
  ConditionExpression: 'version = :version',
  ExpressionAttributeValues: { ':version': version },
});

export const organisationPurgeStore = (table: Table): OrganisationPurgeStore => ({
  markKeys: (orgId, deletesAt) => markKeys(table, orgId, deletesAt),

  async close(orgId, closedAt) {
    const { updated } = await table.update({
      Key: organisationKey(orgId),
      // A later version: what is taken back at the same moment reads again.
      UpdateExpression: 'SET closed_at = :at ADD version :one',
      ConditionExpression: 'attribute_exists(closed_at) OR deletes_at <= :at',
      ExpressionAttributeValues: { ':at': closedAt, ':one': 1 },
    });
    return updated;
  },

  async endAccess(orgId) {
    const pointers = await table.query(apiKeyPointers(orgId), { withExpired: true });
    await dropKeys(table, [
      ...pointers.map(({ sha256 }) => apiKeyKey(String(sha256))),
      // Last, since it says how far this has come. Without it no key is made, and no token counts.
      organisationKey(orgId),
    ]);
  },

  dropAll: (orgId, hasTime) => dropAll(table, orgId, hasTime),

  async save({ orgId, version, isClosed, nextAtMs }) {
    const { ConditionExpression, ExpressionAttributeValues } = isSame(version);
    await table.update({
      Key: dueKey(orgId),
      UpdateExpression: 'SET next_at = :next, is_closed = :closed',
      ConditionExpression,
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':next': nextAtMs, ':closed': isClosed },
    });
  },

  async finish({ orgId, version }: OrganisationPurge) {
    await table.delete(dueKey(orgId), isSame(version));
  },
});

/** What it is found by comes last. */
async function dropAll(table: Table, orgId: string, hasTime: () => boolean): Promise<boolean> {
  await dropPending(table, orgId);
  const [places, purges, billing] = await Promise.all([
    table.query(placesOf(orgId), { withExpired: true }),
    table.query(purgesOf(orgId), { withExpired: true }),
    table.get(billingKey(orgId)),
  ]);
  const ids = new Set([...places, ...purges].map(({ id }) => String(id)));
  for (const id of ids) {
    for (const partition of [suitePartition(orgId, id), projectPartition(orgId, id)])
      if (!(await dropRange(table, everythingIn(partition), { hasTime }))) return false;
  }
  const otherKeys = purges.map((item) => item as unknown as Key).filter(({ sk }) => sk !== dueKey(orgId).sk);
  const customer = billing?.customer_id;
  await dropKeys(table, [
    ...otherKeys,
    ...(typeof customer === 'string' ? [customerKey(customer)] : []),
    subscriberKey(orgId),
    retentionDueKey(orgId),
  ]);
  return dropRange(table, everythingIn(organisationPartition(orgId)), { hasTime });
}

const ownerOf = ({ [PK]: pk, [SK]: sk, org_id }: Item): Item => ({ [PK]: pk, [SK]: sk, org_id });

/** Runs that were pending when the organisation went. */
async function dropPending(table: Table, orgId: string): Promise<void> {
  for (let shard = 0; shard < PENDING_SHARDS; shard++) {
    const pending = await table.query(pendingShard(shard), { slim: ownerOf, withExpired: true });
    const ofOrganisation = pending.filter(({ org_id }) => org_id === orgId);
    await dropKeys(
      table,
      ofOrganisation.map((item) => item as unknown as Key),
    );
  }
}
