import type { PageQuery } from '../contracts/common.ts';
import type { Run } from '../contracts/runs.ts';
import type { Page, SuiteHead } from '../domain/ports.ts';
import { runKey, SK } from './keys.ts';
import { readRun } from './runItems.ts';
import type { Table } from './table.ts';

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
  const oldest = await oldestVisible(table, request);
  const total = runCount - oldest + 1;
  const newest = runCount - (query.page - 1) * query.pageSize;
  const last = Math.max(oldest, newest - query.pageSize + 1);
  if (newest < last) return { items: [], total };
  const { pk, sk: to } = runKey(orgId, suiteId, newest);
  const items = await table.query(
    { pk, between: [runKey(orgId, suiteId, last).sk, to] },
    { newestFirst: true },
  );
  const numberOf = (sk: unknown): number => Number(String(sk).slice('RUN#'.length));
  return { items: items.map((item) => readRun(item, { suiteId, number: numberOf(item[SK]) })), total };
}

/** The number of the oldest run within retention: `runCount + 1` when there is none. Times rise with numbers. */
async function oldestVisible(table: Table, { orgId, head, since }: RunPageRequest): Promise<number> {
  const visible = async (number: number): Promise<boolean> => {
    const item = await table.get(runKey(orgId, head.suiteId, number));
    return item !== undefined && String(item.created_at) >= since;
  };
  let low = 1;
  let high = head.runCount + 1;
  if (high === 1 || (await visible(1))) return 1;
  low = 2;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await visible(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
