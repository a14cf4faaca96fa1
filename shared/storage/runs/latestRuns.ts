import { latestRunSchema } from '../../contracts/suites.ts';
import { runId } from '../../domain/runs/ids.ts';
import { originOf } from '../../domain/runs/origin.ts';
import type { LatestRunStore } from '../../domain/suites/shownSuite.ts';
import type { Item, Table } from '../table/table.ts';
import { sourceIn } from './runItems.ts';
import { numberOf, runsBetween } from './runOrder.ts';

const NUMBER_MAX = 2 ** 40 - 1;
/** More are wanted only where so many numbers in a row have no run, or the default branch is another one now. */
const LOOKED_AT_MAX = 20;

/** The number of the default branch's latest run before, or one above it. */
function numberBefore(item: Item): number {
  const before = numberOf(item) - 1;
  return Math.min(before, Number(item.default_run ?? before));
}

export function latestRunStore(table: Table): LatestRunStore {
  async function newestUpTo(orgId: string, suiteId: string, last: number, since: string) {
    if (last < 1) return undefined;
    const range = runsBetween(orgId, suiteId, { first: 1, last });
    // An expired one, behind which there may be thousands, ends the search.
    const [newest] = await table.query(range, { newestFirst: true, limit: 1, withExpired: true });
    return newest !== undefined && String(newest.created_at) >= since ? newest : undefined;
  }

  return {
    async latest(orgId, { id: suiteId, default_ref }, since) {
      const newest = await newestUpTo(orgId, suiteId, NUMBER_MAX, since);
      if (newest === undefined) return null;
      const shown = (item: Item) => {
        const id = runId({ suiteId, number: numberOf(item) });
        return latestRunSchema.parse({ ...item, ...originOf(sourceIn(item), default_ref), id });
      };
      let item: Item | undefined = newest;
      for (let lookedAt = 0; item !== undefined && lookedAt < LOOKED_AT_MAX; lookedAt++) {
        const run = shown(item);
        if (run.is_default_branch) return run;
        item = await newestUpTo(orgId, suiteId, numberBefore(item), since);
      }
      return shown(newest);
    },
  };
}
