import { CASES_READ_AT_ONCE, type CaseInputStore, sourceOf } from '../../domain/runs/results/excerpts.ts';
import { chunksOf } from '../table/batches.ts';
import { caseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

export function caseInputStore(table: Table): CaseInputStore {
  return {
    async inputs(orgId, suiteId, caseIds, unchangedSince) {
      const inputs = new Map<string, string>();
      for (const ids of chunksOf(caseIds, CASES_READ_AT_ONCE)) {
        const items = await table.getMany(ids.map((id) => caseKey(orgId, suiteId, id)));
        for (const item of items) {
          if (item === undefined || String(item.updated_at) > unchangedSince) continue;
          inputs.set(String(item.id), sourceOf(item.input, ''));
        }
      }
      return inputs;
    },
  };
}
