import type { WaitingChunkStore } from '../../domain/evaluation/ports.ts';
import { waitingChunksOfAll } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** As many items as one read unit reads: expired ones may be among them. */
export const LOOK_AT = 10;

/** For functions that list and take none. */
export const waitingChunkReader = (table: Table): Pick<WaitingChunkStore, 'areAny'> => ({
  async areAny(orgId) {
    return (await table.query(waitingChunksOfAll(orgId), { limit: LOOK_AT })).length > 0;
  },
});
