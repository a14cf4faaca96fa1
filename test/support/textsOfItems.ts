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
    try {
      texts.push(zstdDecompressSync(bytes, dictionary === undefined ? {} : { dictionary }).toString());
    } catch {
      // Not compressed, or with another dictionary.
    }
  }
  return texts;
}
