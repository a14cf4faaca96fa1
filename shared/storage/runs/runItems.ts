import * as z from 'zod';
import { type Run, runSchema } from '../../contracts/runs.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { StoredRun } from '../../domain/runs/ports.ts';
import type { SuiteHead } from '../../domain/suites/ports.ts';
import { fromText, toText } from '../table/documents.ts';
import { retainedTtl } from '../table/expiry.ts';
import type { Item } from '../table/table.ts';
import type { RunPlaceAndTime } from './numbers/newRuns.ts';

const storedRunSchema = runSchema.extend({
  project_id: z.string(),
  project_slug: z.string(),
  suite_slug: z.string().optional(),
});

/** A run's id encodes its place, so that its item need not hold the id. */
export const readRun = (item: Item, place: { suiteId: string; number: number }): StoredRun =>
  storedRunSchema.parse({
    ...item,
    id: runId(place),
    suite_id: place.suiteId,
    trigger_meta: fromText(item.trigger_meta),
  });

/** Whether a run has a verdict to compare with others: it has ended, and it could be evaluated. */
export const isConclusive = (item: Item): boolean => item.status !== 'pending' && item.given_back !== true;

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
    // The evaluator finds the suite's head by it.
    ...(run.status === 'pending' && { suite_slug: head.slug }),
    created_at: createdAt,
    ...retainedTtl(createdAt, retentionDays),
  };
}
