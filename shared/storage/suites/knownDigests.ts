import * as z from 'zod';
import { PROVIDERS } from '../../domain/byok/providers.ts';
import type { SuiteChain } from '../../domain/suites/chains/chains.ts';
import type { KnownDigestStore } from '../../domain/suites/digests/knownDigests.ts';
import { knownDigestKey, suitePartition } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { listedDigests } from './judgedDigests.ts';

const barSchema = z.object({
  digest: z.string(),
  judges: z.array(z.object({ provider: z.enum(PROVIDERS), model: z.string().nullable() })),
});

const keyOf = ({ orgId, id }: SuiteChain, name: string) => knownDigestKey(suitePartition(orgId, id), name);

export const knownDigestStore = (table: Table): KnownDigestStore => ({
  async find(suite, name) {
    const key = keyOf(suite, name);
    const item = await table.get(key);
    if (item?.first_run_id !== undefined) listedDigests(table).add(key);
    return item && barSchema.parse(item);
  },

  async keep(suite, name, { digest, judges }) {
    await table.putIfAbsent({ ...keyOf(suite, name), digest, judges });
  },
});
