import { lookalikeName } from '../compare/lookalike.ts';
import { dualSidedOutcome } from '../compare/precisionRecall.ts';
import type { ScorerOutput } from '../kit/debugOutput.ts';
import { scorerOutput, showList } from '../kit/debugOutput.ts';
import type { CompiledScorer, Guard, Outcome, ScorerOptions } from '../kit/definition.ts';
import { configInvalid, erroredOutcome } from '../kit/errors.ts';
import { isRangeError, messageOf } from '../kit/guard.ts';
import { isJsonObject } from '../kit/json.ts';
import { namesIn } from '../kit/reading/caseTwins.ts';
import type { Extract } from '../kit/reading/extract.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { clip, cut, QUOTED_LENGTH, quote, toReason } from '../kit/text.ts';
import { visible } from '../kit/visible.ts';
import { isTooManyErrors } from './ajv/errorLimit.ts';
import { SCHEMA_RECURSION, SCHEMA_TIMEOUT } from './errors.ts';
import type { SchemaError } from './interpreter/evaluation.ts';
import { unjudgeableNumber } from './numbers.ts';
import { atOwnStep, pointerSteps } from './pointers.ts';
import { schemaPrecisionRecall } from './precisionRecall.ts';
import { compileSchema, type Validator } from './validator.ts';

export { checkSchema } from './check.ts';

const ERRORS_MAX = 20;

interface SchemaOptions extends ScorerOptions {
  /** What of an output has to satisfy the schema. */
  readonly extract?: Extract;
}

export function schemaScorer(
  schema: Record<string, unknown>,
  options: SchemaOptions,
  guard: Guard,
): CompiledScorer {
  const { extract = 'whole' } = options;
  let known: Validator | undefined;
  const validator = () => {
    known ??= compileSchema(schema);
    return known;
  };
  return {
    guard,
    usesExpected: false,
    score(subject): Outcome {
      try {
        return scored(subject.extracted(extract), schema, validator, options);
      } catch (error) {
        if (isTooManyErrors(error)) return erroredOutcome(SCHEMA_TIMEOUT);
        return isRangeError(error) ? erroredOutcome(SCHEMA_RECURSION) : configInvalid(messageOf(error));
      }
    },
    ...(!options.dualSided && extract === 'whole' && { stepsMax: stepsWithoutSchema }),
    /** Nothing to drop: an interrupt leaves nothing half done, since only complete values are assigned. */
    reset() {},
  };
}

const SHORT_LENGTH = 4_096;

/** Of a short output that is no JSON, so that no schema judges it. */
const stepsWithoutSchema = (subject: Subject): number =>
  subject.text.length < SHORT_LENGTH && !subject.parsed.ok ? subject.text.length : Number.POSITIVE_INFINITY;

function scored(json: Subject, schema: object, validator: () => Validator, options: ScorerOptions): Outcome {
  const { parsed } = json;
  const ambiguous = json.ambiguousName(() => namesIn(schema, 'texts too'));
  if (parsed.ok && ambiguous === null) return validated(json, parsed.value, validator(), options);
  const why = parsed.ok ? `output is not usable JSON: it ${ambiguous}` : parsed.reason;
  return unusable(why, options.dualSided ? validator() : null);
}

interface ListedError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly message: string;
}

interface Findings {
  readonly valid: boolean;
  readonly errors: readonly SchemaError[];
  /** Where the errors are, for precision and recall; may name more places than `errors`. */
  readonly places: { readonly instancePath: string }[];
}

function findingsOn(value: unknown, validator: Validator): Findings {
  try {
    const { valid, errors } = validator.validate(value);
    return { valid, errors, places: errors };
  } catch (thrown) {
    if (!isTooManyErrors(thrown)) throw thrown;
    // Too many errors to hold, and some may belong to an alternative of a valid output: the first error decides.
    const { valid, errors } = validator.validateToFirst(value);
    return { valid, errors, places: valid ? [] : [...errors, ...thrown.errorsHeld] };
  }
}

function validated(subject: Subject, value: unknown, validator: Validator, options: ScorerOptions): Outcome {
  const misread = unjudgeableNumber(subject, validator.numbers);
  if (misread !== null) {
    const reason = `output is not usable JSON: it holds ${clip(misread, 40)}, which is read as another number`;
    return unusable(reason, options.dualSided ? validator : null);
  }
  const { valid, errors, places } = findingsOn(value, validator);
  const listed = errors.slice(0, ERRORS_MAX).map((error) => asListed(error, value));
  const reason = inWords(listed, errors.length);
  const precisionRecall = options.dualSided ? schemaPrecisionRecall(validator.shape(), value, places) : null;
  if (valid) {
    const shown = subject.shownDocument;
    const output = scorerOutput({ valid: true, parsed_output: shown.value }, shown);
    if (precisionRecall !== null) return dualSidedOutcome(precisionRecall, output, '');
    return { score: 1, reason: 'output satisfies the schema', output, errored: false };
  }
  const output = failureOutput(listed);
  return precisionRecall === null
    ? { score: 0, reason, output, errored: false }
    : dualSidedOutcome(precisionRecall, output, reason);
}

/** The outcome of an output that is no JSON. The validator is given for dual-sided scorers. */
function unusable(why: string, dualSided: Validator | null): Outcome {
  const error: ListedError = { instancePath: '', keyword: 'parse', message: why };
  const [output, reason] = [failureOutput([error]), toReason(why)];
  if (dualSided === null) return { score: 0, reason, output, errored: false };
  return dualSidedOutcome(schemaPrecisionRecall(dualSided.shape(), undefined, [error]), output, reason);
}

function failureOutput(errors: readonly ListedError[]): ScorerOutput {
  const shown = showList(errors, (error) => error);
  return scorerOutput({ valid: false, errors: shown.value }, shown);
}

function asListed(error: SchemaError, document: unknown): ListedError {
  const held = pointerSteps(error.instancePath).reduce(atOwnStep, document);
  return {
    instancePath: clip(error.instancePath, 200).toWellFormed(),
    keyword: error.keyword,
    message: clip(
      (error.message ?? 'is not valid') + detailOf(error) + unseenIn(held, error),
      200,
    ).toWellFormed(),
  };
}

/** A text or a name that looks as if it were another one. */
function unseenIn(held: unknown, { keyword, params }: SchemaError): string {
  if (keyword === 'required' && isJsonObject(held)) {
    const other = lookalikeName(String(params.missingProperty), Object.keys(held));
    return other === undefined ? '' : `, and ${quote(other)} is there`;
  }
  if (typeof held !== 'string') return '';
  const start = cut(held, QUOTED_LENGTH);
  return visible(start) === start ? '' : `, and is ${quote(held)}`;
}

/** Details that ajv's messages leave out. */
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
  return toReason([...shown, ...more].join('; '));
}
