import { placeOfRun } from '../../domain/runs/ids.ts';
import type { RunReader } from '../../domain/runs/ports.ts';
import { runKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readStoredResults } from './results/storedResults.ts';
import { readRun } from './runItems.ts';
import { readRunPage } from './runPages.ts';

/** For functions that store none. */
export function runReader(table: Table): RunReader {
  async function itemOf(orgId: string, id: string) {
    const place = placeOfRun(id);
    const item = place && (await table.get(runKey(orgId, place.suiteId, place.number)));
    return item && { place, item };
  }

  return {
    async find(orgId, id) {
      const stored = await itemOf(orgId, id);
      return stored && readRun(stored.item, stored.place);
    },

    async results(orgId, id, keep) {
      const stored = await itemOf(orgId, id);
      if (stored === undefined) return undefined;
      const place = { orgId, suiteId: stored.place.suiteId, runToken: String(stored.item.attempt) };
      return readStoredResults(table, place, stored.item, keep);
    },

    page: (orgId, head, since, query) => readRunPage(table, { orgId, head, since, query }),
  };
}
