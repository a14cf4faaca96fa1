import { NO_FIGURES, verdictOf } from '../../scoring/engine.ts';
import type { Ambient } from '../ports.ts';
import { timestamp } from '../time.ts';
import type { ChunkPlan, Evaluation } from './evaluation.ts';
import type { EndedChunkStore, PendingRunStore } from './ports.ts';

/** The end of a run that could not be evaluated: the gate stays closed, and the run is not counted. */
const UNEVALUATED = { status: 'aborted', inconclusive: true, givesBackUsage: true } as const;

export const NOTHING_LEFT = { ...NO_FIGURES, ...UNEVALUATED };

export function completion(run: { created_at: string }, now: number) {
  const createdMs = Date.parse(run.created_at);
  const completedMs = Math.max(now, createdMs);
  return { completed_at: timestamp(completedMs), duration_ms: completedMs - createdMs };
}

/** Ends a run whose chunks have all ended, with the verdict over all of its cases. A repetition changes nothing. */
export async function concludeRun(
  { evaluations, now }: Pick<Ambient, 'now'> & { evaluations: PendingRunStore & EndedChunkStore },
  evaluation: Evaluation,
  plan: ChunkPlan,
): Promise<void> {
  const ended = await evaluations.endedChunks(evaluation);
  const chunks = [...ended.values()];
  const weighed = chunks.flatMap((chunk) => [...chunk.weighed]);
  const failed = chunks.some((chunk) => chunk.failed);
  // The results of a failed chunk may have expired; no other result may be missing.
  if (ended.size !== plan.chunks || (!failed && weighed.length !== plan.totalCases)) {
    throw new Error(`Run ${evaluation.run.id} has results for ${weighed.length} of ${plan.totalCases} cases`);
  }
  await evaluations.conclude(evaluation, {
    ...(weighed.length === 0 ? NOTHING_LEFT : verdictOf(weighed, plan.passThreshold)),
    ...completion(evaluation.run, now()),
    givesBackUsage: false,
    ...(failed && UNEVALUATED),
  });
}
