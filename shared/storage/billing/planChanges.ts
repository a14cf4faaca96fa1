import type { PlanId } from '../../contracts/auth.ts';
import type { PlanChanged } from '../../domain/billing/ports.ts';
import { REQUESTS_SETTLED_MS } from '../../domain/limits.ts';
import { PLAN } from '../../domain/plans.ts';
import { retainedSince } from '../../domain/retention/retention.ts';
import { DAY_MS, monthOf, notBefore, timestamp } from '../../domain/time.ts';
import { type OrganisationItem, readOrganisationItem } from '../accounts/organisationItems.ts';
import { CLOSED_BY_PLAN, closeShards, foldShards, readUsage, reopenShards } from '../runs/usageShards.ts';
import { untilSettled } from '../table/backoff.ts';
import { seconds } from '../table/documents.ts';
import { apiKeyKey, apiKeyPointers, organisationKey, subscriberKey, TTL, usageKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { newBook, previousMonthsBook } from './overageBooks.ts';
import { retentionDue } from './retention.ts';

/** Overage is reported for two months. Former subscribers are kept in the list a little longer. */
const SUBSCRIBER_DAYS = 70;

export interface PlanChange {
  readonly orgId: string;
  readonly plan: (current: PlanId) => PlanId;
  readonly atMs: number;
  /** Writes of the same transaction. If a condition among them fails, the change is superseded. */
  readonly alongside: Record<string, Write>;
}

/** The organisation, all its API keys and the base of the month's overage change together or not at all. */
export function changePlan(table: Table, change: PlanChange): Promise<PlanChanged> {
  const { orgId, alongside } = change;
  return untilSettled<PlanChanged>(async () => {
    // Read before the keys: a key that is added later makes another version.
    const item = await table.get(organisationKey(orgId));
    if (item === undefined) return { outcome: 'organisation_gone' };
    const organisation = readOrganisationItem(item);
    const from = organisation.plan;
    const to = change.plan(from);
    const outcome = await table.transact<string>({
      ...(from === to ? stay(organisation) : await move(table, organisation, to, change.atMs)),
      ...alongside,
    });
    if (outcome.committed) return from === to ? { outcome: 'unchanged' } : { outcome: 'changed', from, to };
    if (!Object.keys(alongside).some((name) => outcome.failed.has(name))) return undefined;
    await reopen(table, organisation, change.atMs);
    return { outcome: 'superseded' };
  }, table.backoff);
}

const markOf = ({ version }: OrganisationItem): string => `version ${version + 1}`;
const monthAt = ({ id: orgId }: OrganisationItem, atMs: number) => ({
  orgId,
  month: monthOf(timestamp(atMs)),
});

/** Does nothing where nothing was closed. */
const reopen = (table: Table, organisation: OrganisationItem, atMs: number): Promise<void> =>
  reopenShards(table, monthAt(organisation, atMs), markOf(organisation));

const stay = ({ id, version }: OrganisationItem): Record<string, Write> => ({
  organisation: {
    ConditionCheck: {
      Key: organisationKey(id),
      ConditionExpression: 'version = :version',
      ExpressionAttributeValues: { ':version': version },
    },
  },
});

async function move(
  table: Table,
  organisation: OrganisationItem,
  to: PlanId,
  atMs: number,
): Promise<Record<string, Write>> {
  const { id: orgId, plan: from, version, retained_from = null } = organisation;
  const at = timestamp(atMs);
  const retainedFrom = retainedSince({ plan: from, retainedFrom: retained_from }, atMs);
  const month = monthAt(organisation, atMs);
  const monthBefore = monthOf(timestamp(Date.parse(`${month.month}-01`) - DAY_MS));
  const opens = PLAN[to].overage !== 'blocked';
  await closeShards(table, month, markOf(organisation));
  // A run that was let in under the plan before may still be stored when the next month has begun.
  const settled = monthAt(organisation, atMs + REQUESTS_SETTLED_MS);
  if (!opens && settled.month !== month.month) await closeShards(table, settled, CLOSED_BY_PLAN);
  const [pointers, current, previous] = await Promise.all([
    table.query(apiKeyPointers(orgId)),
    readUsage(table, orgId, month.month),
    readUsage(table, orgId, monthBefore),
  ]);
  const sides = { from, to, version: version + 1 };
  return {
    organisation: setPlan(organisation, to, retainedFrom, notBefore(organisation.updated_at, atMs)),
    ...Object.fromEntries(
      pointers.map(({ sha256 }) => [`key ${sha256}`, setPlanOfKey(String(sha256), to, retainedFrom)]),
    ),
    usage: newBook(usageKey(orgId, month.month), current, sides),
    ...foldShards(month, current, { version: sides.version, opens }),
    ...((previous.first !== undefined || previous.shards.length > 0) && {
      previous: previousMonthsBook(usageKey(orgId, monthBefore), sides),
    }),
    subscriber: putSubscriber(orgId, to, at),
    ...(PLAN[to].retentionDays > PLAN[from].retentionDays && retentionDue(orgId, at)),
  };
}

const setPlan = (
  { id, version }: OrganisationItem,
  plan: PlanId,
  retainedFrom: string,
  updatedAt: string,
): Write => ({
  Update: {
    Key: organisationKey(id),
    UpdateExpression: 'SET #plan = :plan, retained_from = :from, version = :next, updated_at = :at',
    ConditionExpression: 'version = :version',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: {
      ':plan': plan,
      ':from': retainedFrom,
      ':version': version,
      ':next': version + 1,
      ':at': updatedAt,
    },
  },
});

/** A key that was revoked meanwhile stays revoked. */
const setPlanOfKey = (sha256: string, plan: PlanId, retainedFrom: string): Write => ({
  Update: {
    Key: apiKeyKey(sha256),
    UpdateExpression: 'SET #plan = :plan, retained_from = :from',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeNames: { '#plan': 'plan' },
    ExpressionAttributeValues: { ':plan': plan, ':from': retainedFrom },
  },
});

function putSubscriber(orgId: string, plan: PlanId, at: string): Write {
  const stays = typeof PLAN[plan].overage === 'object';
  const ttl = stays ? {} : { [TTL]: seconds(at) + (SUBSCRIBER_DAYS * DAY_MS) / 1_000 };
  return { Put: { Item: { ...subscriberKey(orgId), ...ttl } } };
}
