import * as z from 'zod';
import { configFileSchema, scorersFileSchema, suiteFileSchema } from './schema.ts';

const FILES = [
  { name: 'evalgate.v1.json', title: 'evalgate.yaml', schema: configFileSchema },
  { name: 'suite.v1.json', title: 'A suite of evalgate', schema: suiteFileSchema },
  { name: 'scorers.v1.json', title: 'Shared scorers of evalgate', schema: scorersFileSchema },
];

type JsonSchema = Record<string, unknown>;

/** For editors, by the name under which each is served: they complete fields and mark mistakes while one types. */
export const jsonSchemas = (): { name: string; schema: JsonSchema }[] =>
  FILES.map(({ name, title, schema }) => ({ name, schema: { title, ...converted(schema) } }));

function converted(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (isObjectCheckedByCode(zodSchema)) jsonSchema.type = 'object';
    },
  });
}

/** Those of the contracts that code checks are objects, but for the scale of a rubric, a list. */
function isObjectCheckedByCode(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'custom' && z.safeParse(schema, {}).success;
}
