import { quotaOf } from '../../../domain/plans.ts';
import type { RunPlace } from '../../../domain/runs/ids.ts';
import { dayOf } from '../../../domain/time.ts';
import { addToDay } from '../../suites/dayRollups.ts';
import { putNew } from '../../table/documents.ts';
import { createTurns } from '../../table/inTurn.ts';
import { runKey, type Shard } from '../../table/keys.ts';
import { createSpread, type Spread } from '../../table/shards.ts';
import type { Item, Table } from '../../table/table.ts';
import { countUsage, countWithinQuota, usedBefore } from '../usage.ts';
import type { NewRun, Numbered } from './newRuns.ts';
import { returnNumber, type TakenNumber, takeNumber } from './takeNumber.ts';

/** The waits between so many tries come to 2 s at most: then a 429 says when to try again. */
const STORE_TRIES_MAX = 13;

interface Counted {
  readonly shard: Shard;
  /** Undefined under a plan that blocks no runs. */
  readonly left: number | undefined;
}

function writesOf(run: NewRun, place: RunPlace, item: Item, { shard, left }: Counted) {
  const { orgId, createdAt, figures, isOfDefaultBranch } = run;
  const { suiteId, number } = place;
  const day = { orgId, suiteId, day: dayOf(createdAt), isOfDefaultBranch };
  return {
    run: putNew(runKey(orgId, suiteId, number), item),
    usage: left === undefined ? countUsage(run, shard) : countWithinQuota(run, left),
    ...(figures.runs > 0 && { day: addToDay(day, figures, shard) }),
    ...run.alongside(place),
  };
}

interface Stores {
  readonly table: Table;
  readonly spread: Spread;
}

/** Stores the run under its number, with all that counts it, or nothing of it. */
async function storeRun(
  { table, spread }: Stores,
  run: NewRun,
  place: RunPlace,
  item: Item,
): Promise<Numbered> {
  const quota = quotaOf(run.plan.id);
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    const shard = spread.shardFor(run.orgId, run.runToken, attempt);
    const before = quota === undefined ? 0 : await usedBefore(table, run);
    const left = quota === undefined ? undefined : quota - before;
    const outcome = await table.transact<string>(writesOf(run, place, item, { shard, left }), { once: true });
    if (outcome.committed) return { place, item };
    const { run: there, ...otherFailures } = Object.fromEntries(outcome.failed);
    // It is of this run, and was written before its answer got lost.
    if (there?.attempt === run.runToken) return { place, item: there };
    const refused = new Map(Object.entries(otherFailures));
    if (refused.size > 0) return { refused, usedBefore: before };
    spread.met(run.orgId);
    await table.backoff(attempt);
  }
  return 'busy';
}

/** What the item of a run has by its number. */
export const numberAttributes = (
  { runToken, createdAt, isOfDefaultBranch }: Pick<NewRun, 'runToken' | 'createdAt' | 'isOfDefaultBranch'>,
  { orderedAt, defaultRun }: Omit<TakenNumber, 'number'>,
): Item => ({
  attempt: runToken,
  ...(orderedAt !== createdAt && { ordered_at: orderedAt }),
  ...(!isOfDefaultBranch && { default_run: defaultRun }),
});

/**
 * A run takes its number first. What counts it is spread, so that runs which are stored at once hardly meet. Under a
 * plan that blocks further runs they all meet on the month's one usage item: within a process they are stored one after
 * the other.
 */
export function createNumbering(table: Table) {
  const inTurn = createTurns();
  const stores = { table, spread: createSpread() };

  async function numbered(run: NewRun): Promise<Numbered> {
    const taken = await takeNumber(table, run);
    if (taken === undefined) return undefined;
    const { number } = taken;
    const item = { ...run.item, ...numberAttributes(run, taken) };
    const stored = await storeRun(stores, run, { suiteId: run.head.suiteId, number }, item);
    const isRefused = typeof stored === 'object' && 'refused' in stored;
    if (isRefused) await returnNumber(table, run, number);
    return stored;
  }

  return (run: NewRun): Promise<Numbered> =>
    quotaOf(run.plan.id) === undefined ? numbered(run) : inTurn(run.orgId, () => numbered(run));
}
