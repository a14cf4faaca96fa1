import { figuresOf, NO_RUNS } from '../../domain/analytics/figures.ts';
import { OPEN_JUDGED_CASES_MAX } from '../../domain/limits.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { Admission, FinishedRun, RunStore, StoredOutcome } from '../../domain/runs/ports.ts';
import { timestamp } from '../../domain/time.ts';
import { listDigest } from '../suites/judgedDigests.ts';
import { putNew } from '../table/documents.ts';
import { retainedTtl, workingTtl } from '../table/expiry.ts';
import { pendingKey, runKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { completeIdempotency } from './idempotency.ts';
import type { Numbered } from './numbers/newRuns.ts';
import { createNumbering, numberAttributes } from './numbers/numberedRuns.ts';
import { openCasesIn, readOpenCases, takeCases } from './openCases.ts';
import { dropItems, writePayload } from './payloads.ts';
import { storeResults } from './results/storedResults.ts';
import { readRun, runItem } from './runItems.ts';
import { runReader } from './runReader.ts';
import { outputDigestOf } from './verdictItems.ts';

function outcomeOf(numbered: Numbered, judgedCases = 0): StoredOutcome {
  if (numbered === undefined) return { outcome: 'suite_gone' };
  if (numbered === 'busy') return { outcome: 'busy' };
  if ('item' in numbered) return { outcome: 'stored', run: readRun(numbered.item, numbered.place) };
  const { refused, usedBefore } = numbered;
  if (refused.has('idempotency')) return { outcome: 'key_in_progress' };
  if (refused.has('usage')) {
    return { outcome: 'quota_exceeded', used: usedBefore + Number(refused.get('usage')?.used ?? 0) };
  }
  return { outcome: 'backlog_full', open: openCasesIn(refused.get('openCases')), judgedCases };
}

interface Stores {
  readonly table: Table;
  readonly store: ReturnType<typeof createNumbering>;
}

/** All numbers are equally long in an item. */
const ANY_NUMBER = 1;

async function commit(stores: Stores, finished: FinishedRun, runToken: string): Promise<StoredOutcome> {
  const { orgId, head, results, run, createdAt, completedAtMs, retentionDays } = finished;
  const ttl = retainedTtl(createdAt, retentionDays);
  const place = { orgId, suiteId: head.suiteId, runToken };
  const completed_at = timestamp(Math.max(completedAtMs, Date.parse(createdAt)));
  const item = runItem({ ...run, completed_at }, finished);
  const likely = { orderedAt: createdAt, defaultRun: head.runCount };
  const beside = {
    ...runKey(orgId, head.suiteId, ANY_NUMBER),
    ...item,
    ...numberAttributes({ ...finished, runToken }, likely),
  };
  const stored = await stores.store({
    ...finished,
    runToken,
    figures: figuresOf(run),
    item: {
      ...item,
      results: await storeResults(stores.table, place, {
        results,
        ttl,
        item: beside,
        outputDigest: outputDigestOf(run.outputs_digest),
      }),
    },
    alongside: (place) => completeIdempotency(orgId, finished.idempotency, place),
  });
  const answer = outcomeOf(stored);
  if (answer.outcome === 'stored') await listDigest(stores.table, finished, answer.run);
  return answer;
}

async function admit(stores: Stores, admission: Admission, runToken: string): Promise<StoredOutcome> {
  const { orgId, head, run, submission, judgedCases, startedAtMs, createdAt, plan } = admission;
  if (judgedCases > 0) {
    const open = await readOpenCases(stores.table, orgId);
    if (open + judgedCases > OPEN_JUDGED_CASES_MAX) return { outcome: 'backlog_full', open, judgedCases };
  }
  const place = { orgId, suiteId: head.suiteId, runToken };
  const payload = await writePayload(stores.table, place, submission, workingTtl(startedAtMs));
  const taken = judgedCases > 0 ? { open_cases: judgedCases } : {};
  const stored = await stores.store({
    ...admission,
    runToken,
    figures: NO_RUNS,
    // The plan is kept in case the run is refunded.
    item: { ...runItem({ ...run, completed_at: null }, admission), ...taken, usage_plan: plan },
    alongside: (place) => ({
      pending: putNew(pendingKey(createdAt, runId(place)), { org_id: orgId, ...taken }),
      ...takeCases(admission),
      ...completeIdempotency(orgId, admission.idempotency, place),
    }),
  });
  const answer = outcomeOf(stored, judgedCases);
  // These outputs will never be judged. What cannot be dropped expires.
  if (answer.outcome !== 'stored') await dropItems(stores.table, payload).catch(() => undefined);
  return answer;
}

export function runStore(table: Table, newId: () => string): RunStore {
  const stores = { table, store: createNumbering(table) };

  return {
    commit: (finished) => commit(stores, finished, newId()),
    admit: (admission) => admit(stores, admission, newId()),

    ...runReader(table),
  };
}
