import * as z from 'zod';
import { described } from '../../contracts/base/fields.ts';
import { once } from '../kit/config.ts';
import type { CompiledScorer, DeterministicScorer, Outcome, ScorerError } from '../kit/definition.ts';
import { erroredOutcome } from '../kit/errors.ts';
import type { Subject } from '../kit/reading/subject.ts';
import { cut, quote } from '../kit/text.ts';
import { staysWithin } from '../verdict/tolerance.ts';

export const REASON = 'finish_reason';

const configSchema = once(() =>
  described(
    z
      .strictObject({
        field: described(
          z.enum(['latency_ms', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_usd', REASON]),
          {
            label: 'Figure',
            options: {
              latency_ms: 'latency in ms',
              input_tokens: 'input tokens',
              output_tokens: 'output tokens',
              total_tokens: 'all tokens',
              cost_usd: 'cost in USD',
              [REASON]: 'finish reason',
            },
          },
        ),
        max: described(z.number().nonnegative().optional(), {
          label: 'At most',
          hint: 'Of every figure but the finish reason.',
        }),
        equals: described(z.string().min(1).max(200).optional(), {
          label: 'Equals',
          hint: 'Of the finish reason only, in any case.',
        }),
      })
      .superRefine(({ field, max, equals }, context) => {
        const [needed, other] = field === REASON ? ['equals', 'max'] : ['max', 'equals'];
        const values: Readonly<Record<string, unknown>> = { max, equals };
        if (values[needed] === undefined)
          context.addIssue({ code: 'custom', path: [needed], message: `must be given for ${field}` });
        if (values[other] !== undefined)
          context.addIssue({ code: 'custom', path: [other], message: `is not for ${field}: leave it out` });
      }),
    { label: 'Metric', hint: 'A figure that the program sent with its output is within a bound.' },
  ),
);
export type Config = z.infer<ReturnType<typeof configSchema>>;

const METADATA_MISSING: ScorerError = {
  code: 'METADATA_MISSING',
  fault: 'candidate',
  reason: 'the output came without what the scorer reads: send it in the `metadata` of the output',
};

/** What the harness reports about its output. */
export const metric: DeterministicScorer<Config> = {
  type: 'metric',
  configSchema,
  errors: [METADATA_MISSING],
  isOneSided: true,
  readsMetadata: true,
  compile: (config): CompiledScorer => ({
    guard: null,
    usesExpected: false,
    score: (subject) =>
      config.field === REASON ? scoreReason(config, subject) : scoreFigure(config, subject),
    reset() {},
  }),
};

/** Providers write it in either case. */
function scoreReason({ field, equals = '' }: Config, { metadata }: Subject): Outcome {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : null;
  if (typeof value !== 'string' || value === '') return erroredOutcome(METADATA_MISSING);
  const isEqual = value.toLowerCase() === equals.toLowerCase();
  return {
    score: isEqual ? 1 : 0,
    reason: `${field} is ${quote(value)}${isEqual ? '' : `, not ${quote(equals)}`}`,
    output: { field, value: cut(value, VALUE_SHOWN_MAX), equals },
    errored: false,
  };
}

const VALUE_SHOWN_MAX = 200;

function scoreFigure({ field, max = 0 }: Config, { metadata }: Subject): Outcome {
  const value =
    field === 'total_tokens'
      ? sumOf(figure(metadata, 'input_tokens'), figure(metadata, 'output_tokens'))
      : figure(metadata, field);
  if (value === null) return erroredOutcome(METADATA_MISSING);
  const isWithin = staysWithin(value, max);
  return {
    score: isWithin ? 1 : 0,
    reason: `${field} is ${value}, ${isWithin ? 'at most' : 'more than'} ${max}`,
    output: { field, value, max },
    errored: false,
  };
}

function figure(metadata: Subject['metadata'], field: string): number | null {
  const value = Object.hasOwn(metadata, field) ? metadata[field] : null;
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

function sumOf(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}
