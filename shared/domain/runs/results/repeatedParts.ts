import { repeatedOutput } from '../../../scoring/engine.ts';
import type { SuiteScorer } from '../../../scoring/types.ts';
import type { ScoredCase } from '../ports.ts';
import { excerptsOf } from './excerpts.ts';

interface Scored {
  readonly scorer: Pick<SuiteScorer, 'type'> | null;
  readonly expected: unknown;
  readonly inputText?: string | undefined;
}

/** Of 500 cases. More would make a dictionary that costs more than it saves. */
const EXCERPTS_CHARACTERS_MAX = 50_000;
const CASES = 500;

/** Equal in every run of a suite. They hold nothing of an output, so they may be kept longer than any run. */
export function repeatedParts(cases: readonly Scored[], results: readonly ScoredCase[]): ScoredCase[] {
  const excerpts = createExcerpts();
  return results.map((result, index) => {
    const { case_id, case_name, threshold, key, must_pass, weight, tags } = result;
    return {
      ...{ case_id, case_name, threshold, key, must_pass, weight, tags },
      scorer_output: repeatedOutput(cases[index]?.scorer ?? null, result.scorer_output),
      ...excerpts(cases[index], index),
      ...{ passed: true, score: 1, reason: '', duration_ms: 0 },
      ...{ errored: false, missing: false, advisory: false, output_digest: null, metadata: null },
    };
  });
}

/** Of what the suite says, not of an output; each whole, or not at all. */
function createExcerpts() {
  let characters = 0;
  return (scored: Scored | undefined, index: number) => {
    if (index % CASES === 0) characters = 0;
    const known = { expected: scored?.expected, input: scored?.inputText, sample: undefined };
    const { cut: _, ...texts } = excerptsOf(known);
    characters += Object.values(texts).reduce((sum, text = '') => sum + text.length, 0);
    return characters > EXCERPTS_CHARACTERS_MAX ? {} : texts;
  };
}
