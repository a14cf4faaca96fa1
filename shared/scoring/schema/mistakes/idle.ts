import type { Fault } from '../faults.ts';
import { FORMATS } from '../formats/formats.ts';
import type { Schema } from '../interpreter/resources.ts';

/** Each says something of values of one type only. A whole number is a number. */
const OF_ONE_TYPE: ReadonlyMap<string, string> = new Map([
  ...ofType('string', ['minLength', 'maxLength', 'pattern']),
  ...ofType('number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  ...ofType('array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']),
  ...ofType('object', ['properties', 'patternProperties', 'propertyNames', 'required', 'dependentRequired']),
  ...ofType('object', ['minProperties', 'maxProperties', 'dependentSchemas', 'dependencies']),
]);

function ofType(type: string, keywords: readonly string[]): (readonly [string, string])[] {
  return keywords.map((keyword) => [keyword, type]);
}

/** Keywords that check nothing beside the `type` of their schema. Those that would say nothing anyway do no harm. */
export function* idleFaults(schema: Schema): Generator<Fault> {
  const named = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null');
  const types = named.map((type) => (type === 'integer' ? 'number' : type));
  if (types.length === 0 || !types.every((type) => typeof type === 'string')) return;
  for (const [keyword, value] of Object.entries(schema)) {
    const type = keyword === 'format' ? typeOfFormat(value) : OF_ONE_TYPE.get(keyword);
    if (type === undefined || types.includes(type) || isEmpty(value)) continue;
    yield [
      keyword,
      `checks nothing here: it is for values of type ${type}, and \`type\` is ${named.join(' or ')}: correct one of them`,
    ];
  }
}

/** Undefined for what is no format: another check refuses it. */
const typeOfFormat = (name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(FORMATS, name) ? FORMATS[name]?.type : undefined;

/** `required: []`, `properties: {}`. */
const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
