import { zstdCompressSync } from 'node:zlib';
import { blocksOf, type PlacedOutput } from '../../domain/runs/outputs/blocks.ts';
import type { AdmittedSubmission, Payload } from '../../domain/runs/outputs/submission.ts';
import { chunksOf } from '../table/batches.ts';
import { packJson, readBlob, unpackJson, writeBlob } from '../table/blobs.ts';
import { below, type Key, outputsKey, PK, payloadKey, SK } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

interface Place {
  readonly orgId: string;
  readonly suiteId: string;
  readonly runToken: string;
}

/** Blocks of outputs that are written at the same time: each is in memory twice. */
const BLOCKS_AT_ONCE = 4;

/**
 * What a run is to be judged on. Outputs of their own lie in blocks, so that an evaluator reads those it needs. Answers
 * the keys of all that was written.
 */
export async function writePayload(
  table: Table,
  place: Place,
  { outputs, ...submission }: AdmittedSubmission,
  expiry: Item,
): Promise<Key[]> {
  const { orgId, suiteId, runToken } = place;
  const blocks = outputs && (await writeBlocks(table, place, outputs, expiry));
  const payload: Payload = { ...submission, blocks: blocks?.length };
  const keyOf = (part: number) => payloadKey(orgId, suiteId, runToken, part);
  const fields = { ...expiry, block_parts: blocks?.map(({ length }) => length) };
  const parts = await writeBlob(table, packJson(payload), keyOf, fields);
  return [...(blocks ?? []).flat(), ...parts];
}

async function writeBlocks(
  table: Table,
  place: Place,
  outputs: readonly PlacedOutput[],
  expiry: Item,
): Promise<Key[][]> {
  const written: Key[][] = [];
  let underWay: Promise<Key[]>[] = [];
  const settle = async () => void written.push(...(await Promise.all(underWay)));
  for (const text of blocksOf(outputs)) {
    const keyOf = partOf(place, written.length + underWay.length);
    underWay.push(writeBlob(table, zstdCompressSync(Buffer.from(text)), keyOf, expiry));
    if (underWay.length < BLOCKS_AT_ONCE) continue;
    await settle();
    underWay = [];
  }
  await settle();
  return written;
}

const partOf =
  ({ orgId, suiteId, runToken }: Place, block: number) =>
  (part: number): Key =>
    outputsKey(orgId, suiteId, runToken, block, part);

/** The payload itself goes last: as long as a part of it is there, it says which blocks there may be. */
export async function dropPayload(table: Table, place: Place): Promise<void> {
  const { orgId, suiteId, runToken } = place;
  const parts = await table.query(below(payloadKey(orgId, suiteId, runToken)), { withExpired: true });
  const counts = (parts[0]?.block_parts ?? []) as readonly number[];
  const blocks = counts.flatMap((count, block) =>
    Array.from({ length: count }, (_, part) => partOf(place, block)(part)),
  );
  await dropItems(table, blocks);
  await dropItems(table, parts.map(keyIn));
}

const keyIn = (item: Item): Key => ({ [PK]: String(item[PK]), [SK]: String(item[SK]) });

const DELETES_AT_ONCE = 25;

/** What is not there any more is dropped already. */
export async function dropItems(table: Table, keys: readonly Key[]): Promise<void> {
  for (const some of chunksOf(keys, DELETES_AT_ONCE)) await Promise.all(some.map((key) => table.delete(key)));
}

export async function readPayload(
  table: Table,
  { orgId, suiteId, runToken }: Place,
): Promise<Payload | undefined> {
  const bytes = await readBlob(table, below(payloadKey(orgId, suiteId, runToken)));
  return bytes.length === 0 ? undefined : (unpackJson(bytes) as Payload);
}

export async function readOutputBlock(
  table: Table,
  { orgId, suiteId, runToken }: Place,
  block: number,
): Promise<readonly PlacedOutput[] | undefined> {
  const bytes = await readBlob(table, below(outputsKey(orgId, suiteId, runToken, block)));
  return bytes.length === 0 ? undefined : (unpackJson(bytes) as PlacedOutput[]);
}
