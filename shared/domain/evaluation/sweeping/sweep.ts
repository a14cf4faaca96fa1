import { lazily } from '../../caches/lazily.ts';
import { type CountedQueue, RetainMessage } from '../../messages.ts';
import type { PositionStore } from '../../shards/ports.ts';
import { walkShard } from '../../shards/walk.ts';
import { timestamp } from '../../time.ts';
import { type AbandonDeps, abandonRun } from '../abandon.ts';
import { atOnce } from '../atOnce.ts';
import type { Evaluation } from '../evaluation.ts';
import { GIVE_UP_AT_LAST_AFTER_MS, MARK_BEFORE_MS, NUDGE_AFTER_MS, SWEEP_WORK_MS } from '../limits.ts';
import { decide, type Moment, mayWait } from './decide.ts';
import { createMarks } from './marks.ts';
import type { ListedRun, QueueMarkStore } from './ports.ts';

const RUNS_AT_ONCE = 10;
const PAGE_RUNS = 100;

export interface SweepDeps extends AbandonDeps {
  readonly queue: CountedQueue;
  readonly queueMarks: QueueMarkStore;
  readonly positions: PositionStore;
  /** Called with a run that the sweep failed at. The next sweep tries again. */
  readonly onFailure: (error: unknown, runId: string) => void;
}

interface Swept {
  ended: number;
  askedAgain: number;
  failed: number;
}

interface Sweep {
  readonly deps: SweepDeps;
  readonly nowMs: number;
  readonly nudgeAfterMs: number;
  /** The queue is known to have lost its messages: none of them waits. */
  readonly isForced: boolean;
  /** Whether no message waits at all. Asked once. */
  readonly isQueueEmpty: () => Promise<boolean>;
  readonly mark: ReturnType<typeof createMarks>;
  readonly swept: Swept;
}

/**
 * Reminds the evaluator of runs without progress; ends those reminded too often. Returns how many. With
 * `nudgeAfterMs` all runs that are older are asked for, as after a queue forgot its messages.
 */
export async function sweepPendingRuns(
  deps: SweepDeps,
  shards: readonly number[],
  { nudgeAfterMs }: { readonly nudgeAfterMs?: number | undefined } = {},
): Promise<Swept> {
  const swept: Swept = { ended: 0, askedAgain: 0, failed: 0 };
  for (const shard of shards) {
    const nowMs = deps.now();
    const sweep: Sweep = {
      ...{ deps, nowMs, swept, mark: createMarks(deps, nowMs) },
      nudgeAfterMs: nudgeAfterMs ?? NUDGE_AFTER_MS,
      isForced: nudgeAfterMs !== undefined,
      isQueueEmpty: lazily(async () => nudgeAfterMs !== undefined || deps.queue.isEmpty()),
    };
    await sweepShard(sweep, shard);
  }
  return swept;
}

function sweepShard(sweep: Sweep, shard: number): Promise<void> {
  const { deps, nowMs, nudgeAfterMs, isForced } = sweep;
  const createdBefore = timestamp(nowMs - nudgeAfterMs + (isForced ? 0 : MARK_BEFORE_MS));
  return walkShard(deps, {
    name: `sweep-${shard}`,
    page: (after) => deps.evaluations.pendingPage(shard, { createdBefore, after, limit: PAGE_RUNS }),
    act: (runs) => sweepPage(sweep, runs),
    workMs: isForced ? Number.POSITIVE_INFINITY : SWEEP_WORK_MS,
  });
}

async function sweepPage(sweep: Sweep, runs: readonly ListedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const { deps, swept, mark, nowMs, nudgeAfterMs } = sweep;
  const orgIds = [...new Set(runs.map(({ orgId }) => orgId))];
  const isEmpty = await sweep.isQueueEmpty();
  const known = isEmpty ? new Map() : await deps.queueMarks.known(orgIds);
  const momentOf = ({ orgId }: ListedRun): Moment => {
    const deliveredUntilMs = isEmpty ? Number.POSITIVE_INFINITY : (known.get(orgId)?.passedAtMs ?? 0);
    return { nowMs, nudgeAfterMs, deliveredUntilMs, isBehindOthers: false };
  };
  // In a backlog, all but the oldest are left without being read.
  const waiting = new Set(runs.filter((run) => surelyWaits(run, momentOf(run))));
  const unmarked = new Set([...waiting].map(({ orgId }) => orgId));
  const others = runs.filter((run) => !waiting.has(run));
  const overdue: Evaluation[] = [];
  await atOnce(RUNS_AT_ONCE, others, (run) =>
    unlessItFails(sweep, run.runId, async () => {
      const looked = await lookAt(sweep, run, momentOf(run));
      if (looked === 'mark') unmarked.add(run.orgId);
      else if (looked !== undefined) overdue.push(looked);
    }),
  );
  await mark(unmarked, known);
  // One by one: what ended the evaluators may be the size of a suite, which is read here, too.
  for (const evaluation of overdue) {
    await unlessItFails(sweep, evaluation.run.id, async () => {
      if (await endOverdue(deps, evaluation)) swept.ended++;
    });
  }
}

/** A failure at one run must not stop the sweep of the others. */
async function unlessItFails({ deps, swept }: Sweep, runId: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    swept.failed++;
    deps.onFailure(error, runId);
  }
}

/** Whether its first message may wait, and so every later one. */
function surelyWaits({ createdAt }: ListedRun, moment: Moment): boolean {
  const createdAtMs = Date.parse(createdAt);
  return mayWait(createdAtMs, moment) && moment.nowMs - createdAtMs < GIVE_UP_AT_LAST_AFTER_MS;
}

/** Asks for a run again where that is due. `mark`: it must be known first whether it waits; a run: it is to be ended. */
async function lookAt(
  { deps, swept, nowMs, isForced }: Sweep,
  listed: ListedRun,
  moment: Moment,
): Promise<'mark' | Evaluation | undefined> {
  const evaluation = await deps.evaluations.find(listed.orgId, listed.runId);
  if (evaluation === undefined) await deps.evaluations.unlist(listed);
  if (evaluation?.run.status !== 'pending') return undefined;
  const signMs = await lastSign(deps, evaluation);
  // A sign in the future is the moment of a message, which a queue that forgot its messages does not bring.
  const run = { ...evaluation, aliveAtMs: isForced ? Math.min(signMs, nowMs) : signMs };
  let decision = decide(run, moment);
  if (decision === 'give_up' && (await deps.evaluations.usesSlots(listed.orgId))) {
    decision = decide(run, { ...moment, isBehindOthers: true });
  }
  if (decision === 'give_up') return evaluation;
  if (typeof decision === 'object' && (await askAgain(deps, evaluation, decision.nudges))) swept.askedAgain++;
  return decision === 'mark' ? decision : undefined;
}

async function lastSign({ evaluations }: SweepDeps, evaluation: Evaluation): Promise<number> {
  const taken = evaluation.plan === undefined ? [] : (await evaluations.takenChunks(evaluation)).values();
  const signs = [...taken].map(({ aliveAtMs }) => aliveAtMs);
  return Math.max(Date.parse(evaluation.run.created_at), ...signs);
}

async function endOverdue(deps: SweepDeps, evaluation: Evaluation): Promise<boolean> {
  try {
    await abandonRun(deps, evaluation);
    return true;
  } catch (error) {
    // A chunk is being evaluated now. The next sweep decides again.
    if (error instanceof RetainMessage) return false;
    throw error;
  }
}

async function askAgain(deps: SweepDeps, evaluation: Evaluation, nudges: number): Promise<boolean> {
  if (!(await deps.evaluations.nudge(evaluation, nudges))) return false;
  await deps.queue.send([{ kind: 'plan', org_id: evaluation.orgId, run_id: evaluation.run.id }]);
  return true;
}
