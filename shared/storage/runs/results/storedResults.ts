import type { ScoredCase } from '../../../domain/runs/ports.ts';
import { type Key, lastNumberOf, PK, resultsKey, SK } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { outputDigestOf, readVerdictRecord } from '../verdictItems.ts';
import type { Dictionaries } from './dictionaries.ts';
import { endedChunkItems, readEvaluatedResults } from './endedChunks.ts';
import { packedSchema, type ResultsPlace, readResults } from './packedResults.ts';

/**
 * Results of a run that was scored at once are described in the run's item (`packed`). Results of a run that was
 * evaluated in chunks (`evaluated`) are described in its chunks' items: a list of all chunks in the run's item would
 * cost each read of the run, and each page of runs, as much as 20 runs.
 */
export async function readStoredResults(
  stores: { readonly table: Table; readonly dictionaries: Dictionaries },
  place: ResultsPlace,
  run: Item,
): Promise<ScoredCase[]> {
  if (run.evaluated === true) return readEvaluatedResults(stores.table, place);
  if (run.packed === undefined) return [];
  const { outputs_digest } = readVerdictRecord(run);
  const packed = { ...packedSchema.parse(run.packed), outputDigest: outputDigestOf(outputs_digest) };
  return readResults(stores, place, packed);
}

export interface ResultItems {
  readonly partKey?: (part: number) => Key;
  /** The chunk's item that leads to the blob, or holds the results itself. */
  readonly chunk?: Key;
}

export async function resultItemsOf(table: Table, place: ResultsPlace, run: Item): Promise<ResultItems[]> {
  const { orgId, suiteId, runToken } = place;
  const partKey = (name: string, chunk: number) => (part: number) =>
    resultsKey(orgId, suiteId, name, { chunk, part });
  if (run.evaluated === true) {
    const chunks = await endedChunkItems(table, place);
    return chunks.map((item) => ({
      ...(item.results === undefined && { partKey: partKey(String(item.holder), lastNumberOf(item)) }),
      chunk: { pk: String(item[PK]), sk: String(item[SK]) },
    }));
  }
  if (run.packed === undefined) return [];
  const { results, chunk_bytes } = packedSchema.parse(run.packed);
  if (results !== undefined) return [];
  return [...chunk_bytes.keys()].map((chunk) => ({ partKey: partKey(runToken, chunk) }));
}
