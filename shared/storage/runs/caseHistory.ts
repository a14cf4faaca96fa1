import type { CaseHistoryStore, RequestedHistory } from '../../domain/runs/caseHistory.ts';
import { runId } from '../../domain/runs/ids.ts';
import { stateFields } from '../../domain/runs/results/state.ts';
import type { SuiteHead } from '../../domain/suites/stored.ts';
import type { Item, Table } from '../table/table.ts';
import type { PackedPart } from './results/endedChunks.ts';
import { type Outcome, unpackOutcome } from './results/packing.ts';
import { packedParts } from './results/storedResults.ts';
import { numberOf, orderedAtOf, runsBetween } from './runOrder.ts';

/** Of all results that are looked through for one case. */
const UNPACKED_BYTES_MAX = 4 * 1_024 * 1_024;
/** Of a suite that may have thousands of pending runs. */
const LOOKED_AT_MAX = 200;
/** Large runs are some hundred kilobytes each. */
const READ_AT_ONCE = 10;

interface OfSuite {
  readonly orgId: string;
  readonly head: SuiteHead;
}

/** How many bytes may still be unpacked: 0 once results were met that take more. */
interface Budget {
  bytes: number;
}

export const caseHistoryStore = (table: Table): CaseHistoryStore => ({
  async outcomes(orgId, head, requested) {
    const { suiteId } = head;
    const { items, isComplete } = await endedRuns(table, { orgId, head }, requested);
    const data: Awaited<ReturnType<CaseHistoryStore['outcomes']>>['data'] = [];
    const budget: Budget = { bytes: UNPACKED_BYTES_MAX };
    for (let start = 0; start < items.length && budget.bytes > 0; start += READ_AT_ONCE) {
      const some = items.slice(start, start + READ_AT_ONCE);
      const opened = await Promise.all(
        some.map((item) => nearestFirst(table, { orgId, head }, item, requested)),
      );
      for (const [index, parts] of opened.entries()) {
        const outcome = await outcomeIn(parts, requested.number, budget);
        const item = some[index];
        if (outcome === undefined || item === undefined) continue;
        const { passed, errored, missing } = { ...stateFields(outcome.state), ...outcome.other };
        const run_id = runId({ suiteId, number: numberOf(item) });
        const created_at = String(item.created_at);
        data.push({ run_id, created_at, passed, errored, missing, score: outcome.score });
      }
    }
    return { data, truncated: !isComplete || budget.bytes <= 0 };
  },
});

/** The newest first. */
async function endedRuns(table: Table, { orgId, head }: OfSuite, { since, limit }: RequestedHistory) {
  const ended: Item[] = [];
  let lookedAt = 0;
  for (let last = head.runCount; last > 0 && ended.length < limit; ) {
    if (lookedAt >= LOOKED_AT_MAX) return { items: ended, isComplete: false };
    const range = runsBetween(orgId, head.suiteId, { first: 1, last });
    const items = await table.query(range, { newestFirst: true, limit, withExpired: true });
    ended.push(...items.filter((item) => item.status !== 'pending' && String(item.created_at) >= since));
    const oldest = items.at(-1);
    if (oldest === undefined || orderedAtOf(oldest) < since) break;
    lookedAt += items.length;
    last = numberOf(oldest) - 1;
  }
  return { items: ended.slice(0, limit), isComplete: true };
}

/** The parts of a run's results, of which the first is read: the case lies there, unless the suite was changed since. */
async function nearestFirst(
  table: Table,
  { orgId, head }: OfSuite,
  item: Item,
  { place }: RequestedHistory,
): Promise<PackedPart[]> {
  const runToken = String(item.attempt);
  const parts = await packedParts(table, { orgId, suiteId: head.suiteId, runToken }, item);
  const guess = Math.floor(place * parts.length);
  const distance = (part: PackedPart): number => Math.abs(parts.indexOf(part) - guess);
  const [nearest, ...otherParts] = parts.toSorted((one, other) => distance(one) - distance(other));
  if (nearest === undefined) return [];
  const packed = await nearest();
  return [async () => packed, ...otherParts];
}

async function outcomeIn(
  parts: readonly PackedPart[],
  number: number,
  budget: Budget,
): Promise<Outcome | undefined> {
  for (const part of parts) {
    const unpacked = unpackOutcome(await part(), number, budget.bytes);
    budget.bytes = unpacked === undefined ? 0 : budget.bytes - unpacked.bytes;
    if (unpacked?.outcome !== undefined) return unpacked.outcome;
    if (budget.bytes <= 0) return undefined;
  }
  return undefined;
}
