import type { CaseInputStore } from '../../domain/runs/results/excerpts.ts';
import { chunksOf } from '../table/batches.ts';
import { caseKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const READ_AT_ONCE = 100;

export function caseInputStore(table: Table): CaseInputStore {
  return {
    async inputs(orgId, suiteId, caseIds, unchangedSince) {
      const inputs = new Map<string, string>();
      for (const ids of chunksOf(caseIds, READ_AT_ONCE)) {
        const items = await table.getMany(ids.map((id) => caseKey(orgId, suiteId, id)));
        for (const item of items) {
          if (item === undefined || String(item.updated_at) > unchangedSince) continue;
          inputs.set(String(item.id), String(item.input));
        }
      }
      return inputs;
    },
  };
}
