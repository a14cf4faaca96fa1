import type { PlanId } from '../../contracts/auth.ts';
import type { PlanChanged } from '../../domain/billing/ports.ts';
import { PLAN } from '../../domain/plans.ts';
import { retainedSince } from '../../domain/retention/retention.ts';
import { DAY_MS, notBefore, timestamp } from '../../domain/time.ts';
import { WITHOUT_PLAN } from '../accounts/apiKeyItems.ts';
import { type OrganisationItem, readOrganisationItem } from '../accounts/organisationItems.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { seconds } from '../table/documents.ts';
import { apiKeyKey, apiKeyPointers, organisationKey, subscriberKey, TTL } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { retentionDue } from './retention.ts';

/** Overage is reported for two months. Former subscribers are kept in the list a little longer. */
const SUBSCRIBER_DAYS = 70;

export interface PlanChange {
  readonly orgId: string;
  readonly plan: (current: PlanId) => PlanId;
  readonly atMs: number;
  /** Writes of the same transaction. If a condition among them fails, the change is superseded. */
  readonly alongside: Record<string, Write>;
  /** Of the change, where the plan becomes another. */
  readonly log?: (from: PlanId) => Write;
}

/**
 * The organisation and the API keys that hold its plan, at most 50, change together or not at all; the other keys read the
 * organisation. Runs count under the version of their key.
 */
export function changePlan(table: Table, change: PlanChange): Promise<PlanChanged> {
  return retryOnConflict<PlanChanged>(async () => {
    // Read before the keys: a key that is added later makes another version.
    const item = await table.get(organisationKey(change.orgId));
    if (item === undefined) return { outcome: 'organisation_gone' };
    const organisation = readOrganisationItem(item);
    const from = organisation.plan;
    const to = change.plan(from);
    const writes =
      from === to ? stay(organisation) : await move(table, { organisation, to, atMs: change.atMs });
    const log = from === to ? undefined : change.log?.(from);
    const all = { ...writes, ...change.alongside, ...(log && { log }) };
    const outcome = await table.transact<string>(all, { once: true });
    if (outcome.committed) return from === to ? { outcome: 'unchanged' } : { outcome: 'changed', from, to };
    const isLate = Object.keys(change.alongside).some((name) => outcome.failed.has(name));
    return isLate ? { outcome: 'superseded' } : undefined;
  }, table.backoff);
}

const stay = ({ id, version }: OrganisationItem): Record<string, Write> => ({
  organisation: {
    ConditionCheck: {
      Key: organisationKey(id),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': version },
    },
  },
});

interface Move {
  readonly organisation: OrganisationItem;
  readonly to: PlanId;
  readonly atMs: number;
}

async function move(table: Table, { organisation, to, atMs }: Move): Promise<Record<string, Write>> {
  const { id: orgId, plan: from, version, plan_version, retained_from = null, updated_at } = organisation;
  const movedAt = timestamp(atMs);
  const pointers = await table.query(apiKeyPointers(orgId));
  const change = {
    UpdateExpression: 'SET #plan = :plan, plan_version = :planVersion, retained_from = :from',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: {
      ':plan': to,
      ':planVersion': plan_version + 1,
      ':from': retainedSince({ plan: from, retainedFrom: retained_from }, atMs),
    },
  };
  return {
    organisation: {
      Update: {
        Key: organisationKey(orgId),
        ...change,
        UpdateExpression: `${change.UpdateExpression}, version = :next, updated_at = :at`,
        ConditionExpression: 'version = :version',
        ExpressionAttributeValues: {
          ...change.ExpressionAttributeValues,
          ':version': version,
          ':next': version + 1,
          ':at': notBefore(updated_at, atMs),
        },
      },
    },
    ...Object.fromEntries(
      pointers
        .filter((pointer) => pointer[WITHOUT_PLAN] === undefined)
        .map(({ sha256 }) => [`key ${sha256}`, changeOfKey(String(sha256), change)]),
    ),
    subscriber: putSubscriber(orgId, to, movedAt),
    ...(PLAN[to].retentionDays > PLAN[from].retentionDays && retentionDue(orgId, movedAt)),
  };
}

/** A key that was revoked meanwhile stays revoked. */
const changeOfKey = (sha256: string, change: Omit<NonNullable<Write['Update']>, 'Key'>): Write => ({
  Update: { Key: apiKeyKey(sha256), ...change, ConditionExpression: 'attribute_exists(pk)' },
});

function putSubscriber(orgId: string, plan: PlanId, changedAt: string): Write {
  const stays = typeof PLAN[plan].overage === 'object';
  const ttl = stays ? {} : { [TTL]: seconds(changedAt) + (SUBSCRIBER_DAYS * DAY_MS) / 1_000 };
  return { Put: { Item: { ...subscriberKey(orgId), ...ttl } } };
}
