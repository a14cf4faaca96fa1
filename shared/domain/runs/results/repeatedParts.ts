import { repeatedOutput } from '../../../scoring/engine.ts';
import type { SuiteScorer } from '../../../scoring/types.ts';
import type { ScoredCase } from '../ports.ts';

interface Scored {
  readonly scorer: Pick<SuiteScorer, 'type'> | null;
}

/** Equal in every run of a suite. They hold nothing of an output, so they may be kept longer than any run. */
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
