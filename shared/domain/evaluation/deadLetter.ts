import type { CheckStore } from '../judgeChecks/ports.ts';
import type { WorkMessage } from '../messages.ts';
import { type AbandonDeps, abandonChunk, abandonRun } from './abandon.ts';
import { concludeRun } from './conclude.ts';
import type { ChunkPlan, Evaluation } from './evaluation.ts';
import { TRIES_MAX } from './limits.ts';
import { openChunks } from './planning/openChunks.ts';

/** Ends what can't be planned or tried again. After other failures the sweeper sends a message again. */
export async function endDeadLetter(
  deps: AbandonDeps & { readonly checks: Pick<CheckStore, 'fail'> },
  message: WorkMessage,
): Promise<void> {
  if (message.kind === 'judge_check')
    return deps.checks.fail({ orgId: message.org_id, id: message.suite_id }, message.check_id);
  // The request that asked for the key test no longer waits.
  if (message.kind === 'key_test') return;
  // The extension waits for the next `resumeExtensions`.
  if (message.kind === 'extend_retention') return;
  const evaluation = await deps.evaluations.find(message.org_id, message.run_id);
  if (evaluation?.run.status !== 'pending') return;
  const { plan } = evaluation;
  if (plan === undefined || plan.isAbandoned) return abandonRun(deps, evaluation);
  const chunk = message.kind === 'chunk' ? message.chunk : await loneChunk(deps, evaluation, plan);
  if (chunk !== undefined) await endExhausted(deps, evaluation, plan, chunk);
}

/** The one open chunk, which a plan's message evaluates itself: its tries may be exhausted. */
async function loneChunk(
  { evaluations }: AbandonDeps,
  evaluation: Evaluation,
  plan: ChunkPlan,
): Promise<number | undefined> {
  const [only, ...otherChunks] = openChunks(evaluation, plan, await evaluations.takenChunks(evaluation));
  return otherChunks.length === 0 ? only?.chunk : undefined;
}

async function endExhausted(
  deps: AbandonDeps,
  evaluation: Evaluation,
  plan: ChunkPlan,
  chunk: number,
): Promise<void> {
  const { evaluations, newId } = deps;
  const holder = newId();
  const claim = await evaluations.claim(evaluation, chunk, holder, { triesMax: TRIES_MAX });
  if (claim === 'claimed') await evaluations.release(evaluation, chunk, holder, { countsAsTry: false });
  if (claim !== 'tries_exhausted') return;
  await abandonChunk(deps, evaluation, chunk);
  const ended = await evaluations.endedChunks(evaluation);
  if (ended.size === plan.ends.length) await concludeRun(deps, evaluation, plan);
}
