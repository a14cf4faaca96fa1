import * as z from 'zod';
import { baselineSchema } from '../../contracts/baselines/baselines.ts';
import type { BaselineRecord, BaselineStore } from '../../domain/baselines/ports.ts';
import type { AcceptedRuns } from '../../domain/relative/ports.ts';
import type { SuiteChain } from '../../domain/suites/chains/chains.ts';
import { ByName } from '../revisions/byName.ts';
import { readBlob, writeBlob } from '../table/blobs.ts';
import {
  baselineCasesKey,
  baselineKey,
  baselinesOf,
  casesOfBaseline,
  suitePartition,
} from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { packAccepted, unpackAccepted } from './outcomeColumns.ts';

const recordSchema = baselineSchema.omit({ id: true, suite_id: true }).extend({
  name: z.string(),
  previous: z.string().nullable(),
  ordinal: z.int(),
  anchor: z.string(),
});

const recordIn = (item: Item): BaselineRecord => recordSchema.parse(item);

const partitionOf = ({ orgId, id }: SuiteChain): string => suitePartition(orgId, id);

/** Of cases, in all baselines that a function knows. */
const CASES_MAX = 40_000;

export function baselineStore(table: Table): BaselineStore {
  const known = new ByName<AcceptedRuns | undefined>(CASES_MAX);
  return {
    async accepted(suite, name) {
      const partition = partitionOf(suite);
      const [found] = await known.all([baselineCasesKey(partition, name, 0)], async () => {
        const bytes = await readBlob(table, casesOfBaseline(partition, name));
        if (bytes.length === 0) return [{ value: undefined, size: 0 }];
        const value = unpackAccepted(bytes);
        return [{ value, size: value.cases.length + 1 }];
      });
      return found;
    },

    async find(suite, name) {
      const item = await table.get(baselineKey(partitionOf(suite), name));
      return item && recordIn(item);
    },

    async newest(suite, limit) {
      const items = await table.query(baselinesOf(partitionOf(suite)), { newestFirst: true, limit });
      return items.map(recordIn);
    },

    async put(suite, record, accepted) {
      const partition = partitionOf(suite);
      const keyOf = (part: number) => baselineCasesKey(partition, record.name, part);
      await Promise.all([
        writeBlob(table, packAccepted(accepted), keyOf, {}),
        table.put({ ...baselineKey(partition, record.name), ...record }),
      ]);
    },
  };
}
