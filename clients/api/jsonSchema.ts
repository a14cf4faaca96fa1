import * as z from 'zod';

/** The keywords of JSON Schema that zod writes and the printers read. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
}

type Io = 'input' | 'output';

/** Turns zod's schemas into JSON Schema. Schemas that have a name are referred to, and collected. */
export interface Converter {
  convert(schema: z.core.$ZodType, io: Io): JsonSchema;
  /** Those that were met, by name. */
  readonly definitions: Map<string, JsonSchema>;
}

const OPEN_OBJECT: JsonSchema = { type: 'object', additionalProperties: true };

export function createConverter(named: Readonly<Record<string, z.core.$ZodType>>): Converter {
  const names = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) names.add(schema, { id });
  const definitions = new Map<string, JsonSchema>();
  /** What may be left out depends on the direction. */
  const ios = new Map<string, Io>();

  function convert(schema: z.core.$ZodType, io: Io): JsonSchema {
    const { $defs = {}, ...converted } = z.toJSONSchema(schema, {
      io,
      metadata: names,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const meant = meaningOf(zodSchema, io);
        if (meant !== undefined) replace(jsonSchema, convert(meant, io));
        else if (zodSchema._zod.def.type === 'custom') replace(jsonSchema, OPEN_OBJECT);
      },
    });
    for (const [name, definition] of Object.entries($defs)) {
      if ((ios.get(name) ?? io) !== io) throw new Error(`${name} is sent and answered: it needs two names.`);
      ios.set(name, io);
      definitions.set(name, definition as JsonSchema);
    }
    return converted as JsonSchema;
  }

  return { convert, definitions };
}

function replace(schema: object, by: object): void {
  for (const keyword of Object.keys(schema)) Reflect.deleteProperty(schema, keyword);
  Object.assign(schema, by);
}

/** The second half of a pipe whose first half is code, which says nothing of what is taken. */
function meaningOf(schema: z.core.$ZodType, io: Io): z.core.$ZodType | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (io === 'output' || def.type !== 'pipe') return undefined;
  return ['custom', 'unknown'].includes(def.in._zod.def.type) ? def.out : undefined;
}
