import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Key } from './keys.ts';
import type { Item, QueryRange, Table } from './table.ts';

/** Below DynamoDB's 400 kB an item. */
export const PART_BYTES_MAX = 380_000;

/** Answers the keys of its parts. */
export async function writeBlob(
  table: Table,
  bytes: Buffer,
  keyOf: (part: number) => Key,
  fields: Item,
): Promise<Key[]> {
  const parts = Array.from({ length: Math.ceil(bytes.length / PART_BYTES_MAX) }, (_, part) =>
    bytes.subarray(part * PART_BYTES_MAX, (part + 1) * PART_BYTES_MAX),
  );
  const keys = parts.map((_, index) => keyOf(index));
  await Promise.all(parts.map((part, index) => table.put({ ...keyOf(index), ...fields, bytes: part })));
  return keys;
}

export async function readBlob(table: Table, range: QueryRange): Promise<Buffer> {
  const items = await table.query(range);
  return Buffer.concat(items.map((item) => item.bytes as Uint8Array));
}

export const WRITE_UNIT_BYTES = 1_024;

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  // 21 bytes at most, for 38 digits.
  if (typeof value === 'number') return Math.ceil(String(value).replace(/\D/g, '').length / 2) + 2;
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce((sum, inner) => sum + 1 + bytesOf(inner), 3);
  if (typeof value !== 'object' || value === null) return 1;
  const fields = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return fields.reduce((sum, [name, inner]) => sum + 1 + Buffer.byteLength(name) + bytesOf(inner), 3);
}

/** As DynamoDB counts them. */
export function itemBytes(item: Item): number {
  const fields = Object.entries(item).filter(([, value]) => value !== undefined);
  return fields.reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + bytesOf(value), 0);
}

/** The units to write an item once; in a transaction it costs twice as many. */
export const writeUnits = (item: Item): number => Math.ceil(itemBytes(item) / WRITE_UNIT_BYTES);

/** Of what is stored for long. */
export const COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 9 } };

export const packJson = (value: unknown): Buffer => zstdCompressSync(Buffer.from(JSON.stringify(value)));
export const unpackJson = (bytes: Uint8Array): unknown => JSON.parse(zstdDecompressSync(bytes).toString());
