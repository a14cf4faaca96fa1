import { isJsonObject } from '../kit/json.ts';
import type { Draft } from './drafts.ts';
import { interpretedDraft, isOnlyReference } from './interpreter/draft.ts';
import type { Resources, Schema } from './interpreter/resources.ts';
import { schemaRegExp } from './patterns.ts';

/** The properties that a schema requires and declares at the top of the document. */
export interface Shape {
  readonly required: readonly string[];
  declares(name: string): boolean;
}

/** Of a schema and the schemas that it applies to the same value. Only unconditional ones add required properties. */
export function shapeOf(root: Schema, draft: Draft, resources: Resources): Shape {
  const applied = [...appliedToSame(root, draft, resources)];
  const required = applied.flatMap(({ schema, always }) => (always ? requiredOf(schema) : []));
  const names = new Set(applied.flatMap(({ schema }) => Object.keys(membersOf(schema, 'properties'))));
  const patterns = applied
    .flatMap(({ schema }) => Object.keys(membersOf(schema, 'patternProperties')))
    .map((source) => schemaRegExp(source));
  const declaresRest = applied.some(
    ({ schema }) => isJsonObject(schema.additionalProperties) || isJsonObject(schema.unevaluatedProperties),
  );
  return {
    required: [...new Set(required)],
    declares: (name) => declaresRest || names.has(name) || patterns.some((pattern) => pattern.test(name)),
  };
}

interface Applied {
  readonly schema: Schema;
  readonly always: boolean;
}

function* appliedToSame(root: Schema, { version }: Draft, resources: Resources): Generator<Applied> {
  const draft = interpretedDraft(version);
  const seen = new Set<unknown>();
  const waiting: { schema: unknown; always: boolean }[] = [{ schema: root, always: true }];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { schema, always } = next;
    if (!isJsonObject(schema) || seen.has(schema)) continue;
    seen.add(schema);
    for (const { schema: referred, isFixed } of referredTo(schema, resources)) {
      waiting.push({ schema: referred, always: always && isFixed });
    }
    if (isOnlyReference(schema, draft)) continue;
    yield { schema, always };
    waiting.push(...listed(schema.allOf).map((one) => ({ schema: one, always })));
    waiting.push(...sometimes(schema).map((one) => ({ schema: one, always: false })));
  }
}

/** The target of a dynamic reference depends on the dynamic scope. */
function* referredTo(
  schema: Schema,
  resources: Resources,
): Generator<{ readonly schema: unknown; readonly isFixed: boolean }> {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = schema[keyword];
    if (typeof reference !== 'string') continue;
    const target = resources.resolve(schema, reference);
    const isDynamic = keyword === '$dynamicRef' ? target.dynamicAnchor !== null : target.resource.isRecursive;
    yield { schema: target.schema, isFixed: keyword === '$ref' || !isDynamic };
  }
}

/** The schemas that apply to the same value under a condition. */
function sometimes(schema: Schema): unknown[] {
  return [
    ...listed(schema.anyOf),
    ...listed(schema.oneOf),
    schema.if,
    schema.then,
    schema.else,
    ...Object.values(membersOf(schema, 'dependentSchemas')),
    ...Object.values(membersOf(schema, 'dependencies')),
  ];
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function membersOf(schema: Schema, keyword: string): Schema {
  const members = schema[keyword];
  return isJsonObject(members) ? members : {};
}

function requiredOf({ required }: Schema): string[] {
  return listed(required).filter((name) => typeof name === 'string');
}
