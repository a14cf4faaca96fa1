import { expiringAdvisories } from '../runs/results/notices.ts';
import { suiteRevisionOfRun } from '../runs/suiteRevisionOfRun.ts';
import { rangeOf } from '../suites/chains/chunks.ts';
import { ChunkLost } from './chunkLost.ts';
import { chunkResults, storedChunk } from './chunkResults.ts';
import { concludeRun } from './conclude.ts';
import type { EvaluateDeps } from './deps.ts';
import { withHeartbeat } from './heartbeat.ts';
import type { ChunkWork } from './judging/chunkWork.ts';
import { evaluateGroups } from './judging/evaluateGroups.ts';
import { settleFaults } from './judging/faults.ts';
import { Expired } from './samples.ts';
import { requeueChunk } from './slots/requeue.ts';

/** After a failure the chunk is released: the next delivery need not wait for the claim to run out. */
export async function evaluateClaimed(deps: EvaluateDeps, work: ChunkWork, holder: string): Promise<void> {
  const { evaluations, sleep } = deps;
  const { evaluation, message, seat } = work;
  const { chunk } = message;
  const keep = () => Promise.all([evaluations.keepClaim(evaluation, chunk, holder), seat?.keep()]);
  let hasEnded: boolean;
  try {
    hasEnded = await withHeartbeat(sleep, keep, () => scoreChunk(deps, work, holder));
  } catch (error) {
    // Another evaluator ended the chunk, and the last one of the run has dropped the outputs.
    const isOvertaken = error instanceof Expired && !(await evaluations.keepClaim(evaluation, chunk, holder));
    const isLost = error instanceof ChunkLost || isOvertaken;
    if (isLost) await evaluations.uncountTry(evaluation, chunk, holder);
    else await evaluations.release(evaluation, chunk, holder, { countsAsTry: true });
    throw isLost ? new ChunkLost() : error;
  }
  if (hasEnded) await recordChunkEnd(deps, work);
}

/** False when the chunk was put back. */
async function scoreChunk(deps: EvaluateDeps, work: ChunkWork, holder: string): Promise<boolean> {
  const { evaluations } = deps;
  const { evaluation, plan, message } = work;
  const { chunk } = message;
  const suite = await suiteRevisionOfRun(deps, evaluation);
  const cases = await suite.cases(rangeOf(plan.ends, chunk));
  const evaluated = await evaluateGroups(deps, work, holder, cases);
  if (evaluated === 'no_slots' || evaluated === 'unfinished') {
    await requeueChunk(deps, evaluation, message, { holder, why: evaluated });
    return false;
  }
  const { scored, judge } = evaluated;
  const settled = settleFaults(scored, cases);
  const ended = storedChunk(await chunkResults(suite, plan, settled.scored), cases);
  const notices = expiringAdvisories(cases, Date.parse(evaluation.run.created_at));
  const { answers } = settled;
  if (!(await evaluations.finishChunk(evaluation, chunk, holder, { ...ended, notices, answers, judge })))
    throw new ChunkLost();
  return true;
}

/** The evaluator that learns that all chunks have ended concludes the run. */
export async function recordChunkEnd(
  deps: EvaluateDeps,
  { evaluation, message, plan, isLast }: ChunkWork,
): Promise<void> {
  const { evaluations } = deps;
  const allEnded =
    isLast || (await evaluations.markEnded(evaluation, [message.chunk])).length === plan.ends.length;
  if (allEnded) await concludeRun(deps, evaluation, plan, deps);
}
