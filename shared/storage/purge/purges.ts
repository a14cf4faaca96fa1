import * as z from 'zod';
import { timestampSchema } from '../../contracts/base/common.ts';
import { DELETED_KEPT_MS } from '../../domain/purge/kept.ts';
import type { Purge, PurgeStore } from '../../domain/purge/ports.ts';
import type { Chain } from '../../domain/revisions/ports.ts';
import { purgeKey, purgesDue } from '../table/keys.ts';
import type { Item, Table, Write } from '../table/table.ts';
import { deletedStore } from './deletedStore.ts';
import { organisationPurgeStore } from './organisations.ts';
import { textsStore } from './textsStore.ts';

const due = { org_id: z.string(), id: z.string(), next_at: z.number() };
const deletedSchema = z.object({ ...due, kind: z.enum(['project', 'suite']), gone_at: timestampSchema });
const chainSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('suite'), id: z.string(), slug: z.string(), projectId: z.string() }),
  z.object({ kind: z.literal('project'), id: z.string(), slug: z.string() }),
]);
const textsSchema = z.object({
  ...due,
  kind: z.literal('texts'),
  chain: chainSchema,
  announced_at: z.number(),
  position: z.object({
    settled: z.object({ n: z.number(), ms: z.number() }),
    erased: z.number(),
    dropped: z.number(),
  }),
});
const organisationSchema = z.object({
  ...due,
  kind: z.literal('organisation'),
  version: z.number(),
  is_closed: z.boolean().default(false),
});
const purgeSchema = z.discriminatedUnion('kind', [deletedSchema, textsSchema, organisationSchema]);

function purgeIn(item: Item): Purge {
  const purge = purgeSchema.parse(item);
  const { org_id: orgId, id, next_at: nextAtMs } = purge;
  if (purge.kind === 'organisation')
    return { kind: purge.kind, orgId, id, version: purge.version, isClosed: purge.is_closed, nextAtMs };
  if (purge.kind !== 'texts') return { kind: purge.kind, orgId, id, deletedAt: purge.gone_at, nextAtMs };
  const { chain, position, announced_at: announcedAtMs } = purge;
  return { kind: 'texts', chain: { ...chain, orgId }, position, announcedAtMs, nextAtMs };
}

/** A write of the transaction that deletes a suite or project. Its head is kept: it may be put back, or compared with. */
export const purgeDue = ({ kind, orgId, id }: Chain, deletedAt: string, kept: Item): Write => ({
  Put: {
    Item: {
      ...purgeKey(orgId, kind, id),
      org_id: orgId,
      kind,
      id,
      gone_at: deletedAt,
      ...kept,
      next_at: Date.parse(deletedAt) + DELETED_KEPT_MS,
    },
  },
});

export const purgeStore = (table: Table): PurgeStore => ({
  async due(nowMs) {
    const items = await table.query(purgesDue);
    return items
      .filter(({ next_at }) => Number(next_at) <= nowMs)
      .map(purgeIn)
      .toSorted((a, b) => a.nextAtMs - b.nextAtMs);
  },

  deleted: deletedStore(table),
  texts: textsStore(table),
  organisations: organisationPurgeStore(table),
});
