import type * as z from 'zod';

type Schema = z.core.$ZodType;
type Def = z.core.$ZodTypes['_zod']['def'];

const defOf = (schema: Schema): Def => schema._zod.def as Def;

/** The kinds of JSON values that the formats of strings stand for. */
const STRINGS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  datetime: 'timestamp',
  date: 'date',
};

const listed = (values: readonly unknown[]): string =>
  values.map((value) => JSON.stringify(value)).join(' \\| ');

/** What a schema takes, as the type column of a table names it. `named` are types that have a section of their own. */
export function typeOf(schema: Schema, named: ReadonlyMap<Schema, string>): string {
  const name = named.get(schema);
  if (name !== undefined) return `[${name}](#${name.toLowerCase().replaceAll(' ', '-')})`;
  const def = defOf(schema);
  switch (def.type) {
    case 'string':
      return STRINGS[(def as { format?: string }).format ?? ''] ?? 'string';
    case 'number':
      return (def as { format?: string }).format === 'safeint' ? 'integer' : 'number';
    case 'enum':
      return listed(Object.values(def.entries));
    case 'literal':
      return listed(def.values);
    case 'array':
      return `array of ${typeOf(def.element, named)}`;
    case 'nullable':
      return `${typeOf(def.innerType, named)} or null`;
    case 'optional':
    case 'nonoptional':
    case 'default':
      return typeOf(def.innerType, named);
    case 'pipe':
      return typeOf(meaningOf(def), named);
    case 'union':
      return def.options.map((option) => typeOf(option, named)).join(' or ');
    case 'object':
      return fieldsInline(def.shape, named);
    case 'record':
      return `object of ${typeOf(def.valueType, named)}`;
    case 'custom':
      return 'object';
    case 'unknown':
      return 'any JSON';
    case 'boolean':
      return 'boolean';
    default:
      throw new Error(`Say in scripts/documents/schemaWords.ts what a schema of type ${def.type} takes`);
  }
}

const fieldsInline = (shape: Readonly<Record<string, Schema>>, named: ReadonlyMap<Schema, string>): string =>
  `{${Object.entries(shape)
    .map(([field, schema]) => `${field}${isOptional(schema) ? '?' : ''}: ${typeOf(schema, named)}`)
    .join(', ')}}`;

/** A pipe's second half says what a text is read as; where that is code, only the first half says something. */
function meaningOf(def: Extract<Def, { type: 'pipe' }>): Schema {
  return defOf(def.out).type === 'transform' ? def.in : def.out;
}

const isOptional = (schema: Schema): boolean => defOf(schema).type === 'optional';

/** `yes`, `no`, or what a field is when it is left out. */
export function requiredOf(schema: Schema): string {
  const def = defOf(schema);
  if (def.type === 'default') return `default \`${JSON.stringify(def.defaultValue)}\``;
  return isOptional(schema) ? 'no' : 'yes';
}

/** The bounds of a value in words: where a check has a message of its own, as the refusal says it. */
export function boundsOf(schema: Schema): string {
  return [...new Set(boundsIn(schema))].join('; ');
}

function boundsIn(schema: Schema): string[] {
  const def = defOf(schema);
  const own = (def.checks ?? []).map((check) => boundOf(check, def.type)).filter((bound) => bound !== '');
  switch (def.type) {
    case 'nullable':
    case 'optional':
    case 'default':
      return [...boundsIn(def.innerType), ...own];
    case 'pipe':
      return [...boundsIn(def.in), ...boundsIn(def.out), ...own];
    case 'array':
      return [...own, ...boundsIn(def.element)];
    default:
      return own;
  }
}

interface Check {
  readonly check: string;
  readonly error?: (issue: never) => unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly value?: unknown;
  readonly inclusive?: boolean;
}

function boundOf(check: z.core.$ZodCheck<never>, type: string): string {
  const def = check._zod.def as Check;
  const message = def.error?.({ code: 'custom' } as never);
  if (typeof message === 'string') return message;
  const unit = type === 'array' ? 'entries' : 'characters';
  switch (def.check) {
    case 'max_length':
      return `at most ${def.maximum?.toLocaleString('en')} ${unit}`;
    case 'min_length':
      return `at least ${def.minimum} ${def.minimum === 1 ? unit.replace(/ies$/, 'y').replace(/s$/, '') : unit}`;
    case 'greater_than':
      return `${def.inclusive ? 'at least' : 'above'} ${Number(def.value).toLocaleString('en')}`;
    case 'less_than':
      return `${def.inclusive ? 'at most' : 'below'} ${Number(def.value).toLocaleString('en')}`;
    default:
      return '';
  }
}
