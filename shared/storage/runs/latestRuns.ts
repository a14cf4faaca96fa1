import { latestRunSchema } from '../../contracts/suites.ts';
import { runId } from '../../domain/runs/ids.ts';
import type { LatestRunStore } from '../../domain/suites/latestRun.ts';
import { runKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { numberOf } from './runOrder.ts';

/** More are read where the newest run is too old: one before it may not be, if a clock was wrong. */
const LOOKED_AT = [1, 10];

export function latestRunStore(table: Table): LatestRunStore {
  return {
    async latest(orgId, suiteId, since) {
      const range = { pk: runKey(orgId, suiteId, 1).pk, prefix: 'RUN#' };
      for (const limit of LOOKED_AT) {
        // Expired ones, of which there may be thousands, end the search: they are too old.
        const items = await table.query(range, { newestFirst: true, limit, withExpired: true });
        const latest = items.find(({ created_at }) => String(created_at) >= since);
        if (latest !== undefined) {
          return latestRunSchema.parse({ ...latest, id: runId({ suiteId, number: numberOf(latest) }) });
        }
        if (items.length < limit) break;
      }
      return null;
    },
  };
}
