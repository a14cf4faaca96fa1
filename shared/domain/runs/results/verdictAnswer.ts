import type * as z from 'zod';
import type { pendingRunSchema, Run, runVerdictSchema } from '../../../contracts/runs.ts';
import type { ScoredCase } from '../ports.ts';

type VerdictAnswer = { status: 200; body: z.input<typeof runVerdictSchema> };
type PendingAnswer = { status: 202; body: z.input<typeof pendingRunSchema> };

/** The answer for a verdict with more scores than an answer can hold. */
export const withoutScores = (run: Pick<Run, 'id'>): PendingAnswer =>
  askLater(run, 'The answer would be larger than 6 MB (take "Accept-Encoding: gzip", curl --compressed).');

const askLater = ({ id }: Pick<Run, 'id'>, why: string): PendingAnswer => ({
  status: 202,
  body: {
    id,
    status: 'pending',
    message: `${why} Poll GET /v1/runs/${id} until its status is cleared or aborted.`,
  },
});

/** The verdict with every score, and again the failures alone; 202 with the address to poll for a pending run. */
export function verdictAnswer({
  run,
  results,
}: {
  run: Run;
  results: readonly ScoredCase[] | undefined;
}): VerdictAnswer | PendingAnswer {
  const { status } = run;
  if (status === 'pending' || results === undefined) return askLater(run, 'The run is accepted.');
  const scores = results.map((result) => ({ passed: result.passed, ...scoreOf(result) }));
  const failures = results.filter(({ passed, advisory }) => !passed && !advisory).map(scoreOf);
  return { status: 200, body: { ...run, status, passed: status === 'cleared', scores, failures } };
}

function scoreOf(result: ScoredCase) {
  const { case_name, case_id, key, score, threshold, reason, missing, fault, advisory } = result;
  return { case: case_name, case_id, key, score, threshold, reason, missing, fault, advisory };
}
