import * as z from 'zod';
import { runSchema } from '../contracts/runs.ts';
import type { FinishedRun, StoredRun } from '../domain/ports.ts';
import { runId } from '../domain/runs/ids.ts';
import { DAY_MS, timestamp } from '../domain/time.ts';
import { fromText, seconds, toText } from './documents.ts';
import { TTL } from './keys.ts';
import type { PackedResults } from './packedResults.ts';
import type { Item } from './table.ts';

const storedRunSchema = runSchema.extend({ project_id: z.string(), project_slug: z.string() });

/** A run's id says where it lies, so its item need not hold it. */
export const readRun = (item: Item, place: { suiteId: string; number: number }): StoredRun =>
  storedRunSchema.parse({
    ...item,
    id: runId(place),
    suite_id: place.suiteId,
    trigger_meta: fromText(item.trigger_meta),
  });

export function runItem(finished: FinishedRun, createdAt: string, packed: PackedResults): Item {
  const { head, run, retentionDays, completedAtMs } = finished;
  return {
    ...run,
    trigger_meta: toText(run.trigger_meta),
    project_id: head.projectId,
    project_slug: head.projectSlug,
    created_at: createdAt,
    completed_at: timestamp(Math.max(completedAtMs, Date.parse(createdAt))),
    packed,
    [TTL]: seconds(createdAt) + (retentionDays * DAY_MS) / 1_000,
  };
}
