import * as z from 'zod';
import type { WaitingChunk, WaitingChunkStore } from '../../domain/evaluation/ports.ts';
import { SK, TTL, waitingChunkKey, waitingChunks } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { LOOK_AT, waitingChunkReader } from './waitingChunkReader.ts';

/** A message may come later than its delay says. */
const LATE_SECONDS = 30;

const itemSchema = z.object({
  [SK]: z.string(),
  run_id: z.string(),
  chunk: z.number(),
  waits: z.number(),
  is_tried: z.boolean(),
});

const readWaiting = (org_id: string, item: Item): WaitingChunk => {
  const { [SK]: sk, run_id, chunk, waits, is_tried } = itemSchema.parse(item);
  const [, , runCreatedAt = ''] = sk.split('#');
  const message = { kind: 'chunk', org_id, run_id, chunk, waits, held: 0 } as const;
  return { message, runCreatedAt, isTried: is_tried };
};

export function waitingChunkStore(table: Table, now: () => number): WaitingChunkStore {
  return {
    ...waitingChunkReader(table),

    async list({ orgId, run }, { chunk, waits }, provider, { isTried, forSeconds }) {
      await table.put({
        ...waitingChunkKey(orgId, provider, run, chunk),
        run_id: run.id,
        chunk,
        waits,
        is_tried: isTried,
        [TTL]: Math.ceil(now() / 1_000) + forSeconds + LATE_SECONDS,
      });
    },

    async unlist({ orgId, run }, chunk, provider) {
      await table.delete(waitingChunkKey(orgId, provider, run, chunk), {
        ConditionExpression: `${TTL} > :none`,
        ExpressionAttributeValues: { ':none': 0 },
      });
    },

    async oldest(orgId, provider) {
      const [item] = await table.query(waitingChunks(orgId, provider), { limit: LOOK_AT });
      return item && readWaiting(orgId, item);
    },

    take({ message: { org_id, run_id, chunk, waits }, runCreatedAt }, provider) {
      const run = { id: run_id, created_at: runCreatedAt };
      return table.delete(waitingChunkKey(org_id, provider, run, chunk), {
        ConditionExpression: 'waits = :waits',
        ExpressionAttributeValues: { ':waits': waits },
      });
    },
  };
}
