import { zstdDecompressSync } from 'node:zlib';

type RawItem = Readonly<Record<string, unknown>>;

/** All text in the items, uncompressed if needed. */
export const textsOfItems = (items: readonly RawItem[]): string[] => items.flatMap(textsIn);

function textsIn(value: unknown): string[] {
  if (value instanceof Uint8Array) return bytesAsTexts(value);
  if (value instanceof Set) return [...value].flatMap(textsIn);
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field)]);
  return [String(value)];
}

/** What is packed has its format in a byte before it. */
function bytesAsTexts(bytes: Uint8Array): string[] {
  const packed = [bytes, bytes.subarray(1)].filter(isPacked);
  return [Buffer.from(bytes).toString(), ...packed.map((one) => zstdDecompressSync(one).toString())];
}

const ZSTD = 0xfd2fb528;
const isPacked = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32LE() === ZSTD;
