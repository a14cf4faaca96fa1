import * as z from 'zod';
import { gatesSchema } from '../../contracts/gates.ts';
import { KEPT_OUTPUTS } from '../../contracts/suites.ts';
import { PROVIDERS } from '../../domain/byok/providers.ts';
import type { PackedSuite, PackStore, SuiteRevision } from '../../domain/suites/packs/packedSuites.ts';
import { chunksOf } from '../table/batches.ts';
import { writeBlob } from '../table/blobs.ts';
import { packExpiry, workingTtl } from '../table/expiry.ts';
import { below, type Key, PK, packKey, plannedChunkKey, SK, TTL } from '../table/keys.ts';
import type { Item, QueryRange, Table } from '../table/table.ts';
import { packCases, unpackCases } from './packedCases.ts';

const ITEMS_AT_ONCE = 20;
/** Longer than a request takes: after it the function that wanted to pack has died. */
const PACKING_MS_MAX = 60_000;
/** A pack of another format is not found. */
const FORMAT = 'v3';

const packSchema = z.object({
  planner: z.string(),
  chunks: z.number(),
  passThreshold: z.number(),
  gates: gatesSchema,
  keepOutputs: z.enum(KEPT_OUTPUTS),
  suiteDigest: z.string(),
  totalCases: z.number(),
  judgedCases: z.number(),
  extraOutputs: z.number(),
  gatingCases: z.number(),
  firstAdvisoryEnd: z.string().nullable(),
  judges: z.partialRecord(z.enum(PROVIDERS), z.array(z.number())),
  judgeModels: z.array(z.object({ provider: z.enum(PROVIDERS), model: z.string().nullable() })),
  expectedCharacters: z.number(),
});

const keyOf = ({ orgId, suiteId, revision }: SuiteRevision): Key =>
  packKey(orgId, suiteId, `${FORMAT}.${revision}`);

const neededUntil = (startedAtMs: number): number => workingTtl(startedAtMs)[TTL];

const chunksOfPack = ({ orgId, suiteId }: SuiteRevision, { planner }: PackedSuite): QueryRange =>
  below(plannedChunkKey(orgId, suiteId, planner));

const chunkOf = (item: Item): number => Number(String(item[SK]).split('#').at(-2));

/** The item of a pack, for a transaction that makes its revision. */
export const packItem = (at: SuiteRevision, pack: PackedSuite, startedAtMs: number): Item => ({
  ...keyOf(at),
  ...pack,
  [TTL]: packExpiry(neededUntil(startedAtMs)),
});

export function packStore(table: Table): PackStore {
  return {
    async claimPack(at, nowMs) {
      const { updated } = await table.update({
        Key: keyOf(at),
        // The chunks of a pack that has expired may be dropped already.
        UpdateExpression: `SET packing_until = :until, ${TTL} = :expiry REMOVE planner`,
        ConditionExpression: `attribute_not_exists(${PK}) OR ${TTL} < :now OR (attribute_not_exists(planner) AND packing_until < :nowMs)`,
        ExpressionAttributeValues: {
          ':until': nowMs + PACKING_MS_MAX,
          ':expiry': neededUntil(nowMs),
          ':now': Math.floor(nowMs / 1_000),
          ':nowMs': nowMs,
        },
      });
      return updated;
    },

    async saveChunk({ orgId, suiteId, planner, startedAtMs }, chunk, cases) {
      const partKey = (part: number) => plannedChunkKey(orgId, suiteId, planner, chunk, part);
      const expiry = { [TTL]: packExpiry(neededUntil(startedAtMs)) };
      await writeBlob(table, packCases(cases), partKey, expiry);
    },

    async savePack(at, pack, startedAtMs) {
      const expiry = packExpiry(neededUntil(startedAtMs));
      const fields = Object.entries(pack);
      await table.update({
        Key: keyOf(at),
        UpdateExpression: `SET ${fields.map(([name]) => `${name} = :${name}`).join(', ')}, ${TTL} = :expiry`,
        // Two packs of a revision hold the same: the one that lasts longer stays.
        ConditionExpression: `attribute_not_exists(planner) OR ${TTL} < :expiry`,
        ExpressionAttributeValues: {
          ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
          ':expiry': expiry,
        },
      });
    },

    async pack(at, startedAtMs) {
      const item = await table.get(keyOf(at));
      if (item?.planner === undefined) return undefined;
      const pack = packSchema.parse(item);
      const until = neededUntil(startedAtMs);
      if (Number(item[TTL]) >= until) return pack;
      return (await prolong(table, at, pack, packExpiry(until))) ? pack : undefined;
    },

    async findPack(at, nowMs) {
      const item = await table.get(keyOf(at));
      const isLive = item?.planner !== undefined && Number(item[TTL]) * 1_000 > nowMs;
      return isLive ? packSchema.parse(item) : undefined;
    },

    async packedCases(at, pack) {
      const parts = await table.query(chunksOfPack(at, pack));
      const chunks = Map.groupBy(parts, chunkOf);
      if (chunks.size < pack.chunks) return undefined;
      const scorers = new Map<string, Scorer>();
      return [...chunks.values()].flatMap((items) => {
        const bytes = Buffer.concat(items.map((item) => item.bytes as Uint8Array));
        return unpackCases(bytes).map((planned) => withOneScorer(planned, scorers));
      });
    },
  };
}

type Cases = NonNullable<Awaited<ReturnType<PackStore['packedCases']>>>;
type Scorer = Cases[number]['scorer'];

function withOneScorer(planned: Cases[number], scorers: Map<string, Scorer>): Cases[number] {
  if (planned.scorer === null) return planned;
  const scorer = scorers.get(planned.scorer.id) ?? planned.scorer;
  scorers.set(planned.scorer.id, scorer);
  return { ...planned, scorer };
}

/** The pack after its chunks, so that no pack outlives one of them. False when one of them has expired. */
async function prolong(table: Table, at: SuiteRevision, pack: PackedSuite, expiry: number): Promise<boolean> {
  const slim = ({ [PK]: pk, [SK]: sk }: Item): Item => ({ [PK]: pk, [SK]: sk });
  const parts = await table.query(chunksOfPack(at, pack), { slim });
  if (new Set(parts.map(chunkOf)).size < pack.chunks) return false;
  const keys = parts.map((item) => ({ pk: String(item[PK]), sk: String(item[SK]) }));
  for (const some of chunksOf(keys, ITEMS_AT_ONCE)) {
    const exist = await Promise.all(some.map((key) => expireNotBefore(table, key, expiry)));
    if (exist.includes(false)) return false;
  }
  return expireNotBefore(table, keyOf(at), expiry);
}

async function expireNotBefore(table: Table, key: Key, expiry: number): Promise<boolean> {
  const { updated, item } = await table.update({
    Key: key,
    UpdateExpression: `SET ${TTL} = :expiry`,
    ConditionExpression: `attribute_exists(${PK}) AND ${TTL} < :expiry`,
    ExpressionAttributeValues: { ':expiry': expiry },
  });
  return updated || item !== undefined;
}
