import * as z from 'zod';
import { PROVIDERS, type Provider } from '../../domain/byok/providers.ts';
import type { WaitingChunk, WaitingChunkStore } from '../../domain/evaluation/ports.ts';
import { TTL, waitingChunkKey, waitingChunks, waitingChunksOfAll } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** A message may come later than its delay says. */
const LATE_SECONDS = 30;
/** As many items as one read unit reads: expired ones may be among them. */
const LOOK_AT = 10;

const IS_THERE = { ConditionExpression: `${TTL} > :none`, ExpressionAttributeValues: { ':none': 0 } };

const itemSchema = z.object({
  run_id: z.string(),
  run_created_at: z.string(),
  chunk: z.number(),
  waits: z.number(),
  providers: z.array(z.enum(PROVIDERS)),
});

const readWaiting = (org_id: string, item: Item): WaitingChunk => {
  const { run_id, run_created_at, chunk, waits, providers } = itemSchema.parse(item);
  const message = { kind: 'chunk', org_id, run_id, chunk, waits, held: 0 } as const;
  return { message, providers, runCreatedAt: run_created_at };
};

/** A chunk is listed at each provider where it needs a seat. The first place decides who takes it. */
export function waitingChunkStore(table: Table, now: () => number): WaitingChunkStore {
  async function remove(
    orgId: string,
    chunk: { readonly run: { id: string; created_at: string }; readonly chunk: number },
    [first, ...others]: readonly Provider[],
  ): Promise<boolean> {
    const removeAt = (provider: Provider) =>
      table.delete(waitingChunkKey(orgId, provider, chunk.run, chunk.chunk), IS_THERE);
    const wasThere = first !== undefined && (await removeAt(first));
    // What is left here by a failure is taken in vain, and expires.
    await Promise.all(others.map((provider) => removeAt(provider).catch(() => false)));
    return wasThere;
  }

  async function oldestAt(orgId: string, provider: Provider): Promise<WaitingChunk | undefined> {
    const [item] = await table.query(waitingChunks(orgId, provider), { limit: LOOK_AT });
    return item && readWaiting(orgId, item);
  }

  return {
    async list({ orgId, run }, { chunk, waits }, { providers, forSeconds }) {
      const listing = {
        ...{ run_id: run.id, run_created_at: run.created_at, chunk, waits, providers },
        [TTL]: Math.ceil(now() / 1_000) + forSeconds + LATE_SECONDS,
      };
      const places = providers.map((provider) => waitingChunkKey(orgId, provider, run, chunk));
      await Promise.all(places.map((place) => table.put({ ...place, ...listing })));
    },

    async unlist({ orgId, run }, chunk, providers) {
      await remove(orgId, { run, chunk }, providers);
    },

    async oldest(orgId, providers) {
      const found = await Promise.all(providers.map((provider) => oldestAt(orgId, provider)));
      return found
        .filter((waiting) => waiting !== undefined)
        .reduce<WaitingChunk | undefined>(
          (oldest, one) => (oldest === undefined || one.runCreatedAt < oldest.runCreatedAt ? one : oldest),
          undefined,
        );
    },

    take: ({ message: { org_id, run_id, chunk }, providers, runCreatedAt }) =>
      remove(org_id, { run: { id: run_id, created_at: runCreatedAt }, chunk }, providers),

    async areAny(orgId) {
      return (await table.query(waitingChunksOfAll(orgId), { limit: LOOK_AT })).length > 0;
    },
  };
}
