import * as z from 'zod';
import { once } from '../engine/config.ts';
import type { CompiledScorer, DeterministicScorer, Outcome, ScorerError } from '../engine/definition.ts';
import { erroredOutcome } from '../engine/errors.ts';
import type { Subject } from '../reading/subject.ts';
import { staysWithin } from '../verdict/tolerance.ts';

const configSchema = once(() =>
  z.strictObject({
    field: z.enum(['latency_ms', 'input_tokens', 'output_tokens', 'total_tokens', 'cost_usd']),
    max: z.number().nonnegative(),
  }),
);
type Config = z.infer<ReturnType<typeof configSchema>>;

const METADATA_MISSING: ScorerError = {
  code: 'METADATA_MISSING',
  fault: 'candidate',
  reason:
    'the output came without the figure that the scorer limits: send it in the `metadata` of the output',
};

/** A figure that the harness reports about its output. */
export const metric: DeterministicScorer<Config> = {
  type: 'metric',
  configSchema,
  errors: [METADATA_MISSING],
  isOneSided: true,
  readsMetadata: true,
  compile: (config): CompiledScorer => ({
    guard: null,
    usesExpected: false,
    score: (subject) => scoreFigure(config, subject),
    reset() {},
  }),
};

function scoreFigure({ field, max }: Config, { metadata }: Subject): Outcome {
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

function sumOf(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}
