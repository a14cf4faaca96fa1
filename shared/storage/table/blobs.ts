import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Key } from './keys.ts';
import type { Item, QueryRange, Table } from './table.ts';

/** Below DynamoDB's 400 kB an item. */
export const PART_BYTES_MAX = 380_000;

export async function writeBlob(
  table: Table,
  bytes: Buffer,
  keyOf: (part: number) => Key,
  fields: Item,
): Promise<void> {
  const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES_MAX) }, (_, part) =>
    bytes.subarray(part * PART_BYTES_MAX, (part + 1) * PART_BYTES_MAX),
  );
  await Promise.all(parts.map((part, index) => table.put({ ...keyOf(index), ...fields, bytes: part })));
}

export async function readBlob(table: Table, range: QueryRange): Promise<Buffer> {
  const items = await table.query(range);
  return Buffer.concat(items.map((item) => item.bytes as Uint8Array));
}

export const packJson = (value: unknown): Buffer => zstdCompressSync(Buffer.from(JSON.stringify(value)));
export const unpackJson = (bytes: Uint8Array): unknown => JSON.parse(zstdDecompressSync(bytes).toString());
