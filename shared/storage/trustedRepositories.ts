import { createHash, randomUUID } from 'node:crypto';
import { type TrustedRepository, trustedRepositorySchema } from '../contracts/trustedRepositories.ts';
import type { JobClaims } from '../domain/accounts/jobs.ts';
import type { TrustedRepositoryStore } from '../domain/accounts/trustedRepositories.ts';
import { timestamp } from '../domain/time.ts';
import { untilSettled } from './backoff.ts';
import { putNew, seconds } from './documents.ts';
import { organisationKey, spentTokenKey, TTL, trustedRepositories, trustedRepositoryKey } from './keys.ts';
import type { Table } from './table.ts';

/** DynamoDB's clock and ours may differ. */
const KEPT_AFTER_MS = 60_000;

export function trustedRepositoryStore(table: Table): TrustedRepositoryStore {
  const list = async (orgId: string): Promise<TrustedRepository[]> => {
    const items = await table.query(trustedRepositories(orgId));
    return items
      .map((item) => trustedRepositorySchema.parse(item))
      .toSorted((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? 1 : -1));
  };

  return {
    list,

    async create(orgId, registration, admit) {
      await untilSettled(async () => {
        const organisation = await table.get(organisationKey(orgId));
        const present = await list(orgId);
        if (present.some(({ id }) => id === registration.id)) return true;
        admit(present);
        const { committed } = await table.transact({
          registration: putNew(trustedRepositoryKey(orgId, registration.id), registration),
          // Whoever registers at the same moment looks again, so that no limit is passed.
          organisation: nextVersion(readOrganisationItem(organisation)),
        });
        return committed || undefined;
      }, table.backoff);
    },

    delete: (orgId, id) =>
      table.delete(trustedRepositoryKey(orgId, id), {
        ConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': id },
      }),

    async use(orgId, id, { repository, repositoryId, repositoryOwnerId }, at) {
      const { updated } = await table.update({
        Key: trustedRepositoryKey(orgId, id),
        UpdateExpression:
          'SET repository_id = :repository, repository_owner_id = :owner, #repository = :name, last_used_at = :at',
        ConditionExpression:
          'attribute_exists(pk) AND (repository_id = :null OR (repository_id = :repository AND repository_owner_id = :owner))',
        ExpressionAttributeNames: { '#repository': 'repository' },
        ExpressionAttributeValues: {
          ':repository': repositoryId,
          ':owner': repositoryOwnerId,
          ':name': repository,
          ':at': at,
          ':null': null,
        },
      });
      return updated;
    },

    spend: ({ tokenId, usableUntilMs }: JobClaims) =>
      table.putIfAbsent({
        ...spentTokenKey(createHash('sha256').update(tokenId).digest('hex')),
        [TTL]: seconds(timestamp(usableUntilMs + KEPT_AFTER_MS)),
      }),
  };
}
