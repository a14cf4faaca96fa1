import * as z from 'zod';
import type { StoredSuite, SuiteHead } from '../domain/ports.ts';
import { readFigures } from './dayRollups.ts';
import { suiteHeadKey } from './keys.ts';
import type { Item, Write } from './table.ts';

const headItemSchema = z.object({
  suite_id: z.string(),
  slug: z.string(),
  project_id: z.string(),
  project_slug: z.string(),
  revision: z.number(),
  run_count: z.number(),
  last_run_at: z.string().optional(),
});

export function readHead(item: Item): SuiteHead {
  const head = headItemSchema.parse(item);
  return {
    suiteId: head.suite_id,
    slug: head.slug,
    projectId: head.project_id,
    projectSlug: head.project_slug,
    revision: head.revision,
    runCount: head.run_count,
    lastRunAt: head.last_run_at ?? null,
    latestDay: readFigures(item),
  };
}

export const newHead = (suite: StoredSuite): Item => ({
  suite_id: suite.id,
  slug: suite.slug,
  project_id: suite.project_id,
  project_slug: suite.project_slug,
  revision: 1,
  run_count: 0,
});

export const headKeyOf = (orgId: string, suite: StoredSuite) =>
  suiteHeadKey(orgId, suite.slug, suite.project_id);

/** Makes every cached copy of the suite stale. Fails its condition when the suite is gone. */
export function bumpRevision(orgId: string, suite: StoredSuite): Write {
  return {
    Update: {
      Key: headKeyOf(orgId, suite),
      UpdateExpression: 'ADD revision :one',
      ConditionExpression: 'suite_id = :id',
      ExpressionAttributeValues: { ':one': 1, ':id': suite.id },
    },
  };
}
