import type { Provider } from '../byok/providers.ts';
import { type ChunkMessage, RetainMessage } from '../messages.ts';
import { abandonChunk, abandonRun } from './abandon.ts';
import { evaluateClaimed, recordChunkEnd } from './claimedChunk.ts';
import type { EvaluateDeps } from './deps.ts';
import type { Claim, Evaluation, WaitForSeat } from './evaluation.ts';
import type { ChunkWork } from './judging/chunkWork.ts';
import {
  CHUNK_TAKES_CASES_MS,
  CHUNKS_AT_ONCE_MAX,
  HELD_MAX,
  HELD_SECONDS,
  NEXT_FIRST_MS,
  NEXT_MS_MAX,
  NEXT_SOON_MS,
  TRIES_MAX,
  UNFINISHED_WAIT_SECONDS,
} from './limits.ts';
import { judgesOf, mayWait, takeOldest, waitForSeat, wakeOldest } from './slots/requeue.ts';

/** Scores a chunk and, if it is the last to end, concludes its run. A repetition changes nothing. */
export async function evaluateChunk(deps: EvaluateDeps, message: ChunkMessage): Promise<void> {
  const evaluation = await deps.evaluations.find(message.org_id, message.run_id);
  if (evaluation?.run.status !== 'pending') return;
  await evaluatePlanned(deps, evaluation, message, { isLast: evaluation.plan?.ends.length === 1 });
}

/** The same for a pending run that was just read or planned. `isLast`: all of its other chunks have ended. */
export async function evaluatePlanned(
  deps: EvaluateDeps,
  evaluation: Evaluation,
  message: ChunkMessage,
  { isLast }: { readonly isLast: boolean },
): Promise<void> {
  const { orgId, plan } = evaluation;
  if (plan === undefined) throw new RetainMessage('A chunk came before its plan');
  if (plan.isAbandoned) return abandonRun(deps, evaluation);
  const [provider] = judgesOf(plan, message.chunk);
  const seat = provider && (await deps.seats.take(orgId, provider));
  const work = { evaluation, plan, message, isLast, seat, startedAtMs: deps.now() };
  if (provider === undefined || seat === undefined) return evaluateUnseated(deps, work, provider);
  try {
    await evaluateSeated(deps, work, provider);
  } finally {
    await seat.release();
    await wakeOldest(deps, orgId, provider);
  }
}

/** A chunk whose judge has no seat free waits for one, as long as it may wait. Then it ends without further calls. */
async function evaluateUnseated(
  deps: EvaluateDeps,
  work: ChunkWork,
  provider: Provider | undefined,
): Promise<void> {
  const { evaluation, message } = work;
  const holder = deps.newId();
  const claim =
    provider !== undefined && mayWait(deps, evaluation)
      ? await waitForSeat(deps, evaluation, message, provider)
      : await claimChunk(deps, work, holder, TRIES_MAX);
  if (claim === 'claimed' && provider !== undefined) await unlist(deps, work, provider);
  await evaluateIfClaimed(deps, work, holder, claim);
}

/**
 * Evaluates the chunk, and with the slots that it leaves the chunks that wait for a seat, the oldest run first. So two
 * evaluators use all slots, however small the chunks are. The first failure is thrown after all have ended.
 */
async function evaluateSeated(deps: EvaluateDeps, work: ChunkWork, provider: Provider): Promise<void> {
  const { now, sleep, withSlot } = deps;
  const { orgId } = work.evaluation;
  const holder = deps.newId();
  let claim = await claimChunk(deps, work, holder, 1);
  // A chunk that was tried before is evaluated alone: if it ends its evaluator, it ends no other chunk with it.
  const isAlone = claim === 'tries_exhausted';
  if (isAlone) claim = await claimChunk(deps, work, holder, TRIES_MAX);
  if (claim === 'claimed') await unlist(deps, work, provider);

  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const run = (evaluated: Promise<void>): void => {
    const ended = evaluated
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(ended));
    running.add(ended);
  };
  run(evaluateIfClaimed(deps, work, holder, claim));
  for (let pollMs = NEXT_FIRST_MS; running.size > 0; ) {
    const poll = new AbortController();
    await Promise.race([...running, sleep(pollMs, poll.signal)]);
    poll.abort();
    const acceptsMoreChunks =
      !isAlone &&
      failures.length === 0 &&
      running.size < CHUNKS_AT_ONCE_MAX &&
      now() - work.startedAtMs < CHUNK_TAKES_CASES_MS &&
      withSlot.hasSpare(orgId, provider);
    if (!acceptsMoreChunks) continue;
    const next = await takeOldest(deps, orgId, provider).catch(() => undefined);
    pollMs = next === undefined ? Math.min(2 * pollMs, NEXT_MS_MAX) : NEXT_SOON_MS;
    if (next !== undefined) run(evaluateNext(deps, work, next));
  }
  if (failures.length > 0) throw failures[0];
}

/** A chunk that was taken off the list of those that wait for a seat. */
async function evaluateNext(deps: EvaluateDeps, seated: ChunkWork, message: ChunkMessage): Promise<void> {
  const { evaluations, queue, newId } = deps;
  const { seat, startedAtMs } = seated;
  try {
    const evaluation = await evaluations.find(message.org_id, message.run_id);
    const plan = evaluation?.plan;
    if (evaluation?.run.status !== 'pending' || plan === undefined || plan.isAbandoned) return;
    const work = { evaluation, plan, message, isLast: plan.ends.length === 1, seat, startedAtMs };
    const holder = newId();
    const claim = await claimChunk(deps, work, holder, 1);
    if (claim === 'claimed') await evaluateClaimed(deps, work, holder);
    // It was tried before: it needs an evaluator of its own.
    if (claim === 'tries_exhausted') await queue.send([message]);
  } catch (error) {
    // Its delayed message would come minutes later.
    await queue.send([message], UNFINISHED_WAIT_SECONDS).catch(() => undefined);
    throw error;
  }
}

const claimChunk = (
  { evaluations }: EvaluateDeps,
  { evaluation, message: { chunk, waits } }: ChunkWork,
  holder: string,
  triesMax: number,
): Promise<Claim> => evaluations.claim(evaluation, chunk, holder, { triesMax, waits });

/** A chunk that came with its delayed message may still be listed. */
async function unlist(
  { waitingChunks }: EvaluateDeps,
  { evaluation, message }: ChunkWork,
  provider: Provider,
): Promise<void> {
  if (message.waits === 0) return;
  await waitingChunks.unlist(evaluation, message.chunk, provider).catch(() => undefined);
}

async function evaluateIfClaimed(
  deps: EvaluateDeps,
  work: ChunkWork,
  holder: string,
  claim: Claim | WaitForSeat,
): Promise<void> {
  const { evaluation, message } = work;
  switch (claim) {
    case 'claimed':
      return evaluateClaimed(deps, work, holder);
    case 'done':
      return recordChunkEnd(deps, work);
    case 'tries_exhausted':
      // The chunk would end further evaluators, too: it ends without a verdict.
      await abandonChunk(deps, evaluation, message.chunk);
      return recordChunkEnd(deps, work);
    case 'held':
      if (message.held >= HELD_MAX) return;
      return deps.queue.send([{ ...message, held: message.held + 1 }], HELD_SECONDS);
    // A newer message asks for the chunk: older ones end here.
    case 'stale':
    case 'waits':
    case 'waits_tried':
  }
}
