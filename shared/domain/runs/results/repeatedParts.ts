import { repeatedOutput } from '../../../scoring/engine/engine.ts';
import type { SuiteScorer } from '../../../scoring/types.ts';
import type { RepeatedTexts, ScoredCase } from '../ports.ts';
import { excerptsOf } from './excerpts.ts';

interface Scored {
  readonly scorer: Pick<SuiteScorer, 'type'> | null;
  readonly expected: unknown;
  readonly inputText?: string | undefined;
}

/** Of 500 cases. More would cost more to keep than it saves. */
const EXCERPTS_CHARACTERS_MAX = 50_000;
const CASES = 500;

/** Equal in every run of a suite. They hold nothing of an output, since they are kept longer than a single run. */
export function repeatedParts(cases: readonly Scored[], results: readonly ScoredCase[]): ScoredCase[] {
  return results.map((result, index) => {
    const { case_id, case_name, threshold, key, must_pass, weight, tags } = result;
    return {
      ...{ case_id, case_name, threshold, key, must_pass, weight, tags },
      scorer_output: repeatedOutput(cases[index]?.scorer ?? null, result.scorer_output),
      ...{ passed: true, score: 1, reason: '', duration_ms: 0 },
      ...{ errored: false, missing: false, advisory: false, output_digest: null, metadata: null },
    };
  });
}

/** Of each result what was asked and expected, not what was answered; both, or neither. */
export function repeatedTexts(cases: readonly Scored[], results: readonly ScoredCase[]): RepeatedTexts[] {
  const excerpts = createExcerpts();
  return results.map(({ case_id }, index) => ({ case_id, ...excerpts(cases[index], index) }));
}

function createExcerpts() {
  let characters = 0;
  return (scored: Scored | undefined, index: number) => {
    if (index % CASES === 0) characters = 0;
    const known = { expected: scored?.expected, input: scored?.inputText, sample: undefined };
    const { cut: _, ...texts } = excerptsOf(known);
    characters += Object.values(texts).reduce((sum, text) => sum + (text ?? '').length, 0);
    return characters > EXCERPTS_CHARACTERS_MAX ? {} : texts;
  };
}
