import { verdictSchema } from '../../contracts/runs.ts';
import { figuresOf } from '../../domain/analytics/figures.ts';
import type { ConcludedRun, Evaluation } from '../../domain/evaluation/evaluation.ts';
import { giveCasesBack } from '../runs/openCases.ts';
import { giveUsageBack } from '../runs/usage.ts';
import { countLater } from '../suites/dayRollups.ts';
import { untilSettled } from '../table/backoff.ts';
import { runKeyOf } from '../table/evaluationKeys.ts';
import { pendingKey } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';

const FIELDS = [...verdictSchema.keyof().options, 'duration_ms', 'completed_at'] as const;

/** `pending` → `cleared` or `aborted`, once: the only way a pending run ends. */
function conclude(evaluation: Evaluation, concluded: ConcludedRun): Write {
  const values = FIELDS.map((field) => [`:${field}`, concluded[field]]);
  return {
    Update: {
      Key: runKeyOf(evaluation),
      UpdateExpression: `SET ${FIELDS.map((field) => `#${field} = :${field}`).join(', ')}, evaluated = :true${concluded.givesBackUsage ? ', given_back = :true' : ''} REMOVE #plan, planner, ended_chunks, nudges, nudged_at, sent_at, open_cases`,
      // A run that is ended without a plan must not have been planned meanwhile.
      ConditionExpression: `attempt = :attempt AND #status = :pending${evaluation.plan === undefined ? ' AND attribute_not_exists(#plan)' : ''}`,
      ExpressionAttributeNames: Object.fromEntries([...FIELDS, 'plan'].map((field) => [`#${field}`, field])),
      ExpressionAttributeValues: {
        ...Object.fromEntries(values),
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
  const { orgId, run } = evaluation;
  return untilSettled(async () => {
    const outcome = await table.transact<string>({
      run: conclude(evaluation, concluded),
      pending: { Delete: { Key: pendingKey(run.created_at, run.id) } },
      ...giveCasesBack(orgId, evaluation.openCases),
      ...(concluded.givesBackUsage
        ? { usage: giveUsageBack(orgId, run.created_at) }
        : await countLater(table, orgId, run, figuresOf(concluded))),
    });
    if (outcome.committed) return true;
    return outcome.failed.has('run') ? false : undefined;
  }, table.backoff);
}
