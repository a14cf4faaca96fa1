import type { Provider } from '../../byok/providers.ts';
import { PROVIDERS } from '../../byok/providers.ts';
import type { ChunkMessage } from '../../messages.ts';
import { ChunkLost } from '../chunkLost.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { ChunkPlan, Evaluation, WaitForSeat } from '../evaluation.ts';
import {
  FIRST_SLOT_WAIT_SECONDS,
  SEAT_WAIT_SECONDS,
  SLOT_PATIENCE_MS,
  SLOT_WAIT_SECONDS_MAX,
  TRIES_MAX,
} from '../limits.ts';

export const judgesOf = ({ judges = {} }: ChunkPlan, chunk: number): readonly Provider[] =>
  PROVIDERS.filter((provider) => judges[provider]?.includes(chunk));

export const mayWait = ({ now }: EvaluateDeps, { run }: Evaluation): boolean =>
  now() - Date.parse(run.created_at) < SLOT_PATIENCE_MS;

/** At random up to half less. */
const about = ({ random }: EvaluateDeps, seconds: number): number => Math.ceil((1 - random() / 2) * seconds);

/** From 2 to 60 s, growing with every wait. */
const waitSeconds = (deps: EvaluateDeps, waits: number): number =>
  about(deps, Math.min(FIRST_SLOT_WAIT_SECONDS * 2 ** waits, SLOT_WAIT_SECONDS_MAX));

/**
 * The chunk is listed for evaluators with a seat, and comes back later with a new message. It is not claimed for that:
 * an evaluator is held for a moment.
 */
export async function waitForSeat(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  providers: readonly Provider[],
): Promise<WaitForSeat> {
  const { evaluations, queue, newId, waitingChunks } = deps;
  const waits = message.waits + 1;
  const forSeconds = about(deps, SEAT_WAIT_SECONDS);
  // Written first: of several copies of a message only one sends another.
  const answer = await evaluations.waitForSeat(evaluation, message.chunk, {
    waits,
    waiter: newId(),
    triesMax: TRIES_MAX,
    forSeconds,
  });
  if (answer !== 'waits') return answer;
  const next = { ...message, waits, held: 0 };
  // Without its place in the list the chunk comes back with its message.
  const listed = waitingChunks.list(evaluation, next, { providers, forSeconds }).catch(() => undefined);
  await Promise.all([queue.send([next], forSeconds), listed]);
  // Seats that were given back before the chunk was listed: who gave them back did not see it.
  const { orgId } = evaluation;
  if (await deps.seats.areFree(orgId, providers).catch(() => false)) {
    await wakeOldest(deps, orgId, providers);
  }
  return answer;
}

/** Where a seat is free: the chunk that waits longest for one there need not wait for its message. */
export async function wakeOldest(
  { waitingChunks, queue }: Pick<EvaluateDeps, 'waitingChunks' | 'queue'>,
  orgId: string,
  providers: readonly Provider[],
): Promise<void> {
  // Its message comes, whatever fails here.
  const wake = async () => {
    const oldest = await waitingChunks.oldest(orgId, providers);
    if (oldest !== undefined && (await waitingChunks.take(oldest))) await queue.send([oldest.message]);
  };
  await wake().catch(() => undefined);
}

/** Gives a claimed chunk back, whose judged cases are kept. `unfinished`: it only had no time left. */
export async function putBack(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  { holder, why }: { readonly holder: string; readonly why: 'no_slots' | 'unfinished' },
): Promise<void> {
  const { evaluations, queue } = deps;
  const { chunk } = message;
  // A holder that was away for long sends no message for the chunk of another.
  if (why === 'unfinished' && !(await evaluations.keepClaim(evaluation, chunk, holder)))
    throw new ChunkLost();
  const waits = message.waits + 1;
  const delaySeconds = waitSeconds(deps, why === 'no_slots' ? message.waits : 0);
  await queue.send([{ ...message, waits, held: 0 }], delaySeconds);
  await evaluations.release(evaluation, chunk, holder, { countsAsTry: false, waits });
}
