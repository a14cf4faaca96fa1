import { isJsonObject } from '../json.ts';

/** Keywords whose value maps names to schemas or to lists of names. */
export const NAME_MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);
/** Keywords whose value is data, whatever it looks like. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

export type SchemaPath = readonly (string | number)[];

type Visit = (schema: Record<string, unknown>, path: SchemaPath) => void;

/** Calls `visit` for the schema and every schema in it. */
export function walkSchema(schema: unknown, visit: Visit, path: SchemaPath = []): void {
  if (!isJsonObject(schema)) return;
  visit(schema, path);
  for (const [keyword, value] of Object.entries(schema)) {
    if (DATA.has(keyword)) continue;
    const here = [...path, keyword];
    for (const [key, child] of schemasIn(keyword, value)) {
      walkSchema(child, visit, key === undefined ? here : [...here, key]);
    }
  }
}

function schemasIn(
  keyword: string,
  value: unknown,
): Iterable<readonly [string | number | undefined, unknown]> {
  if (Array.isArray(value)) return value.entries();
  if (NAME_MAPS.has(keyword) && isJsonObject(value)) return Object.entries(value);
  return [[undefined, value]];
}

/** What `#/a/b` names in the document, by own properties only; undefined when there is nothing. */
export function atPointer(document: unknown, reference: string): unknown {
  return pointerSteps(decoded(reference.slice(1))).reduce(atOwnStep, document);
}

export function atOwnStep(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string, unknown>)[step];
}

/** The steps of `/a/b`. */
export function pointerSteps(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
