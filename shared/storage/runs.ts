import * as z from 'zod';
import { type Run, runSchema } from '../contracts/runs.ts';
import type { FinishedRun, RunStore, StoredRun, SuiteHead } from '../domain/ports.ts';
import { placeOfRun, resultId, runId } from '../domain/runs/ids.ts';
import { DAY_MS, monthOf, timestamp } from '../domain/time.ts';
import { untilSettled } from './backoff.ts';
import { createDictionaries } from './dictionaries.ts';
import { fromText, putNew, seconds, toText } from './documents.ts';
import { runKey, suiteHeadKey, TTL, usageKey } from './keys.ts';
import { type PackedResults, packedSchema, readResults, storeResults } from './packedResults.ts';
import { readRunPage } from './runPages.ts';
import { readHead } from './suiteHeads.ts';
import type { Item, Table, Write } from './table.ts';

const storedRunSchema = runSchema.extend({ project_id: z.string(), project_slug: z.string() });

/** A run's id says where it lies, so its item need not hold it. */
export const readRun = (item: Item, place: { suiteId: string; number: number }): StoredRun =>
  storedRunSchema.parse({
    ...item,
    id: runId(place),
    suite_id: place.suiteId,
    trigger_meta: fromText(item.trigger_meta),
  });

function runItem(finished: FinishedRun, createdAt: string, packed: PackedResults): Item {
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

/** Runs of a suite are numbered without gaps and in the order of their times: any page of them is one range. */
function countRun(orgId: string, head: SuiteHead, createdAt: string): Write {
  return {
    Update: {
      Key: suiteHeadKey(orgId, head.slug, head.projectId),
      UpdateExpression: 'SET run_count = :next, last_run_at = :at',
      ConditionExpression: 'suite_id = :id AND run_count = :count',
      ExpressionAttributeValues: {
        ':id': head.suiteId,
        ':count': head.runCount,
        ':next': head.runCount + 1,
        ':at': createdAt,
      },
    },
  };
}

const countUsage = (orgId: string, completedAt: string): Write => ({
  Update: {
    Key: usageKey(orgId, monthOf(completedAt)),
    UpdateExpression: 'ADD used :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});

/** A run never looks older than the one before it, whatever the clocks of two functions say. */
const createdAtAfter = ({ lastRunAt }: SuiteHead, startedAtMs: number): string =>
  timestamp(Math.max(startedAtMs, lastRunAt === null ? 0 : Date.parse(lastRunAt)));

async function commitRun(
  table: Table,
  finished: FinishedRun,
  packed: PackedResults,
): Promise<Run | undefined> {
  const { orgId } = finished;
  let { head } = finished;
  const { suiteId } = head;
  const settled = await untilSettled(async () => {
    const place = { suiteId, number: head.runCount + 1 };
    const key = runKey(orgId, suiteId, place.number);
    const createdAt = createdAtAfter(head, finished.startedAtMs);
    const item = runItem(finished, createdAt, packed);
    const outcome = await table.transact({
      head: countRun(orgId, head, createdAt),
      run: putNew(key, item),
      usage: countUsage(orgId, String(item.completed_at)),
    });
    if (outcome.committed) return { run: readRun(item, place) };
    const current = outcome.failed.get('head');
    if (outcome.failed.has('head') && current?.suite_id !== suiteId) return { run: undefined };
    // An attempt whose answer got lost may be what stands there: then the run is committed, once.
    const there = await table.get(key);
    if (packedSchema.safeParse(there?.packed).data?.attempt === packed.attempt && there) {
      return { run: readRun(there, place) };
    }
    if (current !== undefined) head = readHead(current);
    return undefined;
  });
  return settled.run;
}

export function runStore(table: Table, newId: () => string): RunStore {
  const dictionaries = createDictionaries(table);

  async function itemOf(orgId: string, id: string) {
    const place = placeOfRun(id);
    const item = place && (await table.get(runKey(orgId, place.suiteId, place.number)));
    return item && { place, item };
  }

  return {
    async commit(finished) {
      const { orgId, head, revision, results, startedAtMs, retentionDays } = finished;
      const ttl = { [TTL]: seconds(timestamp(startedAtMs + (retentionDays + 1) * DAY_MS)) };
      const packed = await storeResults(
        { table, dictionaries },
        { orgId, suiteId: head.suiteId },
        { attempt: newId(), revision, results, ttl },
      );
      return commitRun(table, finished, packed);
    },

    async find(orgId, id) {
      const found = await itemOf(orgId, id);
      return found && readRun(found.item, found.place);
    },

    async results(orgId, id) {
      const found = await itemOf(orgId, id);
      if (found === undefined) return undefined;
      const place = { orgId, suiteId: found.place.suiteId };
      const results = await readResults(
        { table, dictionaries },
        place,
        packedSchema.parse(found.item.packed),
      );
      return results.map((result) => ({ id: resultId(id, result.case_id), run_id: id, ...result }));
    },

    page: (orgId, head, since, query) => readRunPage(table, { orgId, head, since, query }),
  };
}
