import type * as z from 'zod';
import type { pendingRunSchema, Run, runVerdictSchema } from '../../contracts/runs.ts';
import type { ScoredCase } from '../ports.ts';

type VerdictAnswer = { status: 200; body: z.input<typeof runVerdictSchema> };
type PendingAnswer = { status: 202; body: z.input<typeof pendingRunSchema> };

/** The verdict with every score, and the failures once more by themselves; or where to ask for it later. */
export function verdictAnswer({
  run,
  results,
}: {
  run: Run;
  results: readonly ScoredCase[] | undefined;
}): VerdictAnswer | PendingAnswer {
  const { status } = run;
  if (status === 'pending' || results === undefined) {
    const message = `The run is accepted. Poll GET /v1/runs/${run.id} until its status is cleared or aborted.`;
    return { status: 202, body: { id: run.id, status: 'pending', message } };
  }
  const scores = results.map(({ case_name, passed, score, threshold, reason }) => ({
    case: case_name,
    passed,
    score,
    threshold,
    reason,
  }));
  const failures = results
    .filter(({ passed }) => !passed)
    .map(({ case_name, case_id, score, threshold, reason }) => ({
      case: case_name,
      case_id,
      score,
      threshold,
      reason,
    }));
  return { status: 200, body: { ...run, status, passed: status === 'cleared', scores, failures } };
}
