import * as z from 'zod';
import { wordsOf } from '../../../shared/contracts/base/fields.ts';
import { configFileSchema, scorersFileSchema, suiteFileSchema } from './fileSchemas.ts';

const FILES = [
  { name: 'evalgate.v1.json', title: 'evalgate.yaml', schema: configFileSchema },
  { name: 'suite.v1.json', title: 'A suite of evalgate', schema: suiteFileSchema() },
  { name: 'scorers.v1.json', title: 'Shared scorers of evalgate', schema: scorersFileSchema() },
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
      if (zodSchema._zod.def.type === 'custom') jsonSchema.type = isObject(zodSchema) ? 'object' : 'array';
      if (isTrimmed(zodSchema)) forgiveBlanks(jsonSchema);
      const { label, hint } = wordsOf(zodSchema) ?? {};
      if (label !== undefined) jsonSchema.title ??= label;
      if (hint !== undefined) jsonSchema.description ??= hint;
    },
  });
}

/** Those of the contracts that code checks are objects, but for the scale of a rubric, a list. */
const isObject = (schema: z.core.$ZodType): boolean => z.safeParse(schema, {}).success;

const isTrimmed = ({ _zod: { def } }: z.core.$ZodType): boolean =>
  def.type === 'string' && (def.checks ?? []).some((check) => check._zod.def.check === 'overwrite');

/** Blanks around a text do not count: its length is that of what is between them. */
function forgiveBlanks(text: z.core.JSONSchema.BaseSchema): void {
  const { minLength = 1, maxLength = 1, pattern } = text;
  const any = pattern === undefined ? '[\\s\\S]' : '\\P{Cc}';
  delete text.maxLength;
  text.pattern = `^\\s*(?=\\S)${any}{${minLength - 1},${maxLength - 1}}(?=\\S)${any}\\s*$`;
}
