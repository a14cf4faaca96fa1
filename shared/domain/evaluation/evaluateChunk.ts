import { prepareSuite, scoreSuite } from '../../scoring/engine.ts';
import { type ChunkMessage, RetainMessage } from '../messages.ts';
import type { Candidate } from '../runs/candidate.ts';
import { abandonChunk, abandonRun } from './abandon.ts';
import { ChunkLost } from './chunkLost.ts';
import { concludeRun } from './conclude.ts';
import type { EvaluateDeps } from './deps.ts';
import type { Evaluation, PlannedCase, WeighedCase } from './evaluation.ts';
import { withHeartbeat } from './heartbeat.ts';
import { judgeCases } from './judging/judgeCases.ts';
import { createKeyring } from './judging/keyring.ts';
import {
  FIRST_SLOT_WAIT_SECONDS,
  HELD_MAX,
  HELD_SECONDS,
  SLOT_PATIENCE_MS,
  SLOT_WAIT_SECONDS_MAX,
  TRIES_MAX,
} from './limits.ts';

/** Scores a chunk and, if it is the last to end, concludes its run. A repetition changes nothing. */
export async function evaluateChunk(deps: EvaluateDeps, message: ChunkMessage): Promise<void> {
  const evaluation = await deps.evaluations.find(message.org_id, message.run_id);
  if (evaluation?.run.status !== 'pending') return;
  await evaluatePlanned(deps, evaluation, message, { isLast: evaluation.plan?.chunks === 1 });
}

/** The same for a pending run that was just read or planned. `isLast`: all of its other chunks have ended. */
export async function evaluatePlanned(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  { isLast }: { readonly isLast: boolean },
): Promise<void> {
  const { evaluations } = deps;
  const { plan } = evaluation;
  if (plan === undefined) throw new RetainMessage('A chunk came before its plan');
  if (plan.isAbandoned) return abandonRun(deps, evaluation);
  const holder = deps.newId();
  const limits = { triesMax: TRIES_MAX, waits: message.waits };
  const claim = await evaluations.claim(evaluation, message.chunk, holder, limits);
  // A newer message asks for the chunk: older ones end here.
  if (claim === 'stale') return;
  if (claim === 'held') {
    if (message.held >= HELD_MAX) return;
    return deps.queue.send([{ ...message, held: message.held + 1 }], HELD_SECONDS);
  }
  // The chunk would end further evaluators, too: it ends without a verdict.
  if (claim === 'tries_exhausted') await abandonChunk(deps, evaluation, message.chunk);
  if (claim === 'claimed' && !(await evaluateClaimed(deps, evaluation, message, holder))) return;
  const allEnded =
    isLast || (await evaluations.markEnded(evaluation, [message.chunk])).length === plan.chunks;
  if (allEnded) await concludeRun(deps, evaluation, plan);
}

/** After a failure the chunk is given back: the next delivery need not wait for the claim to run out. */
async function evaluateClaimed(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  holder: string,
): Promise<boolean> {
  const { evaluations, sleep } = deps;
  const { chunk } = message;
  const keepClaim = () => evaluations.keepClaim(evaluation, chunk, holder);
  try {
    return await withHeartbeat(sleep, keepClaim, () => evaluate(deps, evaluation, message, holder));
  } catch (error) {
    if (error instanceof ChunkLost) await evaluations.uncountTry(evaluation, chunk, holder);
    else await evaluations.release(evaluation, chunk, holder, { countsAsTry: true });
    throw error;
  }
}

/** False when the chunk was put back to wait for judge slots. */
async function evaluate(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  holder: string,
): Promise<boolean> {
  const { evaluations } = deps;
  const { chunk } = message;
  const [candidate, cases] = await Promise.all([
    evaluations.candidate(evaluation),
    evaluations.plannedChunk(evaluation, chunk),
  ]);
  if (candidate === undefined || cases === undefined) throw new Error('What was to be evaluated has expired');
  const scored = await scoreDeterministic(cases, candidate, deps.now);
  const judged = await judgeCases(
    { ...deps, keyring: createKeyring(deps, evaluation.orgId) },
    { evaluation, chunk, holder, cases, candidate, mayWait: mayWait(deps, evaluation) },
  );
  if (judged === 'no_slots') {
    const waits = message.waits + 1;
    await deps.queue.send([{ ...message, waits, held: 0 }], waitSeconds(deps, message.waits));
    await evaluations.release(evaluation, chunk, holder, { countsAsTry: false, waits });
    return false;
  }
  const results = scored.map((result, index) => judged.get(index) ?? result);
  const finished = await evaluations.finishChunk(evaluation, chunk, holder, { results });
  if (!finished) throw new ChunkLost();
  return true;
}

const mayWait = ({ now }: EvaluateDeps, { run }: Evaluation): boolean =>
  now() - Date.parse(run.created_at) < SLOT_PATIENCE_MS;

const waitSeconds = ({ random }: EvaluateDeps, waits: number): number =>
  Math.ceil(random() * Math.min(FIRST_SLOT_WAIT_SECONDS * 2 ** waits, SLOT_WAIT_SECONDS_MAX));

async function scoreDeterministic(
  cases: readonly PlannedCase[],
  { output }: Candidate,
  now: () => number,
): Promise<WeighedCase[]> {
  const compiled = await prepareSuite({ passThreshold: 1, cases });
  const { results } = scoreSuite(compiled, { output, now });
  return results.map((result, index) => ({ ...result, weight: cases[index]?.weight ?? 0 }));
}
