import type { Quota } from '../../../domain/runs/ports.ts';
import type { SuiteHead } from '../../../domain/suites/ports.ts';
import { dayOf, monthOf, timestamp } from '../../../domain/time.ts';
import { addToDay } from '../../suites/dayRollups.ts';
import { putNew } from '../../table/documents.ts';
import { createTurns } from '../../table/inTurn.ts';
import { runKey, type Shard } from '../../table/keys.ts';
import { createSpread, type Spread } from '../../table/shards.ts';
import type { Item, Table } from '../../table/table.ts';
import { countUsage } from '../usage.ts';
import { CLOSED_BY_PLAN, isLeft, reopenShards } from '../usageShards.ts';
import { tryCountedNumber } from './countedNumbers.ts';
import { itemAt, type NewRun, type Numbered, type RunPlaceAndTime } from './newRuns.ts';
import { currentHead, tryTaking } from './takenNumbers.ts';

/** The waits between so many tries come to 2 s at most: then the caller is better told to come back. */
const STORE_TRIES_MAX = 13;

/** The first wait for a change of plan, by its place among waits: a change keeps shards closed for some 100 ms. */
const CHANGE_WAIT = 4;
/** A run that has waited longer for it is counted in the first item. */
const SHARD_TRIES_MAX = 9;

interface Taken {
  readonly place: RunPlaceAndTime;
  readonly orderedAt: string;
}

type NotTaken = Exclude<Numbered, { readonly place: RunPlaceAndTime }>;

const placeIn = ({ suiteId, runCount, lastRunAt, orderedAt }: SuiteHead): Taken => {
  const createdAt = lastRunAt ?? '';
  return { place: { suiteId, number: runCount, createdAt }, orderedAt: orderedAt ?? createdAt };
};

/** Several functions that meet on a head wait, then read it again. The first repetition knows it from its failure. */
async function takeNumber(table: Table, run: NewRun): Promise<Taken | NotTaken> {
  let head: SuiteHead | undefined = run.head;
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    if (attempt > 1) {
      await table.backoff(attempt);
      head = await currentHead(table, run);
    }
    const tried: Awaited<ReturnType<typeof tryTaking>> = head && (await tryTaking(table, run, head));
    if (tried === undefined) return undefined;
    if (tried.taken)
      return run.holdsAt(tried.head.lastRunAt ?? '') ? placeIn(tried.head) : { otherTime: tried.head };
    head = tried.head;
  }
  return 'busy';
}

interface Stored {
  readonly item: Item;
  readonly shard: Shard;
  readonly isShardOpen: boolean;
}

function writesOf(run: NewRun, { place }: Taken, { item, shard, isShardOpen }: Stored) {
  const { orgId, figures } = run;
  const { suiteId, createdAt } = place;
  const counted = isShardOpen ? shard : undefined;
  // Where the run is counted, in case it is given back.
  const isPending = item.status === 'pending' && counted !== undefined;
  return {
    run: putNew(runKey(orgId, suiteId, place.number), {
      ...item,
      ...(isPending && { usage_shard: counted }),
    }),
    usage: countUsage({ orgId, createdAt, shard: counted }),
    ...(figures.runs > 0 && { day: addToDay({ orgId, suiteId, day: dayOf(createdAt) }, figures, shard) }),
    ...run.alongside(place),
  };
}

type Failed = ReadonlyMap<string, Item | undefined>;

/** What failed writes say of the run. Undefined: it is worth another try. */
function endOf({ runToken }: NewRun, { place }: Taken, failed: Failed): Numbered {
  const { run: there, usage: _, ...others } = Object.fromEntries(failed);
  // It is of this run, and was written before its answer got lost.
  if (there?.attempt === runToken) return { place, item: there };
  return Object.keys(others).length > 0 ? { place, refused: new Map(Object.entries(others)) } : undefined;
}

interface Stores {
  readonly table: Table;
  readonly spread: Spread;
}

/** Waits for others as long as is worth it. Returns whether shards are to be tried again, and after which wait. */
async function afterMeeting(
  { table, spread }: Stores,
  run: NewRun,
  { place }: Taken,
  { closed, attempt }: { readonly closed: unknown; readonly attempt: number },
): Promise<{ isShardOpen: boolean; waited: number }> {
  if (closed === undefined) spread.met(run.orgId);
  else if (closed === CLOSED_BY_PLAN || attempt >= SHARD_TRIES_MAX) {
    return { isShardOpen: false, waited: attempt };
  } else if (isLeft(String(closed), timestamp(run.startedAtMs))) {
    await reopenShards(table, { orgId: run.orgId, month: monthOf(place.createdAt) }, String(closed));
  }
  const waited = closed === undefined ? attempt : Math.max(attempt, CHANGE_WAIT);
  await table.backoff(waited);
  return { isShardOpen: true, waited };
}

/** Stores the run under its number, with all that counts it, or nothing of it. */
async function storeTaken(stores: Stores, run: NewRun, taken: Taken): Promise<Numbered> {
  const item = itemAt(run, taken.place, taken.orderedAt);
  let usesShard = true;
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    const shard = stores.spread.shardFor(run.orgId, run.runToken, attempt);
    const writes = writesOf(run, taken, { item, shard, isShardOpen: usesShard });
    const outcome = await stores.table.transact<string>(writes, { once: true });
    if (outcome.committed) return { place: taken.place, item };
    const end = endOf(run, taken, outcome.failed);
    if (end !== undefined) return end;
    const closed = outcome.failed.get('usage')?.closed;
    const { isShardOpen, waited } = await afterMeeting(stores, run, taken, { closed, attempt });
    usesShard &&= isShardOpen;
    attempt = waited;
  }
  return 'busy';
}

/**
 * Under a plan that blocks further runs, the organisation's one usage item is in every transaction: there the number
 * is, too, and within a process the runs of a suite are stored one after the other. Under other plans a run takes its
 * number first, and what counts it is spread, so that runs which are stored at once hardly meet.
 */
export function createNumbering(table: Table) {
  const inTurn = createTurns<SuiteHead>();
  const stores = { table, spread: createSpread() };
  return async (run: NewRun): Promise<Numbered> => {
    const { quota } = run;
    if (quota !== undefined) {
      return inTurn(`${run.orgId}/${run.head.suiteId}`, (left) => counted(table, { ...run, quota }, left));
    }
    const taken = await takeNumber(table, run);
    return typeof taken === 'object' && 'place' in taken ? storeTaken(stores, run, taken) : taken;
  };
}

const newestOf = (read: SuiteHead, left: SuiteHead | undefined): SuiteHead =>
  left !== undefined && left.runCount > read.runCount ? left : read;

async function counted(
  table: Table,
  run: NewRun & { readonly quota: Quota },
  left: SuiteHead | undefined,
): Promise<{ result: Numbered; leaves?: SuiteHead }> {
  let head: SuiteHead | undefined = newestOf(run.head, left);
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    if (attempt > 0) {
      await table.backoff(attempt);
      head = await currentHead(table, run);
    }
    if (head === undefined) return { result: undefined };
    const step = await tryCountedNumber(table, run, head);
    if (step !== undefined) return step;
  }
  return { result: 'busy' };
}
