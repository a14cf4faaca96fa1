import type { PageQuery } from '../../contracts/base/common.ts';
import type { Run } from '../../contracts/runs.ts';
import type { Page } from '../../domain/ports.ts';
import type { SuiteHead } from '../../domain/suites/ports.ts';
import type { Table } from '../table/table.ts';
import { readRun } from './runItems.ts';
import { numberOf, type RunRange, runsBetween, runsSince } from './runOrder.ts';

interface RunPageRequest {
  readonly orgId: string;
  readonly head: SuiteHead;
  /** Older runs are past the plan's retention. */
  readonly since: string;
  readonly query: PageQuery;
}

/**
 * Every page is one range of numbers, or a few, and costs the same. A number that was taken for a run which was not
 * stored counts in the total, and its page holds a run less: unless one page holds all, which is then counted.
 */
export async function readRunPage(table: Table, request: RunPageRequest): Promise<Page<Run>> {
  const { orgId, head, since, query } = request;
  const { suiteId } = head;
  const ranges = await runsSince(table, { orgId, head }, since);
  const total = ranges.reduce((sum, range) => sum + sizeOf(range), 0);
  const reads = rangesOfPage(ranges, query).map((range) =>
    table.query(runsBetween(orgId, suiteId, range), { newestFirst: true }),
  );
  const items = (await Promise.all(reads)).flat();
  // Runs of a clock that is often wrong may be among newer ones.
  const retained = items.filter(({ created_at }) => String(created_at) >= since);
  const runs = retained.map((item) => readRun(item, { suiteId, number: numberOf(item) }));
  return { items: runs, total: query.page === 1 && total <= query.pageSize ? runs.length : total };
}

const sizeOf = ({ first, last }: RunRange): number => last - first + 1;

/** The parts of these ranges that make up a page, the newest first: one, unless a clock was wrong. */
function rangesOfPage(ranges: readonly RunRange[], { page, pageSize }: PageQuery): RunRange[] {
  let skipped = (page - 1) * pageSize;
  let wanted = pageSize;
  const parts: RunRange[] = [];
  for (const range of ranges.toReversed()) {
    const last = range.last - skipped;
    const first = Math.max(range.first, last - wanted + 1);
    skipped = Math.max(0, skipped - sizeOf(range));
    if (first > last) continue;
    parts.push({ first, last });
    wanted -= sizeOf({ first, last });
  }
  return parts;
}
