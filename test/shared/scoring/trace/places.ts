export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** All places of a value, as ways to them. */
export function* placesOf(value: Json, way: (string | number)[] = []): Generator<(string | number)[]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const own = [...way, Array.isArray(value) ? Number(name) : name];
    yield own;
    yield* placesOf(inner, own);
  }
}

/** Of a call, below which all is the value of an argument. */
const ARGUMENTS = ['arguments', 'input', 'action', 'actions', 'operation', 'queries'];

export const inPlace = (list: Json, way: readonly (string | number)[]): object =>
  way.reduce<Json>((inner, step) => (inner as Record<string, Json>)[step] ?? null, list) as object;

/** Ways to all objects and lists of a list, but for those within arguments. */
export const objectsOf = (list: Json): (string | number)[][] =>
  [[], ...placesOf(list)].filter((way) => {
    const value: unknown = inPlace(list, way);
    const isArgument = way.some((step) => ARGUMENTS.includes(String(step)));
    return typeof value === 'object' && value !== null && !isArgument;
  });
