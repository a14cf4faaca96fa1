import type { SuiteHead } from '../../domain/suites/ports.ts';
import { DAY_MS, timestamp } from '../../domain/time.ts';
import { runKey, SK } from '../table/keys.ts';
import type { Item, QueryRange, Table } from '../table/table.ts';

/** Runs by their numbers, both ends included. */
export interface RunRange {
  readonly first: number;
  readonly last: number;
}

interface RisingRange extends RunRange {
  /** No run of the range was created later. */
  readonly latest: string;
}

/** No more falls are stored, so that the head stays small: more of them come from a clock that is always wrong. */
const FALLS_MAX = 20;
const SMALL_FALLS_MAX = 10;
const SMALL_FALL_MS = 3_600_000;
/** Longer than any run is retained. */
const NOTED_DAYS = 400;

export type RunOrder = Pick<SuiteHead, 'orderedAt' | 'falls'>;

/**
 * The time that a suite's next run is ordered by. Times rise with numbers except where a clock was wrong: there the
 * head stores a fall. If it can store no more, the run is ordered by the time of the run before it; its own time
 * stays as it is.
 */
export function orderAfter({ orderedAt, falls, runCount }: SuiteHead, createdAt: string): RunOrder {
  if (orderedAt === null || createdAt >= orderedAt) return { orderedAt: createdAt, falls };
  const createdMs = Date.parse(createdAt);
  const isSmall = Date.parse(orderedAt) - createdMs <= SMALL_FALL_MS;
  const noted = falls.filter(({ from }) => from >= timestamp(createdMs - NOTED_DAYS * DAY_MS));
  if (noted.length >= (isSmall ? SMALL_FALLS_MAX : FALLS_MAX)) return { orderedAt, falls };
  return { orderedAt: createdAt, falls: [...noted, { number: runCount + 1, from: orderedAt }] };
}

/** Ranges of numbers within which times rise, the oldest first, without ranges that end before this moment. */
export function risingRanges({ orderedAt, falls, runCount }: SuiteHead, since: string): RisingRange[] {
  const ends = [...falls, { number: runCount + 1, from: orderedAt ?? '' }];
  return ends
    .map(({ number, from }, index) => ({
      first: ends[index - 1]?.number ?? 1,
      last: number - 1,
      latest: from,
    }))
    .filter(({ first, last, latest }) => first <= last && latest >= since);
}

/** The runs that were created at this moment or later, the oldest first. */
export async function runsSince(
  table: Table,
  { orgId, head }: { orgId: string; head: SuiteHead },
  since: string,
): Promise<RunRange[]> {
  const ranges = risingRanges(head, since).map(async ({ first, last }) => ({
    first: await firstSince(table, { orgId, suiteId: head.suiteId, first, last }, since),
    last,
  }));
  return (await Promise.all(ranges)).filter(({ first, last }) => first <= last);
}

/** The number of the first such run: numbers without a run are stepped over. Without one, the number after the last. */
async function firstSince(
  table: Table,
  { orgId, suiteId, first, last }: RunRange & { orgId: string; suiteId: string },
  since: string,
): Promise<number> {
  // Of this number or the next one that has a run. An expired run that is still there tells, too.
  const nextRun = async (number: number): Promise<Item | undefined> => {
    const range = runsBetween(orgId, suiteId, { first: number, last });
    return (await table.query(range, { limit: 1, withExpired: true }))[0];
  };
  const isBefore = (item: Item | undefined): item is Item => item !== undefined && orderedAtOf(item) < since;
  const numberAt = (item: Item | undefined): number => (item === undefined ? last + 1 : numberOf(item));
  const oldest = await nextRun(first);
  if (!isBefore(oldest)) return numberAt(oldest);
  let found = last + 1;
  let low = numberOf(oldest) + 1;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = await nextRun(middle);
    if (isBefore(item)) low = numberOf(item) + 1;
    else [high, found] = [middle, numberAt(item)];
  }
  return found;
}

export const orderedAtOf = ({ ordered_at, created_at }: Item): string => String(ordered_at ?? created_at);

export function runsBetween(orgId: string, suiteId: string, { first, last }: RunRange): QueryRange {
  const { pk, sk } = runKey(orgId, suiteId, first);
  return { pk, between: [sk, runKey(orgId, suiteId, last).sk] };
}

export const numberOf = (item: Item): number => Number(String(item[SK]).slice('RUN#'.length));
