import { repeatedOutput } from '../../../scoring/engine.ts';
import type { SuiteScorer } from '../../../scoring/types.ts';
import type { ScoredCase } from '../ports.ts';
import { textOf } from './excerpts.ts';

interface Scored {
  readonly scorer: Pick<SuiteScorer, 'type'> | null;
  readonly expected: unknown;
  readonly inputText?: string | undefined;
}

/** Longer ones are rare, and would make a dictionary that costs more than it saves. */
const EXCERPT_CHARACTERS = 100;

/** Equal in every run of a suite. They hold nothing of an output, so they may be kept longer than any run. */
export function repeatedParts(cases: readonly Scored[], results: readonly ScoredCase[]): ScoredCase[] {
  return results.map((result, index) => {
    const { case_id, case_name, threshold, key, must_pass, weight, tags } = result;
    return {
      ...{ case_id, case_name, threshold, key, must_pass, weight, tags },
      scorer_output: repeatedOutput(cases[index]?.scorer ?? null, result.scorer_output),
      ...excerptsOf(cases[index]),
      ...{ passed: true, score: 1, reason: '', duration_ms: 0 },
      ...{ errored: false, missing: false, advisory: false, output_digest: null, metadata: null },
    };
  });
}

/** Of what the suite says, not of an output. */
function excerptsOf(scored: Scored | undefined): Pick<ScoredCase, 'expected_excerpt' | 'input_excerpt'> {
  const { expected, inputText } = scored ?? {};
  const expected_excerpt = textOf(expected)?.slice(0, EXCERPT_CHARACTERS);
  const input_excerpt = inputText?.slice(0, EXCERPT_CHARACTERS);
  return { ...(expected_excerpt && { expected_excerpt }), ...(input_excerpt && { input_excerpt }) };
}
