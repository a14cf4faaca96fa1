import { latestRunSchema } from '../../contracts/suites.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { LatestRunStore } from '../../domain/suites/shownSuite.ts';
import { runKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { numberOf } from './runOrder.ts';

export function latestRunStore(table: Table): LatestRunStore {
  return {
    async latest(orgId, suiteId, since) {
      const range = { pk: runKey(orgId, suiteId, 1).pk, prefix: 'RUN#' };
      // An expired one, behind which there may be thousands, ends the search.
      const [newest] = await table.query(range, { newestFirst: true, limit: 1, withExpired: true });
      if (newest === undefined || String(newest.created_at) < since) return null;
      return latestRunSchema.parse({ ...newest, id: runId({ suiteId, number: numberOf(newest) }) });
    },
  };
}
