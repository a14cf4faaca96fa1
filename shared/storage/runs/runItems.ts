import * as z from 'zod';
import { credentialSchema } from '../../contracts/base/credentials.ts';
import { type Run, runSchema } from '../../contracts/runs.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { Admission, NewRunFields, StoredRun, VerdictRecord } from '../../domain/runs/ports.ts';
import { shownVerdict } from '../../domain/runs/results/shownVerdict.ts';
import { fromText, toText } from '../table/documents.ts';
import { retainedTtl } from '../table/expiry.ts';
import type { Item } from '../table/table.ts';
import { readVerdictRecord, verdictAttributes } from './verdictItems.ts';

const storedRunSchema = runSchema.extend({
  project_id: z.string(),
  project_slug: z.string(),
  suite_slug: z.string().optional(),
  revisions: z.string(),
  default_run: z.number().optional(),
});

/** What says whose run it is. */
export const sourceIn = (item: Item): Pick<Run, 'created_by' | 'trigger_meta'> => ({
  created_by: credentialSchema.parse(item.created_by),
  trigger_meta: fromText(item.trigger_meta) as Run['trigger_meta'],
});

/** A run's id encodes its place, so that its item need not hold the id. */
export function readRun(item: Item, place: { suiteId: string; number: number }): StoredRun {
  const run = storedRunSchema.parse({
    ...item,
    id: runId(place),
    suite_id: place.suiteId,
    trigger_meta: fromText(item.trigger_meta),
  });
  const record = readVerdictRecord(item);
  const { isSingle, waived, compared } = record;
  return { ...run, ...shownVerdict(run, record), isSingle, waived, baseline: compared?.name ?? null };
}

/** Whether a run has a verdict to compare with others: it has ended, and it could be evaluated. */
export const isConclusive = (item: Item): boolean => item.status !== 'pending' && item.given_back !== true;

/** By the ref that was the suite's default when the run was stored. Its item names the run of the default branch before it. */
export const isOfDefaultBranch = ({ default_run }: Item): boolean => default_run === undefined;

export function runItem(
  run: NewRunFields & VerdictRecord & Pick<Run, 'completed_at'>,
  {
    head,
    revisions,
    retentionDays,
    createdAt,
    resultsHidden,
  }: Pick<Admission, 'head' | 'revisions' | 'retentionDays' | 'createdAt' | 'resultsHidden'>,
): Item {
  const { status, pass_rate, total_cases, passed_cases, failed_cases, errored_cases, inconclusive } = run;
  const { duration_ms, trigger, trigger_meta, created_by, completed_at } = run;
  return {
    status,
    pass_rate,
    total_cases,
    passed_cases,
    failed_cases,
    errored_cases,
    inconclusive,
    ...verdictAttributes(run),
    duration_ms,
    trigger,
    created_by,
    completed_at,
    trigger_meta: toText(trigger_meta),
    revisions,
    project_id: head.projectId,
    project_slug: head.projectSlug,
    // The evaluator finds the suite's head by it.
    ...(run.status === 'pending' && { suite_slug: head.slug }),
    created_at: createdAt,
    ...(resultsHidden && { results_hidden: true }),
    ...retainedTtl(createdAt, retentionDays),
  };
}
