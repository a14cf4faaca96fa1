import { type AbandonDeps, abandonChunk, abandonRun } from './abandon.ts';
import { concludeRun } from './conclude.ts';
import type { EvaluationMessage } from './ports.ts';

/** A message that failed as often as it may: what it asked for ends without a verdict. */
export async function endDeadLetter(deps: AbandonDeps, message: EvaluationMessage): Promise<void> {
  // A key test that got no answer is over: who asked has given up waiting.
  if (message.kind === 'key_test') return;
  const evaluation = await deps.evaluations.find(message.org_id, message.run_id);
  if (evaluation?.run.status !== 'pending') return;
  const { plan } = evaluation;
  if (message.kind === 'plan' || plan === undefined) return abandonRun(deps, evaluation);
  await abandonChunk(deps, evaluation, message.chunk);
  const ended = await deps.evaluations.endedChunks(evaluation);
  if (ended.size === plan.chunks) await concludeRun(deps, evaluation, plan);
}
