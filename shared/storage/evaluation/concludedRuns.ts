import { verdictSchema } from '../../contracts/runs.ts';
import { figuresOf } from '../../domain/analytics/figures.ts';
import type { ConcludedRun, Evaluation } from '../../domain/evaluation/evaluation.ts';
import { dayOf } from '../../domain/time.ts';
import { giveCasesBack } from '../runs/openCases.ts';
import { refundUsage } from '../runs/usage.ts';
import { verdictAttributes } from '../runs/verdictItems.ts';
import { addToDay } from '../suites/dayRollups.ts';
import { listDigest } from '../suites/judgedDigests.ts';
import { retryOnConflict } from '../table/backoff.ts';
import { runKeyOf } from '../table/evaluationKeys.ts';
import { pendingKey, type Shard } from '../table/keys.ts';
import { drawnShard } from '../table/shards.ts';
import type { Item, Table, Write } from '../table/table.ts';

const FIELDS = [...verdictSchema.keyof().options, 'duration_ms', 'completed_at'] as const;

/** `pending` → `cleared` or `aborted`, once: the only way a pending run ends. */
function conclude(evaluation: Evaluation, concluded: ConcludedRun): Write {
  const figures = Object.fromEntries(FIELDS.map((field) => [field, concluded[field]]));
  const fields: Item = { ...figures, ...verdictAttributes(concluded) };
  const names = Object.keys(fields);
  return {
    Update: {
      Key: runKeyOf(evaluation),
      UpdateExpression: `SET ${names.map((field) => `#${field} = :${field}`).join(', ')}, evaluated = :true${concluded.refundsUsage ? ', given_back = :true' : ''} REMOVE #plan, ended_chunks, reminders, reminded_at, open_cases, usage_plan`,
      // A run that is ended without a plan must not have been planned meanwhile.
      ConditionExpression: `attempt = :attempt AND #status = :pending${evaluation.plan === undefined ? ' AND attribute_not_exists(#plan)' : ''}`,
      ExpressionAttributeNames: Object.fromEntries([...names, 'plan'].map((field) => [`#${field}`, field])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(names.map((field) => [`:${field}`, fields[field]])),
        ':true': true,
        ':attempt': evaluation.runToken,
        ':pending': 'pending',
      },
    },
  };
}

/** In one transaction: ends the run, unlists it, gives back what it took, and counts it or gives its usage back. */
export async function concludeRun(
  table: Table,
  evaluation: Evaluation,
  concluded: ConcludedRun,
): Promise<boolean> {
  const { run, runToken } = evaluation;
  let tries = 0;
  return retryOnConflict(async () => {
    const shard = tries === 0 ? undefined : drawnShard(runToken, tries);
    tries++;
    const outcome = await table.transact<string>(
      {
        run: conclude(evaluation, concluded),
        pending: { Delete: { Key: pendingKey(run.created_at, run.id) } },
        ...giveCasesBack(evaluation.orgId, evaluation.openCases),
        ...(concluded.refundsUsage ? refund(evaluation) : countInDay(evaluation, concluded, shard)),
      },
      { once: true },
    );
    if (outcome.committed) {
      await listed(table, evaluation, concluded);
      return true;
    }
    return outcome.failed.has('run') ? false : undefined;
  }, table.backoff);
}

/** Only a run that counts lists its bar. */
async function listed(
  table: Table,
  { orgId, run, plan }: Evaluation,
  { refundsUsage, suite_digest, pass_threshold }: ConcludedRun,
): Promise<void> {
  if (refundsUsage || plan?.bar === undefined) return;
  const bar = { orgId, bar: plan.bar, revisions: run.revisions };
  await listDigest(table, bar, { ...run, total_cases: plan.totalCases, suite_digest, pass_threshold });
}

function refund({ orgId, run, usagePlan }: Evaluation): Record<string, Write> {
  // Without it the run has ended, so that this transaction fails.
  if (usagePlan === undefined) return {};
  const head = { projectId: run.project_id };
  return { usage: refundUsage({ orgId, createdAt: run.created_at, head, plan: usagePlan }) };
}

/** Under the day of its creation, however late it ends. */
function countInDay(
  { orgId, run }: Evaluation,
  concluded: ConcludedRun,
  shard: Shard,
): Record<string, Write> {
  const isOfDefaultBranch = run.default_run === undefined;
  const day = { orgId, suiteId: run.suite_id, day: dayOf(run.created_at), isOfDefaultBranch };
  return { day: addToDay(day, figuresOf(concluded), shard) };
}
