import * as z from 'zod';
import { timestampSchema } from '../../contracts/base/common.ts';
import { type Position, type RetentionStore, START, type SuiteOfRuns } from '../../domain/retention/ports.ts';
import { readOrganisationItem } from '../accounts/organisationItems.ts';
import {
  deletedSuitesFrom,
  organisationKey,
  projectHeadKey,
  retentionDueKey,
  retentionsDue,
  SK,
  suiteHeadsFrom,
} from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { extendRuns } from './extendedRuns.ts';

const positionSchema = z.object({
  suite: z.string().nullable(),
  below: z.number().nullable(),
  left: z.boolean(),
});
const dueSchema = z.object({ due_at: timestampSchema, position: positionSchema, steps: z.number() });
const suiteSchema = z.object({ suite_id: z.string(), project_id: z.string(), project_slug: z.string() });

/** Runs are extended from the first on, even if an extension is under way. `at`: when the plan changes. */
export const retentionDue = (orgId: string, dueAt: string): Record<string, Write> => ({
  retentionDue: {
    Put: {
      Item: {
        ...retentionDueKey(orgId),
        due_at: dueAt,
        position: START,
        steps: 0,
        asked_at: Date.parse(dueAt),
      },
    },
  },
});

export function retentionStore(table: Table, now: () => number): RetentionStore {
  return {
    async find(orgId) {
      const [item, organisation] = await table.getMany([retentionDueKey(orgId), organisationKey(orgId)]);
      if (item === undefined || organisation === undefined) return undefined;
      const { due_at: dueAt, position, steps } = dueSchema.parse(item);
      const { plan, retained_from } = readOrganisationItem(organisation);
      return { orgId, plan, retainedFrom: retained_from ?? null, dueAt, position, steps };
    },

    async askedBefore(beforeMs) {
      const items = await table.query(retentionsDue);
      return items
        .filter((item) => Number(item.asked_at) <= beforeMs)
        .map((item) => ({ orgId: String(item[SK]), dueAt: String(item.due_at) }));
    },

    async ask({ orgId, dueAt }, beforeMs) {
      const { updated } = await table.update({
        Key: retentionDueKey(orgId),
        UpdateExpression: 'SET asked_at = :now',
        ConditionExpression: 'due_at = :due AND asked_at <= :before',
        ExpressionAttributeValues: { ':now': now(), ':due': dueAt, ':before': beforeMs },
      });
      return updated;
    },

    async advance({ orgId, dueAt, steps }, position) {
      const { updated } = await table.update({
        Key: retentionDueKey(orgId),
        UpdateExpression: 'SET #position = :position, steps = :next, asked_at = :now',
        ConditionExpression: 'due_at = :due AND steps = :steps',
        ExpressionAttributeNames: { '#position': 'position' },
        ExpressionAttributeValues: {
          ':position': position,
          ':next': steps + 1,
          ':now': now(),
          ':due': dueAt,
          ':steps': steps,
        },
      });
      return updated;
    },

    async finish({ orgId, dueAt, steps }) {
      await table.delete(retentionDueKey(orgId), {
        ConditionExpression: 'due_at = :due AND steps = :steps',
        ExpressionAttributeValues: { ':due': dueAt, ':steps': steps },
      });
    },

    suites: (orgId, position, limit) => readSuites(table, orgId, position, limit),
    extendRuns: (runs, limit) => extendRuns(table, now(), runs, limit),
  };
}

/** Suites, then deleted suites: a suite that is deleted during a walk is met twice, never missed. */
async function itemsOfSuites(table: Table, orgId: string, { suite, below }: Position, limit: number) {
  // No key is the beginning of another: a key with `!` appended is the first place after it.
  const from = suite === null || below !== null ? (suite ?? undefined) : `${suite}!`;
  const isAtDeleted = from?.startsWith(orgId) ?? false;
  const living = isAtDeleted ? [] : await table.query(suiteHeadsFrom(orgId, from), { limit });
  if (living.length >= limit) return living;
  const range = deletedSuitesFrom(orgId, isAtDeleted ? from : undefined);
  const deleted = await table.query(range, { limit: limit - living.length });
  return [...living, ...deleted.map(({ [SK]: sk, head }) => ({ ...(head as Item), [SK]: sk }))];
}

async function readSuites(
  table: Table,
  orgId: string,
  position: Position,
  limit: number,
): Promise<SuiteOfRuns[]> {
  const items = await itemsOfSuites(table, orgId, position, limit);
  const suites = items.map((item) => ({ at: String(item[SK]), ...suiteSchema.parse(item) }));
  const heads = await table.getMany(suites.map(({ project_slug }) => projectHeadKey(orgId, project_slug)));
  return suites.map(({ at, suite_id: suiteId, project_id }, index) => ({
    at,
    suiteId,
    projectLives: heads[index]?.id === project_id,
  }));
}
