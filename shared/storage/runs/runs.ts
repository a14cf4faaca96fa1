import type { Run, RunResult } from '../../contracts/runs.ts';
import { figuresOf, NO_RUNS } from '../../domain/analytics/figures.ts';
import type { Admission, FinishedRun, RunStore, ScoredCase } from '../../domain/ports.ts';
import { keyInProgress } from '../../domain/runs/idempotency.ts';
import { placeOfRun, resultId, runId } from '../../domain/runs/ids.ts';
import { type Quota, usageExceeded } from '../../domain/runs/quota.ts';
import { timestamp } from '../../domain/time.ts';
import { packJson, writeBlob } from '../table/blobs.ts';
import { putNew } from '../table/documents.ts';
import { retainedTtl, workingTtl } from '../table/evaluationKeys.ts';
import { payloadKey, pendingKey, runKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { createDictionaries, type Dictionaries } from './dictionaries.ts';
import { readEvaluatedResults } from './endedChunks.ts';
import { completeIdempotency } from './idempotency.ts';
import { createNumbering, type Numbered } from './numberedRuns.ts';
import { packedSchema, readResults, storeResults } from './packedResults.ts';
import { readRun, runItem } from './runItems.ts';
import { readRunPage } from './runPages.ts';
import { countUsage } from './usage.ts';

/** The run as stored; undefined when its suite is gone. */
function storedRun(numbered: Numbered, quota: Quota | undefined): Run | undefined {
  if (numbered === undefined) return undefined;
  if ('item' in numbered) return readRun(numbered.item, numbered.place);
  const { place, refused } = numbered;
  if (quota === undefined || refused.has('idempotency') || !refused.has('usage')) throw keyInProgress();
  throw usageExceeded(quota, Number(refused.get('usage')?.used ?? quota.monthlyRuns), place.createdAt);
}

interface Stores {
  readonly table: Table;
  readonly dictionaries: Dictionaries;
  readonly store: ReturnType<typeof createNumbering>;
}

async function commit(stores: Stores, finished: FinishedRun, attempt: string): Promise<Run | undefined> {
  const { orgId, head, revision, results, repeated, run, startedAtMs, completedAtMs, retentionDays, quota } =
    finished;
  const ttl = retainedTtl(timestamp(startedAtMs), retentionDays);
  const place = { orgId, suiteId: head.suiteId, attempt };
  const packed = await storeResults(stores, place, { revision, results, repeated, ttl });
  const stored = await stores.store({
    orgId,
    head,
    attempt,
    startedAtMs,
    figures: figuresOf(run),
    itemOf: (at) => {
      const completed_at = timestamp(Math.max(completedAtMs, Date.parse(at.createdAt)));
      return { ...runItem({ ...run, completed_at }, { head, retentionDays }, at), packed };
    },
    alongside: (at) => ({
      usage: countUsage(orgId, at.createdAt, quota),
      ...completeIdempotency(orgId, finished.idempotency, at),
    }),
  });
  return storedRun(stored, quota);
}

async function admit(stores: Stores, admission: Admission, attempt: string): Promise<Run | undefined> {
  const { orgId, head, run, candidate, startedAtMs, retentionDays, quota } = admission;
  const keyOf = (part: number) => payloadKey(orgId, head.suiteId, attempt, part);
  await writeBlob(stores.table, packJson(candidate), keyOf, workingTtl(startedAtMs));
  const stored = await stores.store({
    orgId,
    head,
    attempt,
    startedAtMs,
    figures: NO_RUNS,
    itemOf: (at) => runItem({ ...run, completed_at: null }, { head, retentionDays }, at),
    alongside: (at) => ({
      usage: countUsage(orgId, at.createdAt, quota),
      pending: putNew(pendingKey(at.createdAt, runId(at)), { org_id: orgId }),
      ...completeIdempotency(orgId, admission.idempotency, at),
    }),
  });
  return storedRun(stored, quota);
}

const withIds = (id: string, results: readonly ScoredCase[]): RunResult[] =>
  results.map((result) => ({ id: resultId(id, result.case_id), run_id: id, ...result }));

export function runStore(table: Table, newId: () => string): RunStore {
  const stores = { table, dictionaries: createDictionaries(table), store: createNumbering(table) };

  async function itemOf(orgId: string, id: string) {
    const place = placeOfRun(id);
    const item = place && (await table.get(runKey(orgId, place.suiteId, place.number)));
    return item && { place, item };
  }

  return {
    commit: (finished) => commit(stores, finished, newId()),
    admit: (admission) => admit(stores, admission, newId()),

    async find(orgId, id) {
      const found = await itemOf(orgId, id);
      return found && readRun(found.item, found.place);
    },

    async results(orgId, id) {
      const found = await itemOf(orgId, id);
      if (found === undefined) return undefined;
      const place = { orgId, suiteId: found.place.suiteId, attempt: String(found.item.attempt) };
      if (found.item.evaluated === true) return withIds(id, await readEvaluatedResults(table, place));
      if (found.item.packed === undefined) return [];
      return withIds(id, await readResults(stores, place, packedSchema.parse(found.item.packed)));
    },

    page: (orgId, head, since, query) => readRunPage(table, { orgId, head, since, query }),
  };
}
