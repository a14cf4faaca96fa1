import * as z from 'zod';
import { errorEnvelopeSchema } from '../../../shared/contracts/base/errors.ts';
import { OUTPUTS_MAX } from '../../../shared/contracts/base/limits.ts';
import { gatesSchema, verdictDetailSchema } from '../../../shared/contracts/gates.ts';
import { outputItemsSchema } from '../../../shared/contracts/outputs.ts';
import { pendingRunSchema, runVerdictSchema } from '../../../shared/contracts/runs.ts';
import { latestRunSchema } from '../../../shared/contracts/suites.ts';
import { described } from './descriptions.ts';
import { OBJECTS } from './objects.ts';
import type { JsonSchema } from './types.ts';

/** The schemas that have a name in the document, by the constant that declares their fields. */
const CONSTANTS = {
  ...OBJECTS,
  runVerdictSchema,
  pendingRunSchema,
  latestRunSchema,
  verdictDetailSchema,
  gatesSchema,
  errorEnvelopeSchema,
};

/** `RunResult` of `runResultSchema`. */
const componentOf = (constant: string): string =>
  constant.replace(/(Envelope)?Schema$/, '').replace(/^[a-z]/, (letter) => letter.toUpperCase());

export const COMPONENTS: ReadonlyMap<string, { readonly constant: string; readonly schema: z.ZodType }> =
  new Map(
    Object.entries(CONSTANTS).map(([constant, schema]) => [componentOf(constant), { constant, schema }]),
  );

/** Only `OutputItem` is sent; all others are answered. */
const SENT = 'OutputItem';
const named = z.registry<{ id: string }>();
for (const [id, { schema }] of COMPONENTS) named.add(schema, { id });

export type Direction = 'input' | 'output';
export const refTo = (component: string): JsonSchema => ({ $ref: `#/components/schemas/${component}` });

/** Of a field in the contract's source. */
type Declares = RegExp;

/** A schema of a contract as JSON Schema; what has a name is referred to by it. */
export function schemaOf(schema: z.core.$ZodType, io: Direction, declares: Declares): JsonSchema {
  const { $schema, $defs = {}, ...printed } = print(schema, io);
  const mistaken = Object.keys($defs).filter((name) => io === 'input' && name !== SENT);
  if (mistaken.length > 0)
    throw new Error(`${mistaken} is what answers have: ${declares} needs another name`);
  const { description, ...tidy } = tidied(printed, io);
  return described(tidy, declares);
}

/** A named schema itself. */
export function componentSchema(name: string): JsonSchema {
  const { constant, schema } = COMPONENTS.get(name) ?? {};
  if (schema === undefined) throw new Error(`No schema is called ${name}.`);
  const io = name === SENT ? 'input' : 'output';
  const printed = print(schema, io);
  const definition = printed.$defs?.[name] ?? printed;
  const { $schema, $defs, id, ...rest } = definition as JsonSchema & Readonly<Record<string, unknown>>;
  return described(tidied(rest, io), new RegExp(`^(export )?const ${constant} =`, 'm'));
}

type Printed = JsonSchema & {
  readonly $schema?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
};

const print = (schema: z.core.$ZodType, io: Direction): Printed =>
  z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    metadata: named,
    override: ({ zodSchema, jsonSchema }) => Object.assign(jsonSchema, saidByCode(zodSchema, io)),
  }) as Printed;

type Def = z.core.$ZodTypes['_zod']['def'];

/** What a schema's code says and JSON Schema can't print. */
function saidByCode(schema: z.core.$ZodType, io: Direction): JsonSchema {
  if (schema === outputItemsSchema)
    return { type: 'array', items: refTo(SENT), minItems: 1, maxItems: OUTPUTS_MAX };
  const def = schema._zod.def as Def;
  const bounds = io === 'input' ? boundsByCode(def) : '';
  const description: JsonSchema = bounds === '' ? {} : { description: bounds };
  if (def.type === 'custom') return { type: 'object', additionalProperties: true, ...description };
  if (io === 'input' && def.type === 'pipe') return { ...readAs(def.out), ...description };
  return description;
}

/** What is read: an identifier, whose letters may be upper case, the whole number of a query, or a record. */
function readAs(out: z.core.$ZodType): JsonSchema {
  const { type, format } = out._zod.def as { type: string; format?: string };
  if (type === 'number') {
    const { $schema, ...bounds } = z.toJSONSchema(out);
    return { ...(bounds as JsonSchema), type: 'integer', description: '' };
  }
  if (type === 'record') {
    const { $schema, $defs, ...record } = print(out, 'input');
    return record;
  }
  return format === 'uuid' ? { format } : {};
}

const IS_A_BOUND = /^(at|must|only|a) /;

/** The messages of checks that are functions, such as `at most 256 kB of JSON`. */
function boundsByCode({ checks = [] }: Def): string {
  const messages = checks.map((check) => {
    const def = check._zod.def as { check: string; error?: (issue: object) => unknown };
    return def.check === 'custom' ? def.error?.({ code: 'custom' }) : undefined;
  });
  return messages.filter((message) => typeof message === 'string' && IS_A_BOUND.test(message)).join('; ');
}

const WITH_A_PATTERN_OF_ITS_OWN = new Set(['uuid', 'date', 'date-time']);

/** Without what says nothing to a reader, and without what would forbid later versions of the service to say more. */
function tidied(schema: JsonSchema, io: Direction): JsonSchema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, tidiedValue(keyword, value, io)]),
  ) as JsonSchema & Record<string, unknown>;
  const { type, $ref } = inner;
  if ($ref !== undefined) return { $ref: $ref.replace('#/$defs/', '#/components/schemas/') };
  // Generators of clients know `anyOf` better than a list of types.
  if (Array.isArray(type)) {
    const { type: _, ...rest } = inner;
    return { ...rest, anyOf: type.map((one: string) => ({ type: one })) };
  }
  const isNoise: Readonly<Record<string, boolean>> = {
    pattern: WITH_A_PATTERN_OF_ITS_OWN.has(inner.format ?? ''),
    minimum: inner.minimum === Number.MIN_SAFE_INTEGER,
    maximum: inner.maximum === Number.MAX_SAFE_INTEGER,
    default: io === 'output',
    additionalProperties: type === 'array' || (io === 'output' && inner.additionalProperties === false),
    propertyNames: true,
  };
  return Object.fromEntries(Object.entries(inner).filter(([keyword]) => isNoise[keyword] !== true));
}

/** Of a map it is the schema of its values. */
const isSchemaOfAnything = (value: unknown): boolean =>
  typeof value === 'boolean' || Object.keys(value as object).length === 0;

function tidiedValue(keyword: string, value: unknown, io: Direction): unknown {
  if (keyword === 'default' || keyword === 'enum' || keyword === 'const') return value;
  if (keyword === 'properties') {
    const fields = Object.entries(value as Record<string, JsonSchema>);
    return Object.fromEntries(fields.map(([name, field]) => [name, tidied(field, io)]));
  }
  if (keyword === 'additionalProperties' && isSchemaOfAnything(value)) return value !== false;
  if (keyword === 'anyOf') return (value as JsonSchema[]).map((one) => tidied(one, io));
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? tidied(value as JsonSchema, io)
    : value;
}
