import type { Judge, Scorer } from '../imports/types.ts';
import { textsOf } from './texts.ts';

export const SCORERS = ['exact_match', 'similarity', 'contains', 'judge'] as const;
export type ScorerName = (typeof SCORERS)[number];

interface Compared {
  readonly scorer: Scorer;
  readonly expected?: unknown;
  /** Above the default of cases, which a half right answer reaches. */
  readonly threshold?: number;
}

const SIMILARITY_MIN = 0.8;

const RUBRIC = 'The output states what the expected answer states, and contradicts it in nothing.';

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
  if (texts === undefined) return { why: 'expects neither a text nor a list of texts' };
  if (name === 'contains') return { scorer: { type: 'contains', config: { values: texts } } };
  const text = texts.join('\n');
  if (name === 'similarity') {
    const config = { metric: 'rouge_l', case_sensitive: false, same_numbers: true };
    return { scorer: { type: 'similarity', config }, expected: text, threshold: SIMILARITY_MIN };
  }
  const { provider = '', model } = judge ?? {};
  const config = {
    _provider: provider,
    ...(model === undefined ? {} : { model }),
    rubric: RUBRIC,
    // An answer that is half right contradicts what is expected.
    scale: [1, 0],
  };
  return { scorer: { type: 'llm_judge', config }, expected: text };
}
