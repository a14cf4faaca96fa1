import type { PlanId } from '../../contracts/auth.ts';
import type { PlanChanged } from '../../domain/billing/ports.ts';
import { REQUESTS_SETTLED_MS } from '../../domain/limits.ts';
import { PLAN } from '../../domain/plans.ts';
import { retainedSince } from '../../domain/retention/retention.ts';
import { DAY_MS, monthOf, notBefore, timestamp } from '../../domain/time.ts';
import { type OrganisationItem, readOrganisationItem } from '../accounts/organisationItems.ts';
import {
  beginEpoch,
  closeByPlan,
  closeShards,
  newMark,
  readUsage,
  reopenShards,
} from '../runs/usageShards.ts';
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
  let closedBy: string | undefined;
  return untilSettled<PlanChanged>(async () => {
    // Read before the keys: a key that is added later makes another version.
    const item = await table.get(organisationKey(change.orgId));
    if (item === undefined) return { outcome: 'organisation_gone' };
    const organisation = readOrganisationItem(item);
    const from = organisation.plan;
    const to = change.plan(from);
    if (from === to) {
      const ended = await write(table, change, stay(organisation));
      // Another change to the same plan came first, after this one had closed the shards.
      if (closedBy !== undefined) await reopenShards(table, monthAt(organisation, change.atMs), closedBy);
      return tell(ended, { outcome: 'unchanged' });
    }
    const moving = { organisation, to, atMs: change.atMs, mark: newMark(change.atMs), before: closedBy };
    const writes = await move(table, moving);
    if (writes === undefined) return undefined;
    closedBy = moving.mark;
    const ended = await write(table, change, writes);
    if (ended !== 'again') await settle(table, moving, ended);
    return tell(ended, { outcome: 'changed', from, to });
  }, table.backoff);
}

type Ended = 'done' | 'superseded' | 'again';

async function write(table: Table, { alongside }: PlanChange, writes: Record<string, Write>): Promise<Ended> {
  const outcome = await table.transact<string>({ ...writes, ...alongside }, { once: true });
  if (outcome.committed) return 'done';
  return Object.keys(alongside).some((name) => outcome.failed.has(name)) ? 'superseded' : 'again';
}

function tell(ended: Ended, done: PlanChanged): PlanChanged | undefined {
  if (ended === 'again') return undefined;
  return ended === 'done' ? done : { outcome: 'superseded' };
}

const monthAt = ({ id: orgId }: OrganisationItem, atMs: number) => ({
  orgId,
  month: monthOf(timestamp(atMs)),
});

interface Moving {
  readonly organisation: OrganisationItem;
  readonly to: PlanId;
  readonly atMs: number;
  readonly mark: string;
  readonly before: string | undefined;
}

function settle(table: Table, { organisation, to, atMs, mark }: Moving, ended: Ended): Promise<void> {
  const month = monthAt(organisation, atMs);
  if (ended !== 'done') return reopenShards(table, month, mark);
  return beginEpoch(table, month, { mark, version: organisation.version + 1, plan: to });
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

/** Undefined while another change is under way. */
async function move(
  table: Table,
  { organisation, to, atMs, mark, before }: Moving,
): Promise<Record<string, Write> | undefined> {
  const { id: orgId, plan: from, version, retained_from = null } = organisation;
  const at = timestamp(atMs);
  const retainedFrom = retainedSince({ plan: from, retainedFrom: retained_from }, atMs);
  const month = monthAt(organisation, atMs);
  const monthBefore = monthOf(timestamp(Date.parse(`${month.month}-01`) - DAY_MS));
  const closed = await closeShards(table, month, { mark, before, now: at });
  if (closed === undefined) return undefined;
  const settled = monthAt(organisation, atMs + REQUESTS_SETTLED_MS);
  if (PLAN[to].overage === 'blocked' && settled.month !== month.month) await closeByPlan(table, settled);
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
    usage: newBook(usageKey(orgId, month.month), current, { ...sides, ...closed }),
    ...(previous.isThere && { previous: previousMonthsBook(usageKey(orgId, monthBefore), sides) }),
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
