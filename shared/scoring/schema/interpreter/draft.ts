import { isJsonObject } from '../../kit/json.ts';
import type { SchemaPath } from '../pointers.ts';
import { isKnown } from './known.ts';

export interface Draft {
  readonly version: 4 | 6 | 7 | 2019 | 2020;
  readonly id: '$id' | 'id';
}

/** Up to draft 07, keywords beside `$ref` are ignored. */
export function isOnlyReference(schema: Record<string, unknown>, { version }: Draft): boolean {
  return version <= 7 && typeof schema.$ref === 'string';
}

export function interpretedDraft(version: Draft['version']): Draft {
  return {
    version,
    id: version === 4 ? 'id' : '$id',
  };
}

type Position = 'schema' | 'list' | 'map';

const POSITIONS: ReadonlyMap<string, Position> = new Map([
  ['$defs', 'map'],
  ['definitions', 'map'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['dependencies', 'map'],
  ['dependentSchemas', 'map'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['items', 'schema'],
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['propertyNames', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
]);

/** The schemas that one schema holds, by the keywords of its draft, and where it holds them. */
export function* placesOf(
  schema: Record<string, unknown>,
  { version }: Draft,
): Generator<readonly [SchemaPath, unknown]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const position = POSITIONS.get(keyword);
    if (position !== undefined && isKnown(keyword, version)) yield* placesAt(position, keyword, value);
  }
}

function* placesAt(
  position: Position,
  keyword: string,
  value: unknown,
): Generator<readonly [SchemaPath, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) yield [[keyword, index], child];
  } else if (position !== 'map') {
    yield [[keyword], value];
  } else if (isJsonObject(value)) {
    for (const [name, child] of Object.entries(value)) yield [[keyword, name], child];
  }
}

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];

export function referencesOf(schema: Record<string, unknown>, draft: Draft): string[] {
  return REFERENCES.filter((keyword) => isKnown(keyword, draft.version))
    .map((keyword) => schema[keyword])
    .filter((reference) => typeof reference === 'string');
}
