import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv as Draft7, type Options } from 'ajv/dist/ajv.js';
import type AjvCore from 'ajv/dist/core.js';
import type { ValidateFunction } from 'ajv/dist/core.js';
import draft4 from 'ajv-draft-04';
import formats from 'ajv-formats/dist/formats.js';
import { EQUAL_KEYWORDS } from './equalKeywords.ts';
import { limitErrors } from './errorLimit.ts';
import { isMultipleOf } from './multipleOf.ts';

export const MAX_SCHEMA_PATTERN_LENGTH = 512;
/** As the value of format `regex`; V8 reads a pattern in one go that no deadline interrupts. */
const MAX_REGEX_FORMAT_LENGTH = 4_096;

type Ajv = AjvCore.default;

interface Draft {
  readonly metaSchemaId: string;
  open(options: Options): Ajv;
}

const DRAFT_2020: Draft = {
  metaSchemaId: 'https://json-schema.org/draft/2020-12/schema',
  open: (options) => new Ajv2020(options),
};
const DRAFT_7: Draft = {
  metaSchemaId: 'http://json-schema.org/draft-07/schema',
  open: (options) => new Draft7(options),
};

const DRAFTS = new Map<string, Draft>([
  ['json-schema.org/draft/2020-12/schema', DRAFT_2020],
  [
    'json-schema.org/draft/2019-09/schema',
    {
      metaSchemaId: 'https://json-schema.org/draft/2019-09/schema',
      open: (options) => new Ajv2019(options),
    },
  ],
  ['json-schema.org/draft-07/schema', DRAFT_7],
  // Draft 07 only added keywords to draft 06.
  ['json-schema.org/draft-06/schema', DRAFT_7],
  [
    'json-schema.org/draft-04/schema',
    {
      metaSchemaId: 'http://json-schema.org/draft-04/schema',
      open: (options) => new draft4.default(options),
    },
  ],
]);

export const KNOWN_DRAFTS = '2020-12, 2019-09, draft-07, draft-06 or draft-04';

export function draftOf(schema: object): Draft | undefined {
  const named = '$schema' in schema ? schema.$schema : undefined;
  if (named === undefined) return DRAFT_2020;
  if (typeof named !== 'string') return undefined;
  return DRAFTS.get(named.replace(/^https?:\/\//, '').replace(/#$/, ''));
}

export type Validator = ValidateFunction;

/**
 * A validator of one schema, in an instance of its own: two schemas in one instance could read each other by
 * `$id`. The schema is not held against its meta-schema here, since that was done when it was written.
 */
export function compileSchema(schema: object, options = { allErrors: true }): Validator {
  const draft = draftOf(schema);
  if (draft === undefined) throw new Error(`$schema must be one of ${KNOWN_DRAFTS}`);
  const ajv = draft.open({
    strict: false,
    logger: false,
    allErrors: options.allErrors,
    ownProperties: true,
    validateSchema: false,
    meta: false,
    formats: FORMATS,
    code: { regExp: SCHEMA_REGEXP, optimize: 0, process: limitErrors },
  });
  // ajv refuses draft 04's `id` in later drafts, where it is one of the unknown keywords.
  if (draft.metaSchemaId !== 'http://json-schema.org/draft-04/schema') ajv.removeKeyword('id');
  for (const keyword of EQUAL_KEYWORDS) ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  ajv.removeKeyword('multipleOf');
  ajv.addKeyword({
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    errors: false,
    error: { message: (context) => `must be multiple of ${context.schema}` },
    validate: isMultipleOf,
  });
  const validator = ajv.compile(schema);
  // It would answer with a promise, which is true whatever it resolves to.
  if ('$async' in validator) throw new Error('`$async` is not supported');
  return validator as Validator;
}

/** Holds schemas against their draft's meta-schema. Built from trusted parts only, so schemas share it. */
export function metaValidatorOf(draft: Draft): Validator {
  const known = metaValidators.get(draft);
  if (known !== undefined) return known;
  const ajv = draft.open({ strict: false, logger: false, validateSchema: false, validateFormats: false });
  const validator = ajv.getSchema(draft.metaSchemaId);
  if (validator === undefined) throw new Error(`no meta-schema ${draft.metaSchemaId}`);
  metaValidators.set(draft, validator as Validator);
  return validator as Validator;
}

const metaValidators = new Map<Draft, Validator>();

const FORMATS = {
  ...formats.fullFormats,
  regex: (text: string) => text.length <= MAX_REGEX_FORMAT_LENGTH && isRegex(text),
};

export const KNOWN_FORMATS: ReadonlySet<string> = new Set(Object.keys(FORMATS));

function isRegex(text: string): boolean {
  try {
    schemaRegExp(text);
    return true;
  } catch {
    return false;
  }
}

/** JSON Schema asks for Unicode patterns, and much that is written is not one: `\-` outside of a class. */
export function schemaRegExp(pattern: string): RegExp {
  if (pattern.length > MAX_SCHEMA_PATTERN_LENGTH) {
    throw new Error(`a pattern must not be longer than ${MAX_SCHEMA_PATTERN_LENGTH} characters`);
  }
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

const SCHEMA_REGEXP = Object.assign((pattern: string) => schemaRegExp(pattern), { code: 'new RegExp' });
