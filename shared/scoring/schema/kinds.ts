import { isJsonObject } from '../kit/json.ts';
import type { Version } from './drafts.ts';
import { isKnown } from './interpreter/known.ts';

type Kind = (value: unknown, version: Version) => boolean;

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']);

const isText: Kind = (value) => typeof value === 'string';
const isNumber: Kind = (value) => typeof value === 'number';
const isBoolean: Kind = (value) => typeof value === 'boolean';
const isCount: Kind = (value) => Number.isInteger(value) && Number(value) >= 0;
const isSchema: Kind = (value) => typeof value === 'boolean' || isJsonObject(value);
const isList: Kind = (value) => Array.isArray(value);
const isNames: Kind = (value) => listOf(isText)(value, 2020);
const isExclusive: Kind = (value, version) => (version === 4 ? isBoolean : isNumber)(value, version);
const isType: Kind = (value) => typeof value === 'string' && TYPES.has(value);

/** The types of keyword values that every engine enforces. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...named(isText, [
    '$ref',
    '$dynamicRef',
    '$recursiveRef',
    '$anchor',
    '$dynamicAnchor',
    'pattern',
    'format',
  ]),
  ...named(isNumber, ['minimum', 'maximum', 'multipleOf']),
  ...named(isExclusive, ['exclusiveMinimum', 'exclusiveMaximum']),
  ...named(isBoolean, ['uniqueItems', '$recursiveAnchor']),
  ...named(isCount, ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties']),
  ...named(isCount, ['minContains', 'maxContains']),
  ...named(isList, ['enum']),
  ...named(either(isType, listOf(isType)), ['type']),
  ...named(isNames, ['required']),
  ...named(mapOf(isNames), ['dependentRequired']),
  ...named(mapOf(either(isSchema, isNames)), ['dependencies']),
  ...named(mapOf(isSchema), ['properties', 'patternProperties', 'dependentSchemas']),
  ...named(listOf(isSchema), ['allOf', 'anyOf', 'oneOf', 'prefixItems']),
  ...named(either(isSchema, listOf(isSchema)), ['items']),
  ...named(isSchema, ['not', 'if', 'then', 'else', 'contains', 'propertyNames']),
  ...named(isSchema, [
    'additionalItems',
    'additionalProperties',
    'unevaluatedItems',
    'unevaluatedProperties',
  ]),
]);

/** Whether a keyword can be enforced: engines ignore a keyword whose value has another type. */
export function isEnforceable(keyword: string, value: unknown, version: Version): boolean {
  const isKind = KINDS.get(keyword);
  return isKind === undefined || !isKnown(keyword, version) || isKind(value, version);
}

function named(kind: Kind, keywords: readonly string[]): (readonly [string, Kind])[] {
  return keywords.map((keyword) => [keyword, kind]);
}

function either(left: Kind, right: Kind): Kind {
  return (value, version) => left(value, version) || right(value, version);
}

function listOf(kind: Kind): Kind {
  return (value, version) => Array.isArray(value) && value.every((item) => kind(item, version));
}

function mapOf(kind: Kind): Kind {
  return (value, version) => isJsonObject(value) && Object.values(value).every((item) => kind(item, version));
}
