import type { Provider } from '../../domain/byok/providers.ts';
import type { WaitingChunkStore } from '../../domain/evaluation/ports.ts';
import { PK, SK, TTL, waitingChunkKey, waitingChunks, waitingChunksOfAll } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** A message may come later than its delay says. */
const LATE_SECONDS = 30;
/** As many items as one read unit reads: expired ones may be among them. */
const LOOK_AT = 10;

const IS_THERE = { ConditionExpression: `${TTL} > :none`, ExpressionAttributeValues: { ':none': 0 } };

const nameOf = (providers: readonly Provider[]): string => providers.toSorted().join('+');

export function waitingChunkStore(table: Table, now: () => number): WaitingChunkStore {
  return {
    async list({ orgId, run }, { chunk, waits }, { providers, forSeconds }) {
      await table.put({
        ...waitingChunkKey(orgId, nameOf(providers), run, chunk),
        ...{ run_id: run.id, chunk, waits },
        [TTL]: Math.ceil(now() / 1_000) + forSeconds + LATE_SECONDS,
      });
    },

    async unlist({ orgId, run }, chunk, providers) {
      await table.delete(waitingChunkKey(orgId, nameOf(providers), run, chunk), IS_THERE);
    },

    async takeOldest(orgId, providers) {
      const items = await table.query(waitingChunks(orgId, nameOf(providers)), { limit: LOOK_AT });
      for (const item of items) {
        const key = { pk: String(item[PK]), sk: String(item[SK]) };
        // Another evaluator may take it at the same moment.
        if (!(await table.delete(key, IS_THERE))) continue;
        const { run_id, chunk, waits } = item;
        return {
          ...{ kind: 'chunk', org_id: orgId, run_id: String(run_id) },
          ...{ chunk: Number(chunk), waits: Number(waits), held: 0 },
        };
      }
      return undefined;
    },

    async areAny(orgId) {
      return (await table.query(waitingChunksOfAll(orgId), { limit: LOOK_AT })).length > 0;
    },
  };
}
