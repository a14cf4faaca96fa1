import type { PageQuery } from '../../contracts/base/common.ts';
import type { Page } from '../../domain/ports.ts';
import type { StoredRun } from '../../domain/runs/ports.ts';
import type { SuiteHead } from '../../domain/suites/stored.ts';
import type { Table } from '../table/table.ts';
import { readRun } from './runItems.ts';
import { numberOf, runsBetween, runsSince } from './runOrder.ts';

interface RunPageRequest {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** Older runs are past the plan's retention. */
  readonly since: string;
  readonly query: PageQuery;
}

/**
 * Every page is one range of numbers, and costs the same. A number that was taken for a run which was not stored counts
 * in the total, and its page holds a run less: unless one page holds all, which is then counted.
 */
export async function readRunPage(table: Table, request: RunPageRequest): Promise<Page<StoredRun>> {
  const { orgId, head, since, query } = request;
  const { page, pageSize } = query;
  const { suiteId } = head;
  const retained = await runsSince(table, { orgId, head }, since);
  const total = retained.last - retained.first + 1;
  const last = retained.last - (page - 1) * pageSize;
  const first = Math.max(retained.first, last - pageSize + 1);
  if (first > last) return { items: [], total };
  const items = await table.query(runsBetween(orgId, suiteId, { first, last }), { newestFirst: true });
  const runs = items
    .filter(({ created_at }) => String(created_at) >= since)
    .map((item) => readRun(item, { suiteId, number: numberOf(item) }));
  return { items: runs, total: page === 1 && total <= pageSize ? runs.length : total };
}
