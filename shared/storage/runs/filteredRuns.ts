import type { FilteredRunStore } from '../../domain/runs/read.ts';
import { runKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { readRun, sourceIn } from './runItems.ts';
import { numberOf, runsBetween, runsSince } from './runOrder.ts';

/** A run is about a kilobyte: so many take 1,250 read units. */
const LOOKED_AT_MAX = 5_000;
/** By their numbers: about a megabyte. */
const READ_AT_ONCE = 1_000;

interface Bounds {
  readonly lookedAtMax: number;
  readonly readAtOnce: number;
}

/** All but whose run it is would be held in vain. */
const slim = ({ sk, created_at, created_by, trigger_meta }: Item): Item => ({
  sk,
  created_at,
  created_by,
  trigger_meta,
});

export const filteredRunStore = (table: Table): FilteredRunStore =>
  filteredRuns(table, { lookedAtMax: LOOKED_AT_MAX, readAtOnce: READ_AT_ONCE });

export const filteredRuns = (table: Table, { lookedAtMax, readAtOnce }: Bounds): FilteredRunStore => ({
  async filtered(orgId, head, { since, isRequested, query }) {
    const { suiteId } = head;
    const retained = await runsSince(table, { orgId, head }, since);
    const oldest = Math.max(retained.first, retained.last - lookedAtMax + 1);
    const runNumbers: number[] = [];
    for (let { last } = retained; last >= oldest; last -= readAtOnce) {
      const range = runsBetween(orgId, suiteId, { first: Math.max(oldest, last - readAtOnce + 1), last });
      const items = await table.query(range, { newestFirst: true, slim });
      const requested = items.filter(
        (item) => String(item.created_at) >= since && isRequested(sourceIn(item)),
      );
      runNumbers.push(...requested.map(numberOf));
    }
    const start = (query.page - 1) * query.pageSize;
    const numbers = runNumbers.slice(start, start + query.pageSize);
    const items = await table.getMany(numbers.map((number) => runKey(orgId, suiteId, number)));
    return {
      items: items.flatMap((item) =>
        item === undefined ? [] : [readRun(item, { suiteId, number: numberOf(item) })],
      ),
      total: runNumbers.length,
      truncated: oldest > retained.first,
    };
  },
});
