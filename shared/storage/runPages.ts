import type { PageQuery } from '../contracts/common.ts';
import type { Run } from '../contracts/runs.ts';
import type { Page, SuiteHead } from '../domain/ports.ts';
import { runKey, SK } from './keys.ts';
import { readRun } from './runItems.ts';
import type { Item, QueryRange, Table } from './table.ts';

interface RunPageRequest {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** Older runs are past the plan's retention. */
  readonly since: string;
  readonly query: PageQuery;
}

/** Runs are numbered without gaps, so any page is one range of numbers and costs the same at any depth. */
export async function readRunPage(table: Table, request: RunPageRequest): Promise<Page<Run>> {
  const { orgId, head, query } = request;
  const { suiteId, runCount } = head;
  const oldest = await firstRunSince(table, request, request.since);
  const total = runCount - oldest + 1;
  const newest = runCount - (query.page - 1) * query.pageSize;
  const last = Math.max(oldest, newest - query.pageSize + 1);
  if (newest < last) return { items: [], total };
  const items = await table.query(runsBetween(orgId, suiteId, last, newest), { newestFirst: true });
  // A clock that ran ahead put a run before others that are past their retention.
  const retained = items.filter(({ created_at }) => String(created_at) >= request.since);
  return { items: retained.map((item) => readRun(item, { suiteId, number: numberOf(item) })), total };
}

/** The number of the first run created at this moment or later: `runCount + 1` when there is none. */
export async function firstRunSince(
  table: Table,
  { orgId, head }: { orgId: string; head: SuiteHead },
  since: string,
): Promise<number> {
  // Times rise with numbers.
  const isSince = async (number: number): Promise<boolean> => {
    const item = await table.get(runKey(orgId, head.suiteId, number));
    const at =
      item && (isAhead(item, head) ? await timeAfter(table, { orgId, head }, number) : item.created_at);
    return at !== undefined && String(at) >= since;
  };
  let low = 1;
  let high = head.runCount + 1;
  if (high === 1 || (await isSince(1))) return 1;
  low = 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await isSince(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

const isAhead = ({ created_at }: Item, { lastRunAt }: SuiteHead): boolean =>
  lastRunAt !== null && String(created_at) > lastRunAt;

const LOOKED_AT = 100;

/** A run of a clock that was ahead does not say how old the runs around it are: the next ones do. */
async function timeAfter(
  table: Table,
  { orgId, head }: { orgId: string; head: SuiteHead },
  number: number,
): Promise<unknown> {
  const range = runsBetween(orgId, head.suiteId, number + 1, Math.min(head.runCount, number + LOOKED_AT));
  const next = (await table.query(range)).find((item) => !isAhead(item, head));
  return next?.created_at;
}

/** Runs by their numbers, both ends included. */
export function runsBetween(orgId: string, suiteId: string, from: number, to: number): QueryRange {
  const { pk, sk } = runKey(orgId, suiteId, from);
  return { pk, between: [sk, runKey(orgId, suiteId, to).sk] };
}

export const numberOf = (item: Item): number => Number(String(item[SK]).slice('RUN#'.length));
