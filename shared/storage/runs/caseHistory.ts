import type { CaseOutcome, LatestOutcome } from '../../contracts/results/caseHistory.ts';
import type { CaseHistoryStore, PlacedCases } from '../../domain/runs/caseHistory.ts';
import { runId } from '../../domain/runs/ids.ts';
import { stateFields } from '../../domain/runs/results/state.ts';
import type { SuiteHead } from '../../domain/suites/stored.ts';
import type { Item, Table } from '../table/table.ts';
import type { PackedPart } from './results/endedChunks.ts';
import { type Outcome, unpackOutcomes } from './results/packing.ts';
import { packedParts } from './results/storedResults.ts';
import { isOfDefaultBranch } from './runItems.ts';
import { numberOf, orderedAtOf, runsBetween } from './runOrder.ts';

/** Of all results that are looked through for one case. */
const UNPACKED_BYTES_MAX = 4 * 1_024 * 1_024;
/** Of a suite that may have thousands of pending runs. */
const LOOKED_AT_MAX = 200;
/** For the latest outcomes of many cases: runs of all branches, and of these the ones of the default branch. */
const LATEST_LOOKED_AT = 100;
const LATEST_RUNS = 20;
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
  async outcomes(orgId, head, { limit, ...placedCase }) {
    const { items, isComplete } = await endedRuns(table, { orgId, head }, { ...placedCase, limit });
    const data: CaseOutcome[] = [];
    const budget: Budget = { bytes: UNPACKED_BYTES_MAX };
    for await (const { item, outcomes } of readOutcomes(
      table,
      { orgId, head },
      { ...placedCase, items },
      budget,
    ))
      data.push(...[...outcomes.values()].map((outcome) => caseOutcome(head, item, outcome)));
    return { data, truncated: !isComplete || budget.bytes <= 0 };
  },

  async latest(orgId, head, placedCases) {
    const { items, areAll } = await latestRuns(table, { orgId, head }, placedCases);
    const latest = new Map<number, LatestOutcome>();
    const budget: Budget = { bytes: UNPACKED_BYTES_MAX };
    for await (const { item, outcomes } of readOutcomes(
      table,
      { orgId, head },
      { ...placedCases, items },
      budget,
    )) {
      for (const [number, outcome] of outcomes)
        latest.set(number, withEarlier(latest.get(number), caseOutcome(head, item, outcome)));
      const isOpen = [...latest.values()].some(({ or_longer }) => or_longer);
      if (latest.size === placedCases.numbers.size && !isOpen) break;
    }
    if (!areAll || budget.bytes <= 0) return latest;
    return new Map([...latest].map(([number, outcome]) => [number, { ...outcome, or_longer: false }]));
  },
});

function caseOutcome({ suiteId }: SuiteHead, item: Item, outcome: Outcome): CaseOutcome {
  const { passed, errored, missing } = { ...stateFields(outcome.state), ...outcome.other };
  const run_id = runId({ suiteId, number: numberOf(item) });
  return { run_id, created_at: String(item.created_at), passed, errored, missing, score: outcome.score };
}

/** With what an earlier run says of the case. */
function withEarlier(latest: LatestOutcome | undefined, earlier: CaseOutcome): LatestOutcome {
  if (latest === undefined) return { ...earlier, since: earlier.created_at, or_longer: true };
  if (!latest.or_longer) return latest;
  const isAlike = earlier.passed === latest.passed;
  return isAlike ? { ...latest, since: earlier.created_at } : { ...latest, or_longer: false };
}

/** `areAll`: the suite had no earlier ones. */
async function latestRuns(table: Table, suite: OfSuite, { since }: Pick<PlacedCases, 'since'>) {
  const { items } = await endedRuns(table, suite, { since, limit: LATEST_LOOKED_AT });
  const ofDefault = items.filter(isOfDefaultBranch);
  const runs = ofDefault.length > 0 ? ofDefault : items;
  const oldest = items.at(-1);
  const areAll = oldest !== undefined && numberOf(oldest) === 1 && runs.length <= LATEST_RUNS;
  return { items: runs.slice(0, LATEST_RUNS), areAll };
}

interface OfRun {
  readonly item: Item;
  readonly outcomes: ReadonlyMap<number, Outcome>;
}

/** Of each run, until the budget is used up. */
async function* readOutcomes(
  table: Table,
  suite: OfSuite,
  placed: PlacedCases & { readonly items: readonly Item[] },
  budget: Budget,
): AsyncGenerator<OfRun> {
  const { items, numbers } = placed;
  for (let start = 0; start < items.length; start += READ_AT_ONCE) {
    const some = items.slice(start, start + READ_AT_ONCE);
    const opened = await Promise.all(some.map((item) => nearestFirst(table, suite, item, placed)));
    for (const [index, item] of some.entries()) {
      if (budget.bytes <= 0) return;
      yield { item, outcomes: await outcomesIn(opened[index] ?? [], numbers, budget) };
    }
  }
}

/** The newest first. */
async function endedRuns(
  table: Table,
  { orgId, head }: OfSuite,
  { since, limit }: { readonly since: string; readonly limit: number },
) {
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
  { place }: PlacedCases,
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

async function outcomesIn(
  parts: readonly PackedPart[],
  numbers: ReadonlySet<number>,
  budget: Budget,
): Promise<ReadonlyMap<number, Outcome>> {
  const outcomes = new Map<number, Outcome>();
  for (const part of parts) {
    const unpacked = unpackOutcomes(await part(), numbers, budget.bytes);
    budget.bytes = unpacked === undefined ? 0 : budget.bytes - unpacked.bytes;
    for (const [number, outcome] of unpacked?.outcomes ?? []) outcomes.set(number, outcome);
    if (outcomes.size === numbers.size || budget.bytes <= 0) break;
  }
  return outcomes;
}
