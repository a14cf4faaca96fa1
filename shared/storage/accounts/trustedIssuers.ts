import { randomUUID } from 'node:crypto';
import { type TrustedIssuer, trustedIssuerSchema } from '../../contracts/credentials/trustedIssuers.ts';
import type { IssuedToken, NamedRepository, TrustedIssuerStore } from '../../domain/accounts/ports.ts';
import { timestamp } from '../../domain/time.ts';
import { logWrite } from '../lists/changeLog.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { putNew, seconds } from '../table/documents.ts';
import { organisationKey, spentTokenKey, TTL, trustedIssuerKey, trustedIssuers } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { nextVersion, readOrganisationItem } from './organisationItems.ts';

/** DynamoDB's clock and ours may differ. */
const KEPT_AFTER_MS = 60_000;

export function trustedIssuerStore(table: Table): TrustedIssuerStore {
  const list = async (orgId: string): Promise<TrustedIssuer[]> => {
    const items = await table.query(trustedIssuers(orgId));
    return items
      .map((item) => trustedIssuerSchema.parse(item))
      .toSorted((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? 1 : -1));
  };

  return {
    list,

    async create(orgId, registration, admit, change) {
      const log = logWrite(orgId, change);
      await retryOnConflict(async () => {
        const organisation = readOrganisationItem((await table.get(organisationKey(orgId))) ?? {});
        const present = await list(orgId);
        if (present.some(({ id }) => id === registration.id)) return true;
        await admit(present);
        const { committed } = await table.transact({
          registration: putNew(trustedIssuerKey(orgId, registration.id), registration),
          // Of several registrations at the same moment one is stored, and the others read again: the limit holds.
          organisation: nextVersion(organisation),
          log,
        });
        return committed || undefined;
      }, table.backoff);
    },

    async delete(orgId, id, change) {
      const gone = { Key: trustedIssuerKey(orgId, id), ConditionExpression: 'attribute_exists(pk)' };
      const log = logWrite(orgId, change);
      return (await table.transact({ registration: { Delete: gone }, log })).committed;
    },

    async bind(orgId, id, job) {
      const { updated } = await table.update({
        Key: trustedIssuerKey(orgId, id),
        UpdateExpression: 'SET repository_id = :repository, repository_owner_id = :owner',
        ConditionExpression: `repository_id = :null OR (${IS_BOUND})`,
        ExpressionAttributeValues: { ...idsOf(job), ':null': null },
      });
      return updated;
    },

    async recordUse(orgId, id, { at: usedAt, repository }) {
      const Key = trustedIssuerKey(orgId, id);
      if (repository === undefined) {
        await table.update({
          Key,
          UpdateExpression: 'SET last_used_at = :at',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':at': usedAt },
        });
        return;
      }
      await table.update({
        Key,
        UpdateExpression: 'SET #repository = :name, #label = :name, last_used_at = :at',
        ConditionExpression: IS_BOUND,
        ExpressionAttributeNames: { '#repository': 'repository', '#label': 'label' },
        ExpressionAttributeValues: { ...idsOf(repository), ':name': repository.repository, ':at': usedAt },
      });
    },

    spend: (token) => spendToken(table, token),
  };
}

/** False for a token that was spent before. */
async function spendToken(
  table: Table,
  { spentAs, usableUntilMs }: Pick<IssuedToken, 'spentAs' | 'usableUntilMs'>,
): Promise<boolean> {
  const { updated } = await table.update({
    Key: spentTokenKey(spentAs),
    UpdateExpression: `SET attempt = :attempt, ${TTL} = :ttl`,
    // The SDK repeats a write whose answer got lost. The random `attempt` lets it recognise its own item.
    ConditionExpression: 'attribute_not_exists(pk) OR attempt = :attempt',
    ExpressionAttributeValues: {
      ':attempt': randomUUID(),
      ':ttl': seconds(timestamp(usableUntilMs + KEPT_AFTER_MS)),
    },
  });
  return updated;
}

const IS_BOUND = 'repository_id = :repository AND repository_owner_id = :owner';
const idsOf = ({ repositoryId, repositoryOwnerId }: NamedRepository) => ({
  ':repository': repositoryId,
  ':owner': repositoryOwnerId,
});
