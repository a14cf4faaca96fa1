import type { Quota } from '../../../domain/runs/ports.ts';
import type { SuiteHead } from '../../../domain/suites/ports.ts';
import { dayOf } from '../../../domain/time.ts';
import { addToDay } from '../../suites/dayRollups.ts';
import { putNew } from '../../table/documents.ts';
import { createTurns } from '../../table/inTurn.ts';
import { runKey, type Shard } from '../../table/keys.ts';
import { createSpread, type Spread } from '../../table/shards.ts';
import type { Item, Table } from '../../table/table.ts';
import { countUsage } from '../usage.ts';
import { tryCountedNumber } from './countedNumbers.ts';
import { itemAt, type NewRun, type Numbered, type RunPlaceAndTime } from './newRuns.ts';
import { currentHead, tryTaking } from './takenNumbers.ts';

/** The waits between so many tries come to 2 s at most: then the caller is better told to come back. */
const STORE_TRIES_MAX = 13;

interface Taken {
  readonly place: RunPlaceAndTime;
  readonly orderedAt: string;
}

const placeIn = ({ suiteId, runCount, lastRunAt, orderedAt }: SuiteHead): Taken => {
  const createdAt = lastRunAt ?? '';
  return { place: { suiteId, number: runCount, createdAt }, orderedAt: orderedAt ?? createdAt };
};

/** Several functions that meet on a head wait, then read it again. The first repetition knows it from its failure. */
async function takeNumber(table: Table, run: NewRun): Promise<Taken | 'busy' | undefined> {
  let head: SuiteHead | undefined = run.head;
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    if (attempt > 1) {
      await table.backoff(attempt);
      head = await currentHead(table, run);
    }
    const tried: Awaited<ReturnType<typeof tryTaking>> = head && (await tryTaking(table, run, head));
    if (tried === undefined) return undefined;
    if (tried.taken) return placeIn(tried.head);
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

/** Stores the run under its number, with all that counts it, or nothing of it. Undefined: the number is taken. */
async function storeTaken(
  { table, spread }: { readonly table: Table; readonly spread: Spread },
  run: NewRun,
  taken: Taken,
): Promise<Numbered> {
  const { orgId, runToken } = run;
  const { place, orderedAt } = taken;
  const item = itemAt(run, place, orderedAt);
  let isShardOpen = true;
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    const shard = spread.shardFor(orgId, runToken, attempt);
    const writes = writesOf(run, taken, { item, shard, isShardOpen });
    const outcome = await table.transact<string>(writes, { once: true });
    if (outcome.committed) return { place, item };
    const { run: there, usage, ...others } = Object.fromEntries(outcome.failed);
    // It is of this run, and was written before its answer got lost.
    if (there?.attempt === runToken) return { place, item: there };
    if (Object.keys(others).length > 0) return { place, refused: new Map(Object.entries(others)) };
    if (usage !== undefined) isShardOpen = false;
    else {
      spread.met(orgId);
      await table.backoff(attempt);
    }
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
    return taken === undefined || taken === 'busy' ? taken : storeTaken(stores, run, taken);
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
