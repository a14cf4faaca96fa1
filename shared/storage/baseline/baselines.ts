import * as z from 'zod';
import { baselineSchema } from '../../contracts/baseline/baselines.ts';
import type { BaselineRecord, BaselineStore } from '../../domain/baseline/ports.ts';
import type { SuiteChain } from '../../domain/suites/chains/chains.ts';
import { writeBlob } from '../table/blobs.ts';
import { baselineCasesKey, baselineKey, baselinesOf, suitePartition } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { acceptedReader } from './accepted.ts';
import { packAccepted } from './outcomeColumns.ts';

const recordSchema = baselineSchema.omit({ id: true, suite_id: true }).extend({
  name: z.string(),
  previous: z.string().nullable(),
  ordinal: z.int(),
  anchor: z.string(),
});

const recordIn = (item: Item): BaselineRecord => recordSchema.parse(item);

const partitionOf = ({ orgId, id }: SuiteChain): string => suitePartition(orgId, id);

export function baselineStore(table: Table): BaselineStore {
  return {
    ...acceptedReader(table),

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
