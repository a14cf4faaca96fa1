import { isJsonObject } from '../kit/json.ts';
import { quote } from '../kit/text.ts';
import { EMPTY_PATTERN } from '../patterns/pattern.ts';
import { type Draft, draftOf } from './drafts.ts';
import { KNOWN_FORMATS } from './formats/formats.ts';
import { isKnown } from './interpreter/known.ts';
import { whyNoSchemaPattern } from './patterns.ts';
import { atPointer } from './pointers.ts';

type Schema = Record<string, unknown>;
export type Fault = readonly [keyword: string, message: string];

/** The faults of one schema without its subschemas that neither the meta-schema nor the compiler reports. */
export function* faultsOf(root: object, schema: Schema, draft: Draft): Generator<Fault> {
  yield* lastingFaults(root, schema, draft);
  yield* patternFaults(schema);
  yield* formatFaults(schema);
}

/** A schema with one of these is not used even if it was stored before they were checked. */
export function* lastingFaults(root: object, schema: Schema, draft: Draft): Generator<Fault> {
  yield* draftFaults(root, schema, draft);
  yield* referenceFaults(root, schema);
  yield* nameFaults(schema);
  yield* dataFaults(schema);
  if ('$async' in schema) yield ['$async', 'is not supported'];
  if (Object.hasOwn(schema, 'nullable')) {
    yield ['nullable', 'is no keyword of JSON Schema: write a list of types, such as ["string", "null"]'];
  }
}

/** A draft ignores unknown keywords, and an ignored keyword lets every value pass. */
function* draftFaults(root: object, schema: Schema, draft: Draft): Generator<Fault> {
  for (const keyword of Object.keys(schema)) {
    if (isKnown(keyword, draft.version)) continue;
    yield [keyword, `is no keyword of ${draft.name}, and would be ignored: name another draft in $schema`];
  }
  if (schema !== root && Object.hasOwn(schema, '$schema') && draftOf(schema) !== draft) {
    yield ['$schema', 'must be the same in all of the schema'];
  }
}

function* patternFaults({ pattern, patternProperties }: Schema): Generator<Fault> {
  if (typeof pattern === 'string') {
    const message = pattern === '' ? EMPTY_PATTERN : whyNoSchemaPattern(pattern);
    if (message !== null) yield ['pattern', message];
  }
  if (typeof patternProperties !== 'object' || patternProperties === null) return;
  for (const name of Object.keys(patternProperties)) {
    const why = whyNoSchemaPattern(name);
    if (why !== null) yield ['patternProperties', why];
  }
}

function* referenceFaults(root: object, schema: Schema): Generator<Fault> {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = schema[keyword];
    const message = typeof reference === 'string' ? whyNoReference(root, reference) : null;
    if (message !== null) yield [keyword, message];
  }
}

/** ajv looks references up in plain objects, where `toString` and its like are always found. */
function whyNoReference(root: object, reference: string): string | null {
  const isInherited = reference.split(/[/#]/).some((step) => step in Object.prototype);
  if (!isInherited || (reference.startsWith('#/') && atPointer(root, reference) !== undefined)) return null;
  return `${quote(reference)} is not in the schema`;
}

/** ajv lets every value pass for an unknown format. */
function* formatFaults({ format }: Schema): Generator<Fault> {
  if (typeof format !== 'string' || KNOWN_FORMATS.has(format)) return;
  yield ['format', `${quote(format, 30)} is not checked; known are ${[...KNOWN_FORMATS].sort().join(' ')}`];
}

const NAME_MAPS = [
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
];

/** ajv leaves rules for this name out. */
function* nameFaults(schema: Schema): Generator<Fault> {
  for (const keyword of NAME_MAPS) {
    const names = schema[keyword];
    if (isJsonObject(names) && Object.hasOwn(names, '__proto__')) {
      yield [keyword, 'must not hold the name "__proto__", for which no rule can be checked'];
    }
  }
}

/** JSON readers round these whole numbers, so that a wrong number could equal them. */
function* dataFaults(schema: Schema): Generator<Fault> {
  for (const keyword of ['const', 'enum']) {
    if (Object.hasOwn(schema, keyword) && holdsInexact(schema[keyword])) {
      yield [keyword, 'holds a number that is not exact: whole numbers must lie within ±9007199254740991'];
    }
  }
}

function holdsInexact(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value) || isUnsafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsInexact);
}

function isUnsafeInteger(value: number): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}
