import { quotaOf } from '../../../domain/plans.ts';
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
import { type BlockedRun, itemAt, type NewRun, type Numbered, type RunPlaceAndTime } from './newRuns.ts';
import { currentHead, tryTaking } from './takenNumbers.ts';

/** The waits between so many tries come to 2 s at most: then the caller is better told to come back. */
const STORE_TRIES_MAX = 13;

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

function writesOf(run: NewRun, { place }: Taken, item: Item, shard: Shard) {
  const { orgId, figures, plan } = run;
  const { suiteId, createdAt } = place;
  return {
    run: putNew(runKey(orgId, suiteId, place.number), item),
    usage: countUsage({ orgId, createdAt, plan }, shard),
    ...(figures.runs > 0 && { day: addToDay({ orgId, suiteId, day: dayOf(createdAt) }, figures, shard) }),
    ...run.alongside(place),
  };
}

type Failed = ReadonlyMap<string, Item | undefined>;

/** What failed writes say of the run. Undefined: it is worth another try. */
function endOf({ runToken }: NewRun, { place }: Taken, failed: Failed): Numbered {
  const { run: there, ...others } = Object.fromEntries(failed);
  // It is of this run, and was written before its answer got lost.
  if (there?.attempt === runToken) return { place, item: there };
  return Object.keys(others).length > 0 ? { place, refused: new Map(Object.entries(others)) } : undefined;
}

interface Stores {
  readonly table: Table;
  readonly spread: Spread;
}

/** Stores the run under its number, with all that counts it, or nothing of it. */
async function storeTaken({ table, spread }: Stores, run: NewRun, taken: Taken): Promise<Numbered> {
  const item = itemAt(run, taken.place, taken.orderedAt);
  for (let attempt = 0; attempt < STORE_TRIES_MAX; attempt++) {
    const shard = spread.shardFor(run.orgId, run.runToken, attempt);
    const outcome = await table.transact<string>(writesOf(run, taken, item, shard), { once: true });
    if (outcome.committed) return { place: taken.place, item };
    const end = endOf(run, taken, outcome.failed);
    if (end !== undefined) return end;
    spread.met(run.orgId);
    await table.backoff(attempt);
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
    const quota = quotaOf(run.plan.id);
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
  run: BlockedRun,
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
