/** The drafts that have a keyword, where not all have it: the first and the last. In others it is unknown, and ignored. */
const KNOWN: ReadonlyMap<string, readonly [first: number, last: number]> = new Map([
  ['const', [6, 2020]],
  ['contains', [6, 2020]],
  ['propertyNames', [6, 2020]],
  ['if', [7, 2020]],
  ['then', [7, 2020]],
  ['else', [7, 2020]],
  ['dependentRequired', [2019, 2020]],
  ['dependentSchemas', [2019, 2020]],
  ['minContains', [2019, 2020]],
  ['maxContains', [2019, 2020]],
  ['unevaluatedItems', [2019, 2020]],
  ['unevaluatedProperties', [2019, 2020]],
  ['$recursiveRef', [2019, 2019]],
  ['prefixItems', [2020, 2020]],
  ['$dynamicRef', [2020, 2020]],
  ['additionalItems', [4, 2019]],
]);

export function isKnown(keyword: string, version: number): boolean {
  const [first, last] = KNOWN.get(keyword) ?? [version, version];
  return version >= first && version <= last;
}
