import { RetainMessage, type WorkQueue } from '../messages.ts';
import { timestamp } from '../time.ts';
import { type AbandonDeps, abandonRun } from './abandon.ts';
import { atOnce } from './atOnce.ts';
import type { Evaluation } from './evaluation.ts';
import { GIVE_UP_AFTER_MS, GIVE_UP_BEHIND_OTHERS_AFTER_MS, NUDGE_AFTER_MS, NUDGES_MIN } from './limits.ts';

const RUNS_AT_ONCE = 10;

interface Deps extends AbandonDeps {
  readonly queue: WorkQueue;
  /** Called with a run that the sweep failed at. The next sweep tries again. */
  readonly onFailure: (error: unknown, runId: string) => void;
}

interface Swept {
  ended: number;
  askedAgain: number;
  failed: number;
}

interface PendingRun {
  readonly evaluation: Evaluation;
  /** When a chunk of the run was last worked on, put back or ended; at first, when the run was accepted. */
  readonly aliveAtMs: number;
}

/** Reminds the evaluator of runs without progress; ends those reminded too often. Answers how many. */
export async function sweepPendingRuns(
  deps: Deps,
  { nudgeAfterMs = NUDGE_AFTER_MS }: { nudgeAfterMs?: number } = {},
): Promise<Swept> {
  const now = deps.now();
  const swept: Swept = { ended: 0, askedAgain: 0, failed: 0 };
  const pending = await deps.evaluations.pendingBefore(timestamp(now - nudgeAfterMs));
  const found: (PendingRun | undefined)[] = [];
  // A failure at one run must not stop the sweep of the others.
  const each = <T extends { readonly runId: string }>(items: readonly T[], act: (item: T) => Promise<void>) =>
    atOnce(RUNS_AT_ONCE, items, (item) =>
      act(item).catch((error: unknown) => {
        swept.failed++;
        deps.onFailure(error, item.runId);
      }),
    );
  await each(
    pending.map((run, index) => ({ ...run, index })),
    async ({ orgId, runId, index }) => {
      found[index] = await lookAt(deps, orgId, runId);
    },
  );
  await each(decide(found, now, nudgeAfterMs), async ({ evaluation, nudges }) => {
    const isOverdue = nudges === 'too_many';
    const done = isOverdue ? await endOverdue(deps, evaluation) : await askAgain(deps, evaluation, nudges);
    if (done) swept[isOverdue ? 'ended' : 'askedAgain']++;
  });
  return swept;
}

async function lookAt({ evaluations }: Deps, orgId: string, runId: string): Promise<PendingRun | undefined> {
  const evaluation = await evaluations.find(orgId, runId);
  if (evaluation?.run.status !== 'pending') return undefined;
  const taken = evaluation.plan === undefined ? [] : (await evaluations.takenChunks(evaluation)).values();
  const signs = [...taken].map(({ aliveAtMs }) => aliveAtMs);
  return { evaluation, aliveAtMs: Math.max(Date.parse(evaluation.run.created_at), ...signs) };
}

interface Due {
  readonly runId: string;
  readonly evaluation: Evaluation;
  readonly nudges: number | 'too_many';
}

function decide(looked: readonly (PendingRun | undefined)[], now: number, nudgeAfterMs: number): Due[] {
  const runs = looked.filter((run) => run !== undefined);
  const isAlive = ({ aliveAtMs }: PendingRun): boolean => now - aliveAtMs < nudgeAfterMs;
  const alive = new Set(runs.filter(isAlive).map(({ evaluation }) => evaluation.orgId));
  return runs
    .filter((run) => !isAlive(run))
    .flatMap(({ evaluation, aliveAtMs }): Due[] => {
      const { orgId, run, nudgedAtMs } = evaluation;
      const isFirst = aliveAtMs > nudgedAtMs || nudgeAfterMs === 0;
      const nudges = isFirst ? 0 : evaluation.nudges;
      const unaskedMs = now - Math.max(aliveAtMs, nudgedAtMs);
      const patienceMs = alive.has(orgId) ? GIVE_UP_BEHIND_OTHERS_AFTER_MS : GIVE_UP_AFTER_MS;
      const isLost = now - aliveAtMs >= patienceMs && nudges >= NUDGES_MIN;
      if (isLost && unaskedMs >= nudgeAfterMs) return [{ runId: run.id, evaluation, nudges: 'too_many' }];
      if (unaskedMs < nudgeAfterMs * 2 ** nudges) return [];
      return [{ runId: run.id, evaluation, nudges: nudges + 1 }];
    });
}

async function endOverdue(deps: Deps, evaluation: Evaluation): Promise<boolean> {
  try {
    await abandonRun(deps, evaluation);
    return true;
  } catch (error) {
    // A chunk is being evaluated now. The next sweep decides again.
    if (error instanceof RetainMessage) return false;
    throw error;
  }
}

async function askAgain(deps: Deps, evaluation: Evaluation, nudges: number): Promise<boolean> {
  if (!(await deps.evaluations.nudge(evaluation, nudges))) return false;
  await deps.queue.send([{ kind: 'plan', org_id: evaluation.orgId, run_id: evaluation.run.id }]);
  return true;
}
