import type { ScorerOutput } from '../debugOutput.ts';
import { scorerOutput, show } from '../debugOutput.ts';
import { configInvalid, erroredOutcome } from '../errors.ts';
import { isRangeError, messageOf } from '../guard.ts';
import { dualSidedOutcome } from '../sides.ts';
import type { Subject } from '../subject.ts';
import { asReason, clip, quote } from '../text.ts';
import type { CompiledScorer, Guard, Outcome, ScorerOptions } from '../types.ts';

import { isTooManyErrors } from './errorLimit.ts';
import type { SchemaError } from './interpreter/evaluation.ts';
import { schemaSides } from './sides.ts';
import { compileSchema, type Validator } from './validator.ts';

export { checkSchema } from './check.ts';

const MAX_ERRORS = 20;

/** Scores by a schema that compiles when it is first needed. */
export function schemaScorer(
  schema: Record<string, unknown>,
  options: ScorerOptions,
  guard: Guard,
): CompiledScorer {
  let validator: Validator | undefined;
  return {
    guard,
    usesExpected: false,
    score(subject): Outcome {
      try {
        if (!subject.parsed.ok) return unparsable(subject.parsed.reason, schema, options);
        validator ??= compileSchema(schema);
        return validated(subject, subject.parsed.value, validator, schema, options);
      } catch (error) {
        if (isTooManyErrors(error)) return erroredOutcome('SCHEMA_TIMEOUT');
        return isRangeError(error) ? erroredOutcome('SCHEMA_RECURSION') : configInvalid(messageOf(error));
      }
    },
    reset() {
      validator = undefined;
    },
  };
}

interface ListedError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
}

interface Findings {
  readonly errors: readonly SchemaError[];
  /** Where something is wrong, for the sides; may name more places than the errors do. */
  readonly places: readonly { readonly instancePath: string }[];
}

function findingsOn(value: unknown, validator: Validator, schema: Record<string, unknown>): Findings {
  try {
    const { errors } = validator(value);
    return { errors, places: errors };
  } catch (thrown) {
    if (!isTooManyErrors(thrown)) throw thrown;
    // Too many to hold, and some may belong to an alternative that another one makes up for: the first decides.
    const { valid, errors } = compileSchema(schema, { allErrors: false })(value);
    return { errors, places: valid ? [] : [...errors, ...thrown.errorsHeld] };
  }
}

function validated(
  subject: Subject,
  value: unknown,
  validator: Validator,
  schema: Record<string, unknown>,
  options: ScorerOptions,
): Outcome {
  const { errors, places } = findingsOn(value, validator, schema);
  const sides = options.dualSided ? schemaSides(schema, value, places) : null;
  if (errors.length === 0) {
    const shown = subject.shownJson;
    const output = scorerOutput({ valid: true, parsed_output: shown.value }, shown);
    if (sides !== null) return dualSidedOutcome(sides, output, '');
    return { score: 1, reason: 'output satisfies the schema', output, errored: false };
  }
  const listed = errors.slice(0, MAX_ERRORS).map(asListed);
  const output = failureOutput(listed);
  const reason = inWords(listed, errors.length);
  return sides === null
    ? { score: 0, reason, output, errored: false }
    : dualSidedOutcome(sides, output, reason);
}

function unparsable(reason: string, schema: Record<string, unknown>, options: ScorerOptions): Outcome {
  const error: ListedError = { instancePath: '', keyword: 'parse', message: reason };
  const output = failureOutput([error]);
  if (options.dualSided)
    return dualSidedOutcome(schemaSides(schema, undefined, [error]), output, asReason(reason));
  return { score: 0, reason: asReason(reason), output, errored: false };
}

function failureOutput(errors: readonly ListedError[]): ScorerOutput {
  const shown = show(errors);
  return scorerOutput({ valid: false, errors: shown.value }, shown);
}

function asListed(error: SchemaError): ListedError {
  return {
    instancePath: clip(error.instancePath, 200).toWellFormed(),
    keyword: error.keyword,
    message: clip((error.message ?? 'is not valid') + detailOf(error), 200).toWellFormed(),
  };
}

/** What ajv's messages leave out. */
function detailOf({ keyword, params }: SchemaError): string {
  if (keyword === 'additionalProperties') return `: ${quote(String(params.additionalProperty))}`;
  if (keyword === 'unevaluatedProperties') return `: ${quote(String(params.unevaluatedProperty))}`;
  if (keyword === 'enum') return `: ${clip(JSON.stringify(params.allowedValues), 100)}`;
  if (keyword === 'const') return `: ${clip(JSON.stringify(params.allowedValue) ?? '', 100)}`;
  return '';
}

function inWords(listed: readonly ListedError[], total: number): string {
  const shown = listed
    .slice(0, 3)
    .map(({ instancePath, message }) => `${instancePath || 'output'} ${message}`);
  const more = total > shown.length ? [`and ${total - shown.length} more`] : [];
  return asReason([...shown, ...more].join('; '));
}
