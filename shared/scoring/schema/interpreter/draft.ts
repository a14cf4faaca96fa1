import { isJsonObject } from '../../json.ts';
import { isKnown } from './known.ts';

/** What a draft makes of a schema, where drafts differ. */
export interface Draft {
  readonly version: 4 | 6 | 7 | 2019 | 2020;
  readonly id: '$id' | 'id';
}

/** Up to draft 07 nothing counts that stands beside `$ref`. */
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

/** Where a schema holds schemas. */
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

/** The schemas that one schema holds, by the keywords of its draft. */
export function* schemasOf(schema: Record<string, unknown>, { version }: Draft): Generator<unknown> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (isKnown(keyword, version)) yield* schemasAt(POSITIONS.get(keyword), value);
  }
}

function schemasAt(position: Position | undefined, value: unknown): readonly unknown[] {
  if (position === undefined) return [];
  if (position === 'map') return isJsonObject(value) ? Object.values(value) : [];
  return Array.isArray(value) ? value : [value];
}
