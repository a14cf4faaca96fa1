import type { Judge, Scorer } from '../imports/types.ts';
import { textsOf } from './texts.ts';

export const SCORERS = ['similarity', 'exact_match', 'contains', 'judge'] as const;
export type ScorerName = (typeof SCORERS)[number];

interface Compared {
  readonly scorer: Scorer;
  readonly expected?: unknown;
}

const RUBRIC = 'The output says what the expected answer says, and contradicts it in nothing.';

/** What compares an output with what a row expects, or why nothing does. */
export function scorerOf(
  name: ScorerName,
  expected: unknown,
  judge?: Judge,
): Compared | { readonly why: string } {
  const texts = textsOf(expected);
  if (name === 'exact_match') {
    return {
      scorer: { type: 'exact_match', config: {} },
      expected: texts?.length === 1 ? texts[0] : expected,
    };
  }
  if (texts === undefined) return { why: 'expects what is no text, nor a list of texts' };
  if (name === 'contains') return { scorer: { type: 'contains', config: { values: texts } } };
  const text = texts.join('\n');
  if (name === 'similarity') {
    const config = { metric: 'rouge_l', case_sensitive: false };
    return { scorer: { type: 'similarity', config }, expected: text };
  }
  const { provider = '', model } = judge ?? {};
  const config = { _provider: provider, ...(model === undefined ? {} : { model }), rubric: RUBRIC };
  return { scorer: { type: 'llm_judge', config }, expected: text };
}
