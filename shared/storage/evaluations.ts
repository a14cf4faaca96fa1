import * as z from 'zod';
import type { Evaluation, EvaluationStore, Payload, PlannedCase } from '../domain/evaluation/ports.ts';
import { placeOfRun } from '../domain/runs/ids.ts';
import { packJson, readBlob, unpackJson, writeBlob } from './blobs.ts';
import { chunkClaims, judgedCases } from './chunkClaims.ts';
import { concludeRun, pendingBefore } from './concludedRuns.ts';
import { endedChunks } from './endedChunks.ts';
import { runKeyOf, workingTtlOf } from './evaluationKeys.ts';
import { below, payloadKey, plannedChunkKey, runKey, TTL } from './keys.ts';
import { readRun } from './runItems.ts';
import type { Item, Table } from './table.ts';

const planSchema = z.object({
  chunks: z.number(),
  passThreshold: z.number(),
  totalCases: z.number(),
  isAbandoned: z.boolean(),
});

const readEvaluation = (
  orgId: string,
  item: Item,
  place: { suiteId: string; number: number },
): Evaluation => ({
  orgId,
  run: readRun(item, place),
  attempt: String(item.attempt),
  plan: item.plan === undefined ? undefined : planSchema.parse(item.plan),
  planner: item.planner === undefined ? undefined : String(item.planner),
  nudges: Number(item.nudges ?? 0),
  expiresAt: Number(item[TTL]),
});

/** Runs on their way from accepted to concluded. */
export function evaluationStore(table: Table, now: () => number): EvaluationStore {
  return {
    async find(orgId, runId) {
      const place = placeOfRun(runId);
      const item = place && (await table.get(runKey(orgId, place.suiteId, place.number)));
      return item && readEvaluation(orgId, item, place);
    },

    async payload({ orgId, run, attempt }) {
      const bytes = await readBlob(table, below(payloadKey(orgId, run.suite_id, attempt)));
      return bytes.length === 0 ? undefined : (unpackJson(bytes) as Payload);
    },

    async savePlannedChunk(evaluation, planner, chunk, cases) {
      const { orgId, run } = evaluation;
      const keyOf = (part: number) => plannedChunkKey(orgId, run.suite_id, planner, chunk, part);
      await writeBlob(table, packJson(cases), keyOf, workingTtlOf(evaluation));
    },

    async savePlan(evaluation, planner, plan) {
      const { updated } = await table.update({
        Key: runKeyOf(evaluation),
        UpdateExpression: 'SET #plan = :plan, planner = :planner, total_cases = :total',
        ConditionExpression: 'attempt = :attempt AND #status = :pending AND attribute_not_exists(#plan)',
        ExpressionAttributeNames: { '#status': 'status', '#plan': 'plan' },
        ExpressionAttributeValues: {
          ':plan': plan,
          ':planner': planner,
          ':total': plan.totalCases,
          ':attempt': evaluation.attempt,
          ':pending': 'pending',
        },
      });
      return updated;
    },

    async plannedChunk({ orgId, run, planner }, chunk) {
      if (planner === undefined) throw new Error(`Run ${run.id} has no plan`);
      const bytes = await readBlob(table, below(plannedChunkKey(orgId, run.suite_id, planner, chunk)));
      return bytes.length === 0 ? undefined : (unpackJson(bytes) as PlannedCase[]);
    },

    async nudge(evaluation, beforeMs) {
      const { updated } = await table.update({
        Key: runKeyOf(evaluation),
        UpdateExpression: 'SET nudged_at = :now ADD nudges :one',
        ConditionExpression:
          '#status = :pending AND (attribute_not_exists(nudged_at) OR nudged_at < :before)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: { ':now': now(), ':one': 1, ':before': beforeMs, ':pending': 'pending' },
      });
      return updated;
    },

    ...chunkClaims(table, now),
    ...judgedCases(table),
    ...endedChunks(table),

    conclude: (evaluation, concluded) => concludeRun(table, evaluation, concluded),
    pendingBefore: (createdBefore) => pendingBefore(table, createdBefore),
  };
}
