import { prepareSuite, scoreSuite } from '../../scoring/engine.ts';
import type { Provider } from '../byok/providers.ts';
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
import { HELD_MAX, HELD_SECONDS, TRIES_MAX } from './limits.ts';
import { judgesOf, mayWait, putBack, waitForSeat } from './slots/putBack.ts';
import type { Seat } from './slots/seats.ts';

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
  const { plan } = evaluation;
  if (plan === undefined) throw new RetainMessage('A chunk came before its plan');
  if (plan.isAbandoned) return abandonRun(deps, evaluation);
  const providers = judgesOf(plan, message.chunk);
  const seat = await deps.seats.take(evaluation.orgId, providers);
  try {
    const isOver = await seeToChunk(deps, { evaluation, message, providers, seat });
    if (!isOver) return;
  } finally {
    await seat?.giveBack();
  }
  const allEnded =
    isLast || (await deps.evaluations.markEnded(evaluation, [message.chunk])).length === plan.chunks;
  if (allEnded) await concludeRun(deps, evaluation, plan);
}

interface AskedChunk {
  readonly evaluation: Evaluation;
  readonly message: ChunkMessage;
  readonly providers: readonly Provider[];
  readonly seat: Seat | undefined;
}

interface ClaimedChunk extends AskedChunk {
  readonly holder: string;
}

/** Without a seat the chunk waits for one, as long as it may wait. True when the chunk has ended. */
async function seeToChunk(deps: EvaluateDeps, asked: AskedChunk): Promise<boolean> {
  const { evaluations } = deps;
  const { evaluation, message, providers, seat } = asked;
  const holder = deps.newId();
  const limits = { triesMax: TRIES_MAX, waits: message.waits };
  const claim =
    seat === undefined && mayWait(deps, evaluation)
      ? await waitForSeat(deps, evaluation, message, providers)
      : await evaluations.claim(evaluation, message.chunk, holder, limits);
  switch (claim) {
    case 'claimed':
      if (message.waits > 0) await unlist(deps, asked);
      return evaluateClaimed(deps, { ...asked, holder });
    case 'done':
      return true;
    case 'tries_exhausted':
      // The chunk would end further evaluators, too: it ends without a verdict.
      await abandonChunk(deps, evaluation, message.chunk);
      return true;
    case 'held':
      if (message.held < HELD_MAX) {
        await deps.queue.send([{ ...message, held: message.held + 1 }], HELD_SECONDS);
      }
      return false;
    // A newer message asks for the chunk: older ones end here.
    case 'stale':
    case 'waits':
      return false;
  }
}

/** It is no longer waited for. */
const unlist = ({ waitingChunks }: EvaluateDeps, { evaluation, message, providers }: AskedChunk) =>
  waitingChunks.unlist(evaluation, message.chunk, providers).catch(() => undefined);

/** After a failure the chunk is given back: the next delivery need not wait for the claim to run out. */
async function evaluateClaimed(deps: EvaluateDeps, claimed: ClaimedChunk): Promise<boolean> {
  const { evaluations, sleep } = deps;
  const { evaluation, message, holder, seat } = claimed;
  const { chunk } = message;
  const keep = () => Promise.all([evaluations.keepClaim(evaluation, chunk, holder), seat?.keep()]);
  try {
    return await withHeartbeat(sleep, keep, () => evaluate(deps, claimed));
  } catch (error) {
    if (error instanceof ChunkLost) await evaluations.uncountTry(evaluation, chunk, holder);
    else await evaluations.release(evaluation, chunk, holder, { countsAsTry: true });
    throw error;
  }
}

/** False when the chunk was put back. */
async function evaluate(
  deps: EvaluateDeps,
  { evaluation, message, holder, seat }: ClaimedChunk,
): Promise<boolean> {
  const { evaluations } = deps;
  const { chunk } = message;
  const startedAtMs = deps.now();
  const [candidate, cases] = await Promise.all([
    evaluations.candidate(evaluation),
    evaluations.plannedChunk(evaluation, chunk),
  ]);
  if (candidate === undefined || cases === undefined) throw new Error('What was to be evaluated has expired');
  const scored = await scoreDeterministic(cases, candidate, deps.now);
  const judged = await judgeCases(
    { ...deps, keyring: createKeyring(deps, evaluation.orgId) },
    { evaluation, chunk, holder, cases, candidate, seat, startedAtMs, mayWait: mayWait(deps, evaluation) },
  );
  if (judged === 'no_slots' || judged === 'unfinished') {
    await putBack(deps, evaluation, message, { holder, why: judged });
    return false;
  }
  const results = scored.map((result, index) => judged.get(index) ?? result);
  const finished = await evaluations.finishChunk(evaluation, chunk, holder, { results });
  if (!finished) throw new ChunkLost();
  return true;
}

async function scoreDeterministic(
  cases: readonly PlannedCase[],
  { output }: Candidate,
  now: () => number,
): Promise<WeighedCase[]> {
  const compiled = await prepareSuite({ passThreshold: 1, cases });
  const { results } = scoreSuite(compiled, { output, now });
  return results.map((result, index) => ({ ...result, weight: cases[index]?.weight ?? 0 }));
}
