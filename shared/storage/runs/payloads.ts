import { zstdCompressSync } from 'node:zlib';
import { blocksOf, type PlacedOutput } from '../../domain/runs/outputs/blocks.ts';
import type { AdmittedSubmission, Payload } from '../../domain/runs/outputs/submission.ts';
import { packJson, readBlob, unpackJson, writeBlob } from '../table/blobs.ts';
import { below, outputsKey, payloadKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

interface Place {
  readonly orgId: string;
  readonly suiteId: string;
  readonly runToken: string;
}

/** Blocks of outputs that are written at the same time: each is in memory twice. */
const BLOCKS_AT_ONCE = 4;

/** What a run is to be judged on. Outputs of their own lie in blocks, so that an evaluator reads those it needs. */
export async function writePayload(
  table: Table,
  place: Place,
  { outputs, ...submission }: AdmittedSubmission,
  expiry: Item,
): Promise<void> {
  const { orgId, suiteId, runToken } = place;
  const blocks = outputs && (await writeBlocks(table, place, outputs, expiry));
  const payload: Payload = { ...submission, blocks };
  await writeBlob(table, packJson(payload), (part) => payloadKey(orgId, suiteId, runToken, part), expiry);
}

async function writeBlocks(
  table: Table,
  { orgId, suiteId, runToken }: Place,
  outputs: readonly PlacedOutput[],
  expiry: Item,
): Promise<number> {
  let written = 0;
  let underWay: Promise<void>[] = [];
  for (const text of blocksOf(outputs)) {
    const block = written++;
    const keyOf = (part: number) => outputsKey(orgId, suiteId, runToken, block, part);
    underWay.push(writeBlob(table, zstdCompressSync(Buffer.from(text)), keyOf, expiry));
    if (underWay.length < BLOCKS_AT_ONCE) continue;
    await Promise.all(underWay);
    underWay = [];
  }
  await Promise.all(underWay);
  return written;
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
