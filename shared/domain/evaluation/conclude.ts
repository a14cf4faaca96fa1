import { faultOfRun, foldVerdict, NO_FIGURES } from '../../scoring/engine/engine.ts';
import type { GatedCase } from '../../scoring/verdict/gating.ts';
import type { Ambient } from '../ports.ts';
import { NO_RECORD } from '../runs/results/verdictRecord.ts';
import { timestamp } from '../time.ts';
import type { ChunkPlan, ChunkSummary, Evaluation } from './evaluation.ts';
import type { EndedChunkStore, EvaluationStore, PendingRunStore } from './ports.ts';

/** The end of a run that could not be evaluated: the gate stays closed, and the run is not counted. */
const UNEVALUATED = { status: 'aborted', inconclusive: true, kept: null, refundsUsage: true } as const;

/** No case of it could be judged: the suite is gone, or has changed since the outputs were made for it. */
export const NOTHING_LEFT = { ...NO_FIGURES, ...NO_RECORD, ...UNEVALUATED, fault: 'bar' } as const;

export function completion(run: { created_at: string }, now: number) {
  const createdMs = Date.parse(run.created_at);
  const completedMs = Math.max(now, createdMs);
  return { completed_at: timestamp(completedMs), duration_ms: completedMs - createdMs };
}

type ConcludingStore = PendingRunStore & EndedChunkStore & Pick<EvaluationStore, 'dropPayload'>;

/** Ends a run whose chunks have all ended, with the verdict over all of its cases. A repetition changes nothing. */
export async function concludeRun(
  { evaluations, now }: Pick<Ambient, 'now'> & { evaluations: ConcludingStore },
  evaluation: Evaluation,
  plan: ChunkPlan,
): Promise<void> {
  const ended = await evaluations.endedChunks(evaluation);
  const chunks = [...ended.values()];
  const cases = chunks.flatMap((chunk) => [...chunk.cases]);
  const failed = chunks.some((chunk) => chunk.failed);
  // The results of a failed chunk may have expired; no other result may be missing.
  if (ended.size !== plan.ends.length || (!failed && cases.length !== plan.totalCases)) {
    throw new Error(`Run ${evaluation.run.id} has results for ${cases.length} of ${plan.totalCases} cases`);
  }
  // Before the run ends: if this function dies here, the next one to conclude the run drops the rest.
  await evaluations.dropPayload(evaluation);
  const isGateless = cases.every(({ advisory }) => advisory);
  // What has failed, and a suite that is gone, may not be excused with what could not be evaluated.
  const fault = () => (isGateless || plan.isAbandoned ? 'bar' : faultOfRun(cases, plan));
  await evaluations.conclude(evaluation, {
    ...(isGateless ? NOTHING_LEFT : folded(cases, chunks, plan)),
    ...completion(evaluation.run, now()),
    ...(failed && { ...UNEVALUATED, fault: fault() }),
  });
}

const NOTICES_MAX = 20;

function folded(cases: readonly GatedCase[], chunks: readonly ChunkSummary[], plan: ChunkPlan) {
  const { suiteDigest, passThreshold, outputs } = plan;
  return {
    ...foldVerdict(cases, plan),
    suite_digest: suiteDigest,
    outputs_digest: outputs.digest,
    surplus: outputs.surplus,
    surplus_outputs: outputs.surplusOutputs,
    // A plan of what a deleted suite has left knows no bar.
    pass_threshold: plan.isAbandoned ? null : passThreshold,
    notices: chunks.flatMap(({ notices }) => [...notices]).slice(0, NOTICES_MAX),
    refundsUsage: false,
  };
}
