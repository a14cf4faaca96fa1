import type { StoredResult } from '../../../domain/runs/results/storedResult.ts';
import { readBlob, WRITE_UNIT_BYTES, writeBlob, writeUnits } from '../../table/blobs.ts';
import { type Key, lastNumberOf, PK, resultsKey, resultsOfRun, SK, type TTL } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { outputDigestOf, readVerdictRecord } from '../verdictItems.ts';
import { endedChunkItems, evaluatedParts, type PackedPart } from './endedChunks.ts';
import { packResults, unpackResults } from './packing.ts';

export interface ResultsPlace {
  readonly orgId: string;
  readonly suiteId: string;
  /** Names the items of one run: items of a failed store are never read. */
  readonly runToken: string;
}

/** Of a run that was scored at once. */
const ONLY_CHUNK = 0;

const partKeyOf =
  ({ orgId, suiteId }: ResultsPlace, name: string, chunk: number) =>
  (part: number): Key =>
    resultsKey(orgId, suiteId, name, { chunk, part });

interface ResultsToStore {
  readonly results: readonly StoredResult[];
  readonly ttl: { readonly [TTL]: number };
  /** The run's item without them. */
  readonly item: Item;
  readonly outputDigest: string | null;
}

/**
 * What the run's item has of the results of a run that is scored at once: all, or how many bytes lie beside it. The run
 * is stored afterwards: results beside it are found only through it, and else expire unseen.
 */
export async function storeResults(
  table: Table,
  place: ResultsPlace,
  { results, ttl, item, outputDigest }: ResultsToStore,
): Promise<Uint8Array | number> {
  const packed = packResults(results, { outputDigest });
  // An item of their own costs one unit, and each further kilobyte of the run's transaction two.
  const units = (within: Uint8Array | number) => writeUnits({ ...item, results: within });
  if (packed.length < WRITE_UNIT_BYTES && units(packed) === units(packed.length)) return packed;
  await writeBlob(table, packed, partKeyOf(place, place.runToken, ONLY_CHUNK), ttl);
  return packed.length;
}

/**
 * Results of a run that was evaluated in chunks (`evaluated`) are described in its chunks' items: a list of all chunks in
 * the run's item would cost each read of the run, and each page of runs, as much as 20 runs.
 */
export async function readStoredResults<T = StoredResult>(
  table: Table,
  place: ResultsPlace,
  run: Item,
  keep: (result: StoredResult) => T = (result) => result as T,
): Promise<T[]> {
  const parts = await packedParts(table, place, run);
  const isAtOnce = run.evaluated !== true && parts.length > 0;
  const outputDigest = isAtOnce ? outputDigestOf(readVerdictRecord(run).outputs_digest) : null;
  const results = parts.map(async (read) => unpackResults(await read(), { outputDigest }).map(keep));
  return (await Promise.all(results)).flat();
}

export async function packedParts(table: Table, place: ResultsPlace, run: Item): Promise<PackedPart[]> {
  if (run.evaluated === true) return evaluatedParts(table, place);
  const { results } = run;
  if (results === undefined) return [];
  const { orgId, suiteId, runToken } = place;
  const isBeside = typeof results === 'number';
  return [
    async () =>
      isBeside ? readBlob(table, resultsOfRun(orgId, suiteId, runToken)) : (results as Uint8Array),
  ];
}

export interface ResultItems {
  readonly partKey?: (part: number) => Key;
  /** The chunk's item that leads to the blob, or holds the results itself. */
  readonly chunk?: Key;
}

export async function resultItemsOf(table: Table, place: ResultsPlace, run: Item): Promise<ResultItems[]> {
  if (run.evaluated === true) {
    const chunks = await endedChunkItems(table, place);
    return chunks.map((item) => ({
      ...(item.results === undefined && {
        partKey: partKeyOf(place, String(item.holder), lastNumberOf(item)),
      }),
      chunk: { pk: String(item[PK]), sk: String(item[SK]) },
    }));
  }
  return typeof run.results === 'number' ? [{ partKey: partKeyOf(place, place.runToken, ONLY_CHUNK) }] : [];
}
