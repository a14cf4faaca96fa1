import type { Provider } from '../../byok/providers.ts';
import { PROVIDERS } from '../../byok/providers.ts';
import type { ChunkMessage } from '../../messages.ts';
import { ChunkLost } from '../chunkLost.ts';
import type { EvaluateDeps } from '../deps.ts';
import type { ChunkPlan, Evaluation, WaitForSeat } from '../evaluation.ts';
import {
  LOOKS_MAX,
  NO_SLOT_WAIT_SECONDS,
  SEAT_WAIT_SECONDS,
  SLOT_PATIENCE_MS,
  TRIES_MAX,
  UNFINISHED_WAIT_SECONDS,
} from '../limits.ts';

export const judgesOf = ({ judges = {} }: ChunkPlan, chunk: number): readonly Provider[] =>
  PROVIDERS.filter((provider) => judges[provider]?.includes(chunk));

export const mayWait = ({ now }: EvaluateDeps, { run }: Evaluation): boolean =>
  now() - Date.parse(run.created_at) < SLOT_PATIENCE_MS;

/** At random up to half less. */
const about = ({ random }: EvaluateDeps, seconds: number): number => Math.ceil((1 - random() / 2) * seconds);

/**
 * The chunk is listed for evaluators with a seat at this provider, and comes back later with a new message. It is not
 * claimed for that: an evaluator is held for a moment.
 */
export async function waitForSeat(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  provider: Provider,
): Promise<WaitForSeat> {
  const { evaluations, queue, newId, waitingChunks, seats } = deps;
  const waits = message.waits + 1;
  const forSeconds = about(deps, SEAT_WAIT_SECONDS);
  // Written first: of several copies of a message only one sends another.
  const answer = await evaluations.waitForSeat(evaluation, message.chunk, {
    waits,
    waiter: newId(),
    triesMax: TRIES_MAX,
    forSeconds,
  });
  if (answer !== 'waits' && answer !== 'waits_tried') return answer;
  const next = { ...message, waits, held: 0 };
  const wait = { isTried: answer === 'waits_tried', forSeconds };
  // Without its place in the list the chunk comes back with its message.
  const listed = waitingChunks.list(evaluation, next, provider, wait).catch(() => undefined);
  await Promise.all([queue.send([next], forSeconds), listed]);
  // A seat released before this chunk was listed woke nothing: look for a free seat once more.
  const { orgId } = evaluation;
  if (await seats.isFree(orgId, provider).catch(() => false)) await wakeOldest(deps, orgId, provider);
  return answer;
}

/**
 * Takes the chunk of the oldest run off the list. Undefined where that chunk was tried before: the evaluator soon
 * releases its seat to it.
 */
export async function takeOldest(
  { waitingChunks }: EvaluateDeps,
  orgId: string,
  provider: Provider,
): Promise<ChunkMessage | undefined> {
  for (let look = 0; look < LOOKS_MAX; look++) {
    const oldest = await waitingChunks.oldest(orgId, provider);
    if (oldest === undefined || oldest.isTried) return undefined;
    // Another evaluator may take the oldest at the same moment: then the next one is the oldest.
    if (await waitingChunks.take(oldest, provider)) return oldest.message;
  }
  return undefined;
}

/** Where a seat is free: the chunk that has waited longest for one need not wait for its message. */
export async function wakeOldest(
  { evaluations, waitingChunks, queue }: EvaluateDeps,
  orgId: string,
  provider: Provider,
): Promise<void> {
  const wake = async () => {
    for (let look = 0; look < LOOKS_MAX; look++) {
      const oldest = await waitingChunks.oldest(orgId, provider);
      if (oldest === undefined) return;
      // Another evaluator may take it, or its run may have ended: the next one is woken in its place.
      if (!(await waitingChunks.take(oldest, provider))) continue;
      const evaluation = await evaluations.find(orgId, oldest.message.run_id);
      if (evaluation?.run.status === 'pending') return queue.send([oldest.message]);
    }
  };
  // Its message comes, whatever fails here.
  await wake().catch(() => undefined);
}

/** Releases a claimed chunk, whose judged cases are kept, for a later message. `unfinished`: it only had no time left. */
export async function requeueChunk(
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
  const seconds = why === 'no_slots' ? NO_SLOT_WAIT_SECONDS : UNFINISHED_WAIT_SECONDS;
  await queue.send([{ ...message, waits, held: 0 }], about(deps, seconds));
  await evaluations.release(evaluation, chunk, holder, { countsAsTry: false, waits });
}
