import { timestamp } from '../time.ts';
import { type AbandonDeps, abandonRun } from './abandon.ts';
import type { Evaluation, EvaluationQueue } from './ports.ts';
import { RetainMessage } from './retainMessage.ts';

const MINUTE_MS = 60_000;
/** A run that has not ended by then is asked for again: its messages may be lost. */
const NUDGE_AFTER_MS = 3 * MINUTE_MS;
/** A run that was asked for so often, and no chunk of it ended meanwhile, never will end: an hour at least. */
const NUDGES_MAX = 20;

interface Deps extends AbandonDeps {
  readonly queue: EvaluationQueue;
}

/** Looks after all pending runs, so that none stays pending for ever. Answers how many it ended and asked for. */
export async function sweepPendingRuns(
  deps: Deps,
  { nudgeAfterMs = NUDGE_AFTER_MS }: { nudgeAfterMs?: number } = {},
): Promise<{ ended: number; askedAgain: number }> {
  const now = deps.now();
  const pending = await deps.evaluations.pendingBefore(timestamp(now - nudgeAfterMs));
  let ended = 0;
  let askedAgain = 0;
  const failures: unknown[] = [];
  const sweepRun = async ({ orgId, runId }: (typeof pending)[number]): Promise<void> => {
    const evaluation = await deps.evaluations.find(orgId, runId);
    if (evaluation?.run.status !== 'pending') return;
    if (evaluation.nudges >= NUDGES_MAX) ended += await endOverdue(deps, evaluation);
    else askedAgain += await askAgain(deps, evaluation, now - nudgeAfterMs);
  };
  // A run that can't be looked after must not keep the sweeper from those after it.
  for (const run of pending) await sweepRun(run).catch((error: unknown) => void failures.push(error));
  if (failures.length > 0) throw failures[0];
  return { ended, askedAgain };
}

async function endOverdue(deps: Deps, evaluation: Evaluation): Promise<number> {
  try {
    await abandonRun(deps, evaluation);
    return 1;
  } catch (error) {
    // A chunk is being evaluated even now: the next sweep looks again.
    if (error instanceof RetainMessage) return 0;
    throw error;
  }
}

async function askAgain(deps: Deps, evaluation: Evaluation, beforeMs: number): Promise<number> {
  if (!(await deps.evaluations.nudge(evaluation, beforeMs))) return 0;
  await deps.queue.send([{ kind: 'plan', org_id: evaluation.orgId, run_id: evaluation.run.id }]);
  return 1;
}
