import type { SuiteHead } from '../../domain/suites/stored.ts';
import { runKey, SK } from '../table/keys.ts';
import type { Item, QueryRange, Table } from '../table/table.ts';

/** Runs by their numbers, both ends included. */
export interface RunRange {
  readonly first: number;
  readonly last: number;
}

/** The runs that were created at this moment or later, and any others between them. Empty if `first` is above `last`. */
export async function runsSince(
  table: Table,
  { orgId, head }: { orgId: string; head: SuiteHead },
  since: string,
): Promise<RunRange> {
  const all = { first: 1, last: head.runCount };
  if (head.runCount === 0 || since > (head.lastRunAt ?? '')) return { ...all, first: all.last + 1 };
  return { ...all, first: await firstSince(table, { orgId, suiteId: head.suiteId, ...all }, since) };
}

/** The number of the first such run: numbers without a run are stepped over. Without one, the number after the last. */
async function firstSince(
  table: Table,
  { orgId, suiteId, first, last }: RunRange & { orgId: string; suiteId: string },
  since: string,
): Promise<number> {
  // Of this number or the next one that has a run. An expired run that is still stored is good enough.
  const nextRun = async (number: number): Promise<Item | undefined> => {
    const range = runsBetween(orgId, suiteId, { first: number, last });
    return (await table.query(range, { limit: 1, withExpired: true }))[0];
  };
  const isBefore = (item: Item | undefined): item is Item => item !== undefined && orderedAtOf(item) < since;
  const numberAt = (item: Item | undefined): number => (item === undefined ? last + 1 : numberOf(item));
  const oldest = await nextRun(first);
  if (!isBefore(oldest)) return numberAt(oldest);
  let firstNumber = last + 1;
  let low = numberOf(oldest) + 1;
  let high = last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const item = await nextRun(middle);
    if (isBefore(item)) low = numberOf(item) + 1;
    else [high, firstNumber] = [middle, numberAt(item)];
  }
  return firstNumber;
}

/** It never falls from one number to the next: the latest time of all runs so far. */
export const orderedAtOf = ({ ordered_at, created_at }: Item): string => String(ordered_at ?? created_at);

export function runsBetween(orgId: string, suiteId: string, { first, last }: RunRange): QueryRange {
  const { pk, sk } = runKey(orgId, suiteId, first);
  return { pk, between: [sk, runKey(orgId, suiteId, last).sk] };
}

export const numberOf = (item: Item): number => Number(String(item[SK]).slice('RUN#'.length));
