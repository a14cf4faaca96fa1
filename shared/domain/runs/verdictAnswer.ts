import type * as z from 'zod';
import type { Run, runVerdictSchema } from '../../contracts/runs.ts';
import type { ScoredCase } from '../ports.ts';

/** What a synchronous run answers: the verdict, every score, and the failures once more by themselves. */
export function verdictAnswer({ run, results }: { run: Run; results: readonly ScoredCase[] }) {
  const { status } = run;
  if (status === 'pending') throw new Error('A synchronous run has a verdict');
  return {
    ...run,
    status,
    passed: status === 'cleared',
    scores: results.map(({ case_name, passed, score, threshold, reason }) => ({
      case: case_name,
      passed,
      score,
      threshold,
      reason,
    })),
    failures: results
      .filter(({ passed }) => !passed)
      .map(({ case_name, case_id, score, threshold, reason }) => ({
        case: case_name,
        case_id,
        score,
        threshold,
        reason,
      })),
  } satisfies z.input<typeof runVerdictSchema>;
}
