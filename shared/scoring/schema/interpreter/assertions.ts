import { equalJson } from '../../compare/equality.ts';
import { isJsonObject } from '../../kit/json.ts';
import { firstTwins, oneOfValues } from '../ajv/equal.ts';
import { isMultipleOf } from '../ajv/multipleOf.ts';
import { FORMATS } from '../formats/formats.ts';
import { schemaRegExp } from '../patterns.ts';
import { type Check, fail, type Keyword, type Visit } from './evaluation.ts';
import type { Schema } from './resources.ts';

/** Keywords that validate a value without another schema. Their messages are ajv's. */
export const ASSERTIONS: Readonly<Record<string, Keyword>> = {
  type: (expected: string | readonly string[]) => {
    const types = Array.isArray(expected) ? expected : [expected];
    return (visit) =>
      types.some((type) => isOfType(visit.value, type)) || fail(visit, 'type', `must be ${types.join(',')}`);
  },
  const: (allowedValue: unknown) => (visit) =>
    equalJson(allowedValue, visit.value) ||
    fail(visit, 'const', 'must be equal to constant', { allowedValue }),
  enum: (allowedValues: readonly unknown[]) => {
    const isOne = oneOfValues(allowedValues);
    return (visit) =>
      isOne(visit.value) ||
      fail(visit, 'enum', 'must be equal to one of the allowed values', { allowedValues });
  },
  multipleOf: (factor: number) =>
    ofNumbers((visit, value) =>
      isMultipleOf(factor, value) ? true : fail(visit, 'multipleOf', `must be multiple of ${factor}`),
    ),
  minimum: (limit: number, schema) => bound('minimum', schema.exclusiveMinimum === true ? '>' : '>=', limit),
  maximum: (limit: number, schema) => bound('maximum', schema.exclusiveMaximum === true ? '<' : '<=', limit),
  exclusiveMinimum: (limit: number | boolean) => bound('exclusiveMinimum', '>', limit),
  exclusiveMaximum: (limit: number | boolean) => bound('exclusiveMaximum', '<', limit),
  minLength: (limit: number) => atLeast('minLength', 'characters', limit, lengthOfText),
  maxLength: (limit: number) => atMost('maxLength', 'characters', limit, lengthOfText),
  minItems: (limit: number) => atLeast('minItems', 'items', limit, lengthOfArray),
  maxItems: (limit: number) => atMost('maxItems', 'items', limit, lengthOfArray),
  minProperties: (limit: number) => atLeast('minProperties', 'properties', limit, sizeOfObject),
  maxProperties: (limit: number) => atMost('maxProperties', 'properties', limit, sizeOfObject),
  pattern: (source: string) => {
    const pattern = schemaRegExp(source);
    return ofTexts(
      (visit, text) => pattern.test(text) || fail(visit, 'pattern', `must match pattern "${source}"`),
    );
  },
  format: (name: string) => {
    const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
    if (format === undefined) return null;
    return (visit) =>
      typeof visit.value !== format.type ||
      format.validate(visit.value as never) ||
      fail(visit, 'format', `must match format "${name}"`);
  },
  uniqueItems: (isRequired: boolean) => {
    if (!isRequired) return null;
    return (visit) => {
      const twins = Array.isArray(visit.value) ? firstTwins(visit.value) : null;
      if (twins === null) return true;
      const message = `must NOT have duplicate items (items ## ${twins[0]} and ${twins[1]} are identical)`;
      return fail(visit, 'uniqueItems', message);
    };
  },
  required: (names: readonly string[] | boolean) =>
    Array.isArray(names) ? requires('required', names) : null,
  dependentRequired: (byName: Schema) => {
    const checks = Object.entries(byName).map(
      ([name, names]) => [name, requires('dependentRequired', names as string[], name)] as const,
    );
    return eachCurrent(checks);
  },
};

export function eachCurrent(checks: readonly (readonly [name: string, check: Check])[]): Check {
  return (visit) => {
    if (!isJsonObject(visit.value)) return true;
    let valid = true;
    for (const [name, check] of checks) {
      if (Object.hasOwn(visit.value, name) && !check(visit)) valid = false;
    }
    return valid;
  };
}

export function requires(keyword: string, names: readonly string[], because?: string): Check {
  const messageOf = (name: string) =>
    because === undefined
      ? `must have required property '${name}'`
      : `must have property ${name} when property ${because} is present`;
  return (visit) => {
    const { value } = visit;
    if (!isJsonObject(value)) return true;
    const missing = names.filter((name) => !Object.hasOwn(value, name));
    for (const name of missing) fail(visit, keyword, messageOf(name), { missingProperty: name });
    return missing.length === 0;
  };
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function ofNumbers(check: (visit: Visit, value: number) => boolean): Check {
  return (visit) => typeof visit.value !== 'number' || check(visit, visit.value);
}

function ofTexts(check: (visit: Visit, text: string) => boolean): Check {
  return (visit) => typeof visit.value !== 'string' || check(visit, visit.value);
}

const COMPARISONS = {
  '>=': (value: number, limit: number) => value >= limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '<': (value: number, limit: number) => value < limit,
};

/** In draft 04 the exclusive keywords are booleans, read by the others. */
function bound(keyword: string, comparison: keyof typeof COMPARISONS, limit: number | boolean): Check | null {
  if (typeof limit !== 'number') return null;
  const holds = COMPARISONS[comparison];
  return ofNumbers(
    (visit, value) => holds(value, limit) || fail(visit, keyword, `must be ${comparison} ${limit}`),
  );
}

/** Null for values that the keyword does not constrain. */
type Size = (value: unknown) => number | null;

function atLeast(keyword: string, things: string, limit: number, sizeOf: Size): Check {
  return (visit) => {
    const size = sizeOf(visit.value);
    return (
      size === null || size >= limit || fail(visit, keyword, `must NOT have fewer than ${limit} ${things}`)
    );
  };
}

function atMost(keyword: string, things: string, limit: number, sizeOf: Size): Check {
  return (visit) => {
    const size = sizeOf(visit.value);
    return (
      size === null || size <= limit || fail(visit, keyword, `must NOT have more than ${limit} ${things}`)
    );
  };
}

function lengthOfArray(value: unknown): number | null {
  return Array.isArray(value) ? value.length : null;
}

function sizeOfObject(value: unknown): number | null {
  return isJsonObject(value) ? Object.keys(value).length : null;
}

/** In Unicode characters. */
function lengthOfText(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  let length = 0;
  for (let index = 0; index < value.length; length++)
    index += (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return length;
}
