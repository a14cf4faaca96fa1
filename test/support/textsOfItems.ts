import { zstdDecompressSync } from 'node:zlib';

type RawItem = Readonly<Record<string, unknown>>;

/** All text in the items, uncompressed with any of their dictionaries if needed. */
export function textsOfItems(items: readonly RawItem[]): string[] {
  const dictionaries = items
    .filter((item) => item.dictionary instanceof Uint8Array)
    .map((item) => zstdDecompressSync(item.dictionary as Uint8Array));
  return items.flatMap((item) => textsIn(item, dictionaries));
}

function textsIn(value: unknown, dictionaries: readonly Buffer[]): string[] {
  if (value instanceof Uint8Array) return bytesAsTexts(value, dictionaries);
  if (value instanceof Set) return [...value].flatMap((element) => textsIn(element, dictionaries));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([name, field]) => [name, ...textsIn(field, dictionaries)]);
  return [String(value)];
}

function bytesAsTexts(bytes: Uint8Array, dictionaries: readonly Buffer[]): string[] {
  const texts = [Buffer.from(bytes).toString()];
  for (const dictionary of [undefined, ...dictionaries]) {
    // What is packed has its format in a byte before it.
    for (const packed of [bytes, bytes.subarray(1)].filter(isPacked)) {
      try {
        texts.push(zstdDecompressSync(packed, dictionary === undefined ? {} : { dictionary }).toString());
      } catch {
        // Not compressed, or with another dictionary.
      }
    }
  }
  return texts;
}

const ZSTD = 0xfd2fb528;
const isPacked = (bytes: Uint8Array): boolean =>
  bytes.length > 4 && Buffer.from(bytes.buffer, bytes.byteOffset, 4).readUInt32LE() === ZSTD;
