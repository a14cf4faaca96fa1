import type { Provider } from '../../domain/byok/providers.ts';
import type { WaitingChunkStore } from '../../domain/evaluation/ports.ts';
import { TTL, waitingChunkKey, waitingChunksOfAll } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A message may come later than its delay says. */
const LATE_SECONDS = 30;
/** As many items as one read unit reads: expired ones may be among them. */
const LOOK_AT = 10;

const nameOf = (providers: readonly Provider[]): string => providers.toSorted().join('+');

export function waitingChunkStore(table: Table, now: () => number): WaitingChunkStore {
  return {
    async list({ orgId, run }, { chunk, providers, forSeconds }) {
      await table.put({
        ...waitingChunkKey(orgId, nameOf(providers), run, chunk),
        [TTL]: Math.ceil(now() / 1_000) + forSeconds + LATE_SECONDS,
      });
    },

    async unlist({ orgId, run }, chunk, providers) {
      await table.delete(waitingChunkKey(orgId, nameOf(providers), run, chunk), {
        ConditionExpression: `${TTL} > :none`,
        ExpressionAttributeValues: { ':none': 0 },
      });
    },

    async areAny(orgId) {
      return (await table.query(waitingChunksOfAll(orgId), { limit: LOOK_AT })).length > 0;
    },
  };
}
