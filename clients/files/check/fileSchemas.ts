import * as z from 'zod';
import { shareSchema, slugSchema } from '../../../shared/contracts/base/common.ts';
import {
  definedCaseFields,
  definedScorerFields,
  definedSuiteFields,
} from '../../../shared/contracts/definitions.ts';
import { once } from '../../../shared/scoring/kit/config.ts';
import { scorers } from '../../../shared/scoring/registry.ts';
import { isRecord } from '../read/parts.ts';

/** The whole value: in a longer text it means nothing. */
const referenceTo = (what: string) =>
  z.string().regex(/^file:\/\//, `must be ${what}, or file:// and the path of a file that has it`);

const versionSchema = z.literal(1, 'must be 1, the version of this format');
const globsSchema = z.array(z.string().min(1).max(500)).max(100);

/** One for each repository. */
export const configFileSchema = z.strictObject({
  version: versionSchema,
  url: z
    .url({
      protocol: /^https?$/,
      error: 'must be the address of the service, such as https://gate.example.com',
    })
    .optional()
    .describe('Where the service is'),
  organisation: z.string().min(1).max(200).optional().describe('Its id, which jobs ask their tokens for'),
  project: slugSchema.optional().describe('The slug of the project that suites and scorers belong to'),
  suites: globsSchema
    .default(['evals/**/*.suite.yaml'])
    .describe('Files of suites: `*` matches a part of a name, `**` for folders'),
  scorers: globsSchema.default(['evals/scorers.yaml']).describe('Files of scorers that several suites use'),
});

const { name, input, ...caseFields } = definedCaseFields;
const { threshold, weight, tags, sample_count, sample_pass_rate } = caseFields;
const scorerKeySchema = slugSchema.describe(
  'The key of a scorer of this file, or of the files of shared scorers',
);

export const caseEntrySchema = z.strictObject({
  key: slugSchema.describe('By it outputs name the case; another key makes another case'),
  name: name.describe('Left out: the key'),
  scorer: scorerKeySchema.optional().describe("Left out: that of the file's defaults"),
  input: z.union([referenceTo('an object'), input]),
  ...caseFields,
});

/** The fields of a config that can stand in a file of their own. */
const FILED: ReadonlyMap<string, (field: z.ZodType) => z.ZodType> = new Map(
  Object.entries({
    schema: (field) => z.union([referenceTo('a JSON schema'), field]),
  }),
);

const scorerFields = {
  ...definedScorerFields,
  name: definedScorerFields.name.describe('Left out: the key'),
};

type ScorerDefinition = (typeof scorers)[number];

function entrySchemaOf({ type, configSchema }: ScorerDefinition) {
  const fields = Object.entries(configSchema().shape).map(([field, schema]): [string, z.ZodType] => [
    field,
    FILED.get(field)?.(schema as z.ZodType) ?? (schema as z.ZodType),
  ]);
  return z.strictObject({
    type: z.literal(type),
    config: z.strictObject(Object.fromEntries(fields)),
    ...scorerFields,
  });
}
type EntrySchema = ReturnType<typeof entrySchemaOf>;

const entrySchemas = new Map(
  scorers.map((definition) => [definition.type, once(() => entrySchemaOf(definition))]),
);

const TYPE_UNKNOWN = `must have one of these types: ${[...entrySchemas.keys()].join(', ')}`;
const anyEntrySchema = once(() => {
  const all = [...entrySchemas.values()].map((schema) => schema());
  return z.discriminatedUnion('type', all as [EntrySchema, ...EntrySchema[]], TYPE_UNKNOWN);
});

/** What checks a scorer of the type that `value` names; of any type where it names none. */
export function scorerEntrySchema(value: unknown): z.ZodType {
  const type = isRecord(value) && typeof value.type === 'string' ? value.type : '';
  return entrySchemas.get(type)?.() ?? anyEntrySchema();
}

/** Those of some restored resources are their ids: whether such a key is one that the suite has already, the service knows. */
export const keyOfScorerSchema = slugSchema;

const scorersSchema = once(() => z.record(keyOfScorerSchema, anyEntrySchema()).describe('By their keys'));

/** Scorers that several suites use. */
export const scorersFileSchema = once(() =>
  z.strictObject({ version: versionSchema, scorers: scorersSchema() }),
);
/** The same, but for the scorers: they are checked one by one. */
export const scorersHeadSchema = z.strictObject({
  version: versionSchema,
  scorers: z.record(z.string(), z.unknown()),
});

const defaultsSchema = z
  .strictObject({
    scorer: scorerKeySchema.optional(),
    threshold: threshold.unwrap().optional(),
    weight: weight.unwrap().optional(),
    tags: tags.unwrap().optional(),
    sample_count: sample_count.unwrap().optional(),
    sample_pass_rate: sample_pass_rate.unwrap().optional(),
  })
  .describe('What cases of the file have that say nothing else');

/** A suite, but for its scorers and cases: they are checked one by one, so that a mistake in one hides none in another. */
export const suiteHeadSchema = z.strictObject({
  version: versionSchema,
  suite: slugSchema.describe('The slug: another one makes another suite'),
  ...definedSuiteFields,
  name: definedSuiteFields.name.describe('Left out: the slug'),
  pass_threshold: shareSchema.default(1).describe('The least weighted share of passed cases'),
  defaults: defaultsSchema.default({}),
  scorers: z.record(z.string(), z.unknown()).default({}),
  cases: z.array(z.unknown()).default([]),
});

export const suiteFileSchema = once(() =>
  suiteHeadSchema.extend({
    scorers: scorersSchema().default({}),
    cases: z.array(z.union([referenceTo('a case'), caseEntrySchema])).default([]),
  }),
);
