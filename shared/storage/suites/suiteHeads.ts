import * as z from 'zod';
import type { StoredSuite, SuiteHead } from '../../domain/suites/ports.ts';
import { suiteHeadKey } from '../table/keys.ts';
import { NO_PUSH, pushIn } from '../table/pushes/underWay.ts';
import type { Item, Write } from '../table/table.ts';
import { type CountsChange, readCounts, withCounts } from './suiteCounts.ts';

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
    position: { n: Number(item.n), token: String(item.token) },
    counts: readCounts(item),
    isPushUnderWay: pushIn(item) !== undefined,
    runCount: head.run_count,
    lastRunAt: head.last_run_at ?? null,
  };
}

export const newHead = (suite: StoredSuite, counts: Item): Item => ({
  ...counts,
  suite_id: suite.id,
  slug: suite.slug,
  project_id: suite.project_id,
  project_slug: suite.project_slug,
  revision: 1,
  run_count: 0,
});

export const headKeyOf = (orgId: string, suite: StoredSuite) =>
  suiteHeadKey(orgId, suite.slug, suite.project_id);

/** Makes cached copies of the suite stale. Fails its condition when the suite is gone, or a push is under way. */
export function bumpRevision(
  orgId: string,
  suite: StoredSuite,
  counts: CountsChange | 'none' | 'unknown' = 'unknown',
): Write {
  const bumped = {
    Update: {
      Key: headKeyOf(orgId, suite),
      UpdateExpression: 'ADD revision :one',
      ConditionExpression: `suite_id = :id AND ${NO_PUSH}`,
      ExpressionAttributeValues: { ':one': 1, ':id': suite.id },
    },
  };
  return withCounts(bumped, counts);
}
