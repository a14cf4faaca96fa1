import * as z from 'zod';
import type { StoredSuite, SuiteHead } from '../../domain/suites/stored.ts';
import { suiteHeadKey } from '../table/keys.ts';
import type { Item } from '../table/table.ts';

const headItemSchema = z.object({
  suite_id: z.string(),
  slug: z.string(),
  project_id: z.string(),
  project_slug: z.string(),
  n: z.number(),
  token: z.string(),
  run_count: z.number(),
  default_run: z.number(),
  last_run_at: z.string().optional(),
});

export function readHead(item: Item): SuiteHead {
  const { n, token, ...head } = headItemSchema.parse(item);
  return {
    suiteId: head.suite_id,
    slug: head.slug,
    projectId: head.project_id,
    projectSlug: head.project_slug,
    position: { n, token },
    runCount: head.run_count,
    defaultRun: head.default_run,
    lastRunAt: head.last_run_at ?? null,
  };
}

export const newHead = (suite: StoredSuite, { n, token }: SuiteHead['position']): Item => ({
  suite_id: suite.id,
  slug: suite.slug,
  project_id: suite.project_id,
  project_slug: suite.project_slug,
  n,
  token,
  run_count: 0,
  default_run: 0,
});

export const headKeyOf = (orgId: string, suite: StoredSuite) =>
  suiteHeadKey(orgId, suite.slug, suite.project_id);
