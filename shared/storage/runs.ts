import type { Run } from '../contracts/runs.ts';
import type { FinishedRun, RunStore, SuiteHead } from '../domain/ports.ts';
import { placeOfRun, resultId } from '../domain/runs/ids.ts';
import { DAY_MS, monthOf, timestamp } from '../domain/time.ts';
import { untilSettled } from './backoff.ts';
import { createDictionaries } from './dictionaries.ts';
import { putNew, seconds } from './documents.ts';
import { runKey, suiteHeadKey, TTL, usageKey } from './keys.ts';
import { type PackedResults, packedSchema, readResults, storeResults } from './packedResults.ts';
import { readRun, runItem } from './runItems.ts';
import { readRunPage } from './runPages.ts';
import { readHead } from './suiteHeads.ts';
import type { Table, Write } from './table.ts';
import { createTurns } from './turns.ts';

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

/** What a commit leaves for the next one of the same suite in this process. */
interface Committed {
  readonly result: Run | undefined;
  readonly leaves?: SuiteHead;
}

async function commitRun(
  table: Table,
  finished: FinishedRun,
  packed: PackedResults,
  newest: SuiteHead,
): Promise<Committed> {
  const { orgId } = finished;
  const { suiteId } = newest;
  let head = newest;
  return untilSettled<Committed>(async () => {
    const place = { suiteId, number: head.runCount + 1 };
    const key = runKey(orgId, suiteId, place.number);
    const createdAt = createdAtAfter(head, finished.startedAtMs);
    const item = runItem(finished, createdAt, packed);
    const outcome = await table.transact({
      head: countRun(orgId, head, createdAt),
      run: putNew(key, item),
      usage: countUsage(orgId, String(item.completed_at)),
    });
    if (outcome.committed) {
      return {
        result: readRun(item, place),
        leaves: { ...head, runCount: place.number, lastRunAt: createdAt },
      };
    }
    const current = outcome.failed.get('head');
    if (outcome.failed.has('head') && current?.suite_id !== suiteId) return { result: undefined };
    // An attempt whose answer got lost may be what stands there: then the run is committed, once.
    const there = await table.get(key);
    if (there !== undefined && packedSchema.safeParse(there.packed).data?.attempt === packed.attempt) {
      return { result: readRun(there, place) };
    }
    if (current !== undefined) head = readHead(current);
    return undefined;
  });
}

const newestOf = (read: SuiteHead, left: SuiteHead | undefined): SuiteHead =>
  left !== undefined && left.runCount > read.runCount ? left : read;

export function runStore(table: Table, newId: () => string): RunStore {
  const dictionaries = createDictionaries(table);
  const inTurn = createTurns<SuiteHead>();

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
      return inTurn(`${orgId}/${head.suiteId}`, (left) =>
        commitRun(table, finished, packed, newestOf(head, left)),
      );
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
