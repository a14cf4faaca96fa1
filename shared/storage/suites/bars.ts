import * as z from 'zod';
import { PROVIDERS } from '../../domain/byok/providers.ts';
import type { SuiteChain } from '../../domain/suites/chains/chains.ts';
import type { BarStore } from '../../domain/suites/digests/knownDigests.ts';
import { barKey, suitePartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { listedBars } from './judgedBars.ts';

const barSchema = z.object({
  digest: z.string(),
  judges: z.array(z.object({ provider: z.enum(PROVIDERS), model: z.string().nullable() })),
});

const keyOf = ({ orgId, id }: SuiteChain, name: string) => barKey(suitePartition(orgId, id), name);

export const barStore = (table: Table): BarStore => ({
  async find(suite, name) {
    const key = keyOf(suite, name);
    const item = await table.get(key);
    if (item?.first_run_id !== undefined) listedBars(table).add(key);
    return item && barSchema.parse(item);
  },

  async keep(suite, name, { digest, judges }) {
    await table.putIfAbsent({ ...keyOf(suite, name), digest, judges });
  },
});
