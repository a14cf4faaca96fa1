import * as z from 'zod';
import { type Run, runSchema } from '../contracts/runs.ts';
import type { StoredRun, SuiteHead } from '../domain/ports.ts';
import { runId } from '../domain/runs/ids.ts';
import { DAY_MS, monthOf } from '../domain/time.ts';
import { fromText, seconds, toText } from './documents.ts';
import { TTL, usageKey } from './keys.ts';
import type { RunPlaceAndTime } from './numberedRuns.ts';
import type { Item, Write } from './table.ts';

const storedRunSchema = runSchema.extend({ project_id: z.string(), project_slug: z.string() });

/** A run's id says where it lies, so its item need not hold it. */
export const readRun = (item: Item, place: { suiteId: string; number: number }): StoredRun =>
  storedRunSchema.parse({
    ...item,
    id: runId(place),
    suite_id: place.suiteId,
    trigger_meta: fromText(item.trigger_meta),
  });

export function runItem(
  run: Omit<Run, 'id' | 'suite_id' | 'created_at'>,
  { head, retentionDays }: { head: SuiteHead; retentionDays: number },
  { createdAt }: RunPlaceAndTime,
): Item {
  return {
    ...run,
    trigger_meta: toText(run.trigger_meta),
    project_id: head.projectId,
    project_slug: head.projectSlug,
    created_at: createdAt,
    [TTL]: seconds(createdAt) + (retentionDays * DAY_MS) / 1_000,
  };
}

/** One more run in the month it was created in, or one less. */
export const countUsage = (orgId: string, createdAt: string, by: 1 | -1): Write => ({
  Update: {
    Key: usageKey(orgId, monthOf(createdAt)),
    UpdateExpression: 'ADD used :by',
    ExpressionAttributeValues: { ':by': by },
  },
});
