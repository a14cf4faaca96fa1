import { type ChunkMessage, RetainMessage } from '../messages.ts';
import { expiringAdvisories } from '../runs/results/notices.ts';
import { abandonChunk, abandonRun } from './abandon.ts';
import { ChunkLost } from './chunkLost.ts';
import { chunkResults } from './chunkResults.ts';
import { concludeRun } from './conclude.ts';
import type { EvaluateDeps } from './deps.ts';
import type { ChunkPlan, Claim, Evaluation } from './evaluation.ts';
import { withHeartbeat } from './heartbeat.ts';
import { evaluateGroups } from './judging/evaluateGroups.ts';
import { HELD_MAX, HELD_SECONDS, TRIES_MAX, UNFINISHED_WAIT_SECONDS } from './limits.ts';
import { Expired } from './samples.ts';
import { type Company, type SeatedWork, withNextChunks } from './slots/nextChunks.ts';
import { judgesOf, mayWait, putBack, waitForSeat, wakeOldest } from './slots/putBack.ts';

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
  const { orgId } = evaluation;
  const providers = judgesOf(plan, message.chunk);
  const [provider] = providers;
  const seat = await deps.seats.take(orgId, providers);
  const at = { orgId, providers, seat, startedAtMs: deps.now() };
  const isSeated = seat !== undefined && provider !== undefined;
  const company: Company = { takesMore: isSeated };
  const work = () => seeToChunk(deps, { at, evaluation, message, plan, isLast, company });
  if (!isSeated) return work();
  try {
    const next = (waiting: ChunkMessage) => seeToNext(deps, at.startedAtMs, waiting);
    await withNextChunks(deps, at, { provider, company, work, next });
  } finally {
    await seat.giveBack();
    await wakeOldest(deps, orgId, provider);
  }
}

interface AskedChunk {
  readonly at: SeatedWork;
  readonly evaluation: Evaluation;
  readonly message: ChunkMessage;
  readonly plan: ChunkPlan;
  readonly isLast: boolean;
  readonly company: Company;
}

/** Without a seat the chunk waits for one, as long as it may wait. */
async function seeToChunk(deps: EvaluateDeps, asked: AskedChunk): Promise<void> {
  const { at, evaluation, message } = asked;
  const holder = deps.newId();
  const [provider] = at.providers;
  const claim =
    at.seat === undefined && provider !== undefined && mayWait(deps, evaluation)
      ? await waitForSeat(deps, evaluation, message, provider)
      : await claimFor(deps, asked, holder);
  switch (claim) {
    case 'claimed':
      if (message.waits > 0) await unlist(deps, asked);
      return evaluateClaimed(deps, asked, holder);
    case 'done':
      return noteEnd(deps, asked);
    case 'tries_exhausted':
      // The chunk would end further evaluators, too: it ends without a verdict.
      await abandonChunk(deps, evaluation, message.chunk);
      return noteEnd(deps, asked);
    case 'held':
      if (message.held >= HELD_MAX) return;
      return deps.queue.send([{ ...message, held: message.held + 1 }], HELD_SECONDS);
    // A newer message asks for the chunk: older ones end here.
    case 'stale':
    case 'waits':
    case 'waits_tried':
  }
}

/** A chunk that was tried before is evaluated alone: if it ends its evaluator, it ends no other chunk with it. */
async function claimFor(deps: EvaluateDeps, asked: AskedChunk, holder: string): Promise<Claim> {
  const { evaluation, message, company } = asked;
  const claim = (triesMax: number) =>
    deps.evaluations.claim(evaluation, message.chunk, holder, { triesMax, waits: message.waits });
  const first = company.takesMore ? await claim(1) : 'tries_exhausted';
  if (first !== 'tries_exhausted') return first;
  company.takesMore = false;
  return claim(TRIES_MAX);
}

/** A chunk that waited for a seat, and was taken off the list. */
async function seeToNext(deps: EvaluateDeps, startedAtMs: number, message: ChunkMessage): Promise<void> {
  const { evaluations, seats, queue, newId } = deps;
  const { org_id: orgId, run_id, chunk, waits } = message;
  const evaluation = await evaluations.find(orgId, run_id);
  const plan = evaluation?.plan;
  if (evaluation?.run.status !== 'pending' || plan === undefined || plan.isAbandoned) return;
  const providers = judgesOf(plan, chunk);
  const seat = await seats.take(orgId, providers);
  try {
    const holder = newId();
    const claim = await evaluations.claim(evaluation, chunk, holder, { triesMax: 1, waits });
    // It needs an evaluator of its own.
    if (claim === 'tries_exhausted') await queue.send([message]);
    if (claim !== 'claimed') return;
    const at = { orgId, providers, seat, startedAtMs };
    const company = { takesMore: false };
    const asked = { at, evaluation, message, plan, isLast: plan.chunks === 1, company };
    await evaluateClaimed(deps, asked, holder);
  } catch (error) {
    // Its delayed message would come minutes later.
    await queue.send([message], UNFINISHED_WAIT_SECONDS).catch(() => undefined);
    throw error;
  } finally {
    await seat?.giveBack();
  }
}

/** The evaluator that learns that all chunks have ended concludes the run. */
async function noteEnd(
  { evaluations, now }: EvaluateDeps,
  { evaluation, message, plan, isLast }: AskedChunk,
): Promise<void> {
  const allEnded =
    isLast || (await evaluations.markEnded(evaluation, [message.chunk])).length === plan.chunks;
  if (allEnded) await concludeRun({ evaluations, now }, evaluation, plan);
}

async function unlist(
  { waitingChunks }: EvaluateDeps,
  { at, evaluation, message }: AskedChunk,
): Promise<void> {
  const [provider] = at.providers;
  if (provider === undefined) return;
  await waitingChunks.unlist(evaluation, message.chunk, provider).catch(() => undefined);
}

/** After a failure the chunk is given back: the next delivery need not wait for the claim to run out. */
async function evaluateClaimed(deps: EvaluateDeps, asked: AskedChunk, holder: string): Promise<void> {
  const { evaluations, sleep } = deps;
  const { at, evaluation, message } = asked;
  const { chunk } = message;
  const keep = () => Promise.all([evaluations.keepClaim(evaluation, chunk, holder), at.seat?.keep()]);
  let hasEnded: boolean;
  try {
    hasEnded = await withHeartbeat(sleep, keep, () => evaluate(deps, asked, holder));
  } catch (error) {
    const isLost = error instanceof ChunkLost || (await isOvertaken(deps, asked, { holder, error }));
    if (isLost) await evaluations.uncountTry(evaluation, chunk, holder);
    else await evaluations.release(evaluation, chunk, holder, { countsAsTry: true });
    throw isLost ? new ChunkLost() : error;
  }
  if (hasEnded) await noteEnd(deps, asked);
}

/** Whether the outputs are gone because another evaluator ended the chunk, and all of the run has ended. */
async function isOvertaken(
  { evaluations }: EvaluateDeps,
  { evaluation, message }: AskedChunk,
  { holder, error }: { readonly holder: string; readonly error: unknown },
): Promise<boolean> {
  return error instanceof Expired && !(await evaluations.keepClaim(evaluation, message.chunk, holder));
}

/** False when the chunk was put back. */
async function evaluate(deps: EvaluateDeps, asked: AskedChunk, holder: string): Promise<boolean> {
  const { evaluations } = deps;
  const { evaluation, plan, message } = asked;
  const { chunk } = message;
  const cases = await evaluations.plannedChunk(evaluation, chunk);
  if (cases === undefined) throw new Expired();
  const scored = await evaluateGroups(deps, { ...asked, chunk, holder }, cases);
  if (scored === 'no_slots' || scored === 'unfinished') {
    await putBack(deps, evaluation, message, { holder, why: scored });
    return false;
  }
  const results = await chunkResults(deps, evaluation, plan, scored);
  const notices = expiringAdvisories(cases, Date.parse(evaluation.run.created_at));
  if (!(await evaluations.finishChunk(evaluation, chunk, holder, { results, notices })))
    throw new ChunkLost();
  return true;
}
