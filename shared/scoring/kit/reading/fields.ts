import * as z from 'zod';
import { described } from '../../../contracts/base/fields.ts';
import type { CompiledScorer, Guard } from '../definition.ts';
import { isJsonObject } from '../json.ts';

/** Of every scorer that reads an output's text: whether what the model thought aloud is no part of it. */
export const readingField = () => ({
  ignore_reasoning: described(z.boolean().optional(), {
    label: 'Leave out the text between <think> and </think>',
  }),
});

/** Of those that compare letters. */
export const CASE_WORDS = { label: 'Upper and lower case differ', absent: true } as const;

/** Of those that compare it as it is written: whether output and bar are compared in one form. */
export const normalizeField = () => ({
  normalize: described(z.boolean().optional(), {
    label: 'Look-alikes count as equal: quotation marks, dashes, blanks, invisible characters',
  }),
});

/** The scorer, or one that sees an output's answer only, as its config says. */
export function readingAs(config: unknown, compiled: CompiledScorer): CompiledScorer {
  const ignoresReasoning = isJsonObject(config) && config.ignore_reasoning === true;
  if (!ignoresReasoning) return compiled;
  const { stepsMax } = compiled;
  return {
    ...compiled,
    score: (subject, expected) => compiled.score(subject.answer, expected),
    ...(stepsMax && { stepsMax: (subject) => stepsMax(subject.answer) }),
  };
}

const NORMALIZING_MS = 250;
const NORMALIZING_PER_MEGABYTE_MS = 200;

/** The limits of a scorer that normalizes outputs first. */
export const normalizing = (guard: Guard): Guard => ({
  ...guard,
  limitMs: Math.max(guard.limitMs, NORMALIZING_MS),
  sharedPerMegabyteMs: (guard.sharedPerMegabyteMs ?? 0) + NORMALIZING_PER_MEGABYTE_MS,
});
