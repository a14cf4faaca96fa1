import type { ValidateFunction } from 'ajv/dist/core.js';
import type { Draft } from '../drafts.ts';
import { FORMATS } from '../formats/formats.ts';
import { schemaRegExp } from '../patterns.ts';
import { containsKeyword } from './containsKeyword.ts';
import { EQUAL_KEYWORDS } from './equalKeywords.ts';
import { limitErrors } from './errorLimit.ts';
import { isMultipleOf } from './multipleOf.ts';

const SCHEMA_REGEXP = Object.assign((pattern: string) => schemaRegExp(pattern), { code: 'new RegExp' });

/**
 * A validator of one schema in generated code, in an instance of its own: two schemas in one instance could read each
 * other by `$id`. The schema is not validated by its meta-schema here, because that was done when it was written.
 */
export function compileByAjv(schema: object, draft: Draft): ValidateFunction {
  const ajv = draft.open({
    strict: false,
    logger: false,
    allErrors: true,
    ownProperties: true,
    validateSchema: false,
    meta: false,
    formats: { ...FORMATS },
    code: { regExp: SCHEMA_REGEXP, optimize: 0, process: limitErrors },
  });
  // ajv refuses draft 04's `id` in later drafts, where it is one of the unknown keywords.
  if (draft.version !== 4) ajv.removeKeyword('id');
  for (const keyword of [...EQUAL_KEYWORDS, containsKeyword]) {
    ajv.removeKeyword(String(keyword.keyword)).addKeyword(keyword);
  }
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
  // An asynchronous validator returns a promise, which is always truthy.
  if ('$async' in validator) throw new Error('`$async` is not supported');
  return validator;
}
