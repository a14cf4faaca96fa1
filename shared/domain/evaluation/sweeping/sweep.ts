import { lazily } from '../../caches/lazily.ts';
import { type CountedQueue, RetainMessage } from '../../messages.ts';
import type { PositionStore } from '../../shards/ports.ts';
import { walkShard } from '../../shards/walk.ts';
import { timestamp } from '../../time.ts';
import { type AbandonDeps, abandonRun } from '../abandon.ts';
import { atOnce } from '../atOnce.ts';
import type { Evaluation } from '../evaluation.ts';
import {
  BUSY_FACTOR,
  BUSY_REMINDERS_MAX,
  GIVE_UP_BUSY_AFTER_MS,
  REMIND_AFTER_MS,
  SWEEP_WORK_MS,
} from '../limits.ts';
import { decide } from './decide.ts';
import type { ListedRun } from './ports.ts';

const RUNS_AT_ONCE = 10;
const PAGE_RUNS = 100;

export interface SweepDeps extends AbandonDeps {
  readonly queue: CountedQueue;
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
  readonly remindAfterMs: number;
  /** The queue is known to have lost its messages: none of them waits. */
  readonly isForced: boolean;
  /** Whether messages wait that may be those of silent runs. Read once. */
  readonly isQueueBusy: () => Promise<boolean>;
  /** The organisations that got a reminder while the queue was busy. */
  readonly reminded: Set<string>;
  readonly swept: Swept;
}

/**
 * Reminds the evaluator of runs without progress; ends those reminded too often. Returns how many. With
 * `remindAfterMs` all runs that are older are asked for, as after a queue forgot its messages.
 */
export async function sweepPendingRuns(
  deps: SweepDeps,
  shards: readonly number[],
  { remindAfterMs }: { readonly remindAfterMs?: number | undefined } = {},
): Promise<Swept> {
  const swept: Swept = { ended: 0, askedAgain: 0, failed: 0 };
  for (const shard of shards) {
    const nowMs = deps.now();
    const isForced = remindAfterMs !== undefined;
    const sweep: Sweep = {
      deps,
      nowMs,
      swept,
      isForced,
      reminded: new Set(),
      remindAfterMs: remindAfterMs ?? REMIND_AFTER_MS,
      isQueueBusy: lazily(async () => !isForced && !(await deps.queue.isEmpty())),
    };
    await sweepShard(sweep, shard);
  }
  return swept;
}

function sweepShard(sweep: Sweep, shard: number): Promise<void> {
  const { deps, nowMs, remindAfterMs, isForced } = sweep;
  // A place in the list is a time with the run's id: one of this very moment comes after it.
  const createdBefore = timestamp(nowMs - remindAfterMs + 1);
  return walkShard(deps, {
    name: `sweep-${shard}`,
    page: (after) => deps.evaluations.pendingPage(shard, { createdBefore, after, limit: PAGE_RUNS }),
    act: (runs) => sweepPage(sweep, runs),
    workMs: isForced ? Number.POSITIVE_INFINITY : SWEEP_WORK_MS,
  });
}

async function sweepPage(sweep: Sweep, runs: readonly ListedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const isQueueBusy = await sweep.isQueueBusy();
  const overdue: Evaluation[] = [];
  await atOnce(RUNS_AT_ONCE, runs, async (run) => {
    // In a backlog most runs are left without being read.
    if (isQueueBusy && !mayBeDue(sweep, run)) return;
    await unlessItFails(sweep, run.runId, async () => {
      const evaluation = await remindOf(sweep, run, isQueueBusy);
      if (evaluation !== undefined) overdue.push(evaluation);
    });
  });
  // One by one: what ended the evaluators may be the size of a suite, which is read here, too.
  for (const evaluation of overdue) {
    await unlessItFails(sweep, evaluation.run.id, async () => {
      if (await endOverdue(sweep.deps, evaluation)) sweep.swept.ended++;
    });
  }
}

/** While the queue is busy: whether the run may be given up, or get one of the few reminders. */
function mayBeDue({ nowMs, remindAfterMs, reminded }: Sweep, { orgId, createdAt }: ListedRun): boolean {
  const ageMs = nowMs - Date.parse(createdAt);
  if (ageMs >= GIVE_UP_BUSY_AFTER_MS) return true;
  return ageMs >= BUSY_FACTOR * remindAfterMs && mayRemind(reminded, orgId);
}

const mayRemind = (reminded: ReadonlySet<string>, orgId: string): boolean =>
  reminded.size < BUSY_REMINDERS_MAX && !reminded.has(orgId);

/** A failure at one run must not stop the sweep of the others. */
async function unlessItFails({ deps, swept }: Sweep, runId: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    swept.failed++;
    deps.onFailure(error, runId);
  }
}

/** Sends the message of a silent run again where that is due. Answers a run that is to be ended. */
async function remindOf(
  { deps, swept, nowMs, remindAfterMs, isForced, reminded }: Sweep,
  listed: ListedRun,
  isQueueBusy: boolean,
): Promise<Evaluation | undefined> {
  const { orgId } = listed;
  const evaluation = await deps.evaluations.find(orgId, listed.runId);
  if (evaluation === undefined) await deps.evaluations.unlist(listed);
  if (evaluation?.run.status !== 'pending') return undefined;
  const signMs = await lastSign(deps, evaluation);
  // A sign in the future is the moment of a message, which a queue that forgot its messages does not bring.
  const run = { ...evaluation, aliveAtMs: isForced ? Math.min(signMs, nowMs) : signMs };
  const moment = { nowMs, remindAfterMs, isBusy: isQueueBusy };
  let decision = decide(run, moment);
  if (decision !== 'leave' && !isQueueBusy && (await deps.evaluations.usesSlots(orgId))) {
    decision = decide(run, { ...moment, isBusy: true });
  }
  if (decision === 'give_up') return evaluation;
  if (decision === 'leave' || (isQueueBusy && !mayRemind(reminded, orgId))) return undefined;
  if (isQueueBusy) reminded.add(orgId);
  if (await remind(deps, evaluation, decision.reminders)) swept.askedAgain++;
  return undefined;
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

async function remind(deps: SweepDeps, evaluation: Evaluation, reminders: number): Promise<boolean> {
  if (!(await deps.evaluations.countReminder(evaluation, reminders))) return false;
  await deps.queue.send([{ kind: 'plan', org_id: evaluation.orgId, run_id: evaluation.run.id }]);
  return true;
}
