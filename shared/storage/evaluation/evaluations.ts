import * as z from 'zod';
import { PLANS } from '../../contracts/auth.ts';
import { gatesSchema } from '../../contracts/gates.ts';
import { KEPT_OUTPUTS } from '../../contracts/suites.ts';
import { PROVIDERS } from '../../domain/byok/providers.ts';
import type { Evaluation } from '../../domain/evaluation/evaluation.ts';
import type { EvaluationStore } from '../../domain/evaluation/ports.ts';
import { placeOfRun } from '../../domain/runs/ids.ts';
import { openCasesIn } from '../runs/openCases.ts';
import { dropPayload, readOutputBlock, readPayload } from '../runs/payloads.ts';
import { endedChunks } from '../runs/results/endedChunks.ts';
import { readRun } from '../runs/runItems.ts';
import { packJson, unpackJson } from '../table/blobs.ts';
import { runKeyOf } from '../table/evaluationKeys.ts';
import { runKey, TTL } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { chunkClaims } from './chunkClaims.ts';
import { concludeRun } from './concludedRuns.ts';
import { pendingRuns } from './pendingRuns.ts';
import { judgedCases, keptVerdicts } from './verdicts.ts';

const usagePlanSchema = z.object({ id: z.enum(PLANS), version: z.int() }).optional();

const outputsSchema = z.object({
  digest: z.string().nullable(),
  surplus: z.array(z.string()),
  surplusOutputs: z.number(),
  isLong: z.boolean().optional(),
  groups: z.array(z.array(z.tuple([z.number(), z.number(), z.array(z.number())]))),
  counts: z.array(z.array(z.number())),
});

const planSchema = z.object({
  ends: z.array(z.number()),
  passThreshold: z.number(),
  gates: gatesSchema,
  keepOutputs: z.enum(KEPT_OUTPUTS),
  suiteDigest: z.string().nullable(),
  bar: z.string().optional(),
  outputs: z.instanceof(Uint8Array).transform((bytes) => outputsSchema.parse(unpackJson(bytes))),
  totalCases: z.number(),
  judges: z.partialRecord(z.enum(PROVIDERS), z.array(z.number())).optional(),
  isAbandoned: z.boolean(),
});

const readEvaluation = (
  orgId: string,
  item: Item,
  place: { suiteId: string; number: number },
): Evaluation => ({
  orgId,
  run: readRun(item, place),
  runToken: String(item.attempt),
  plan: item.plan === undefined ? undefined : planSchema.parse(item.plan),
  usagePlan: usagePlanSchema.parse(item.usage_plan),
  reminders: Number(item.reminders ?? 0),
  remindedAtMs: Number(item.reminded_at ?? 0),
  openCases: openCasesIn(item),
  expiresAt: Number(item[TTL]),
});

export function evaluationStore(table: Table, now: () => number): EvaluationStore {
  return {
    async find(orgId, runId) {
      const place = placeOfRun(runId);
      const item = place && (await table.get(runKey(orgId, place.suiteId, place.number)));
      return item && readEvaluation(orgId, item, place);
    },

    payload: ({ orgId, run, runToken }) => readPayload(table, { orgId, suiteId: run.suite_id, runToken }),

    dropPayload: ({ orgId, run, runToken }) => dropPayload(table, { orgId, suiteId: run.suite_id, runToken }),

    outputBlock: ({ orgId, run, runToken }, block) =>
      readOutputBlock(table, { orgId, suiteId: run.suite_id, runToken }, block),

    async savePlan(evaluation, plan) {
      const { updated } = await table.update({
        Key: runKeyOf(evaluation),
        UpdateExpression: 'SET #plan = :plan, total_cases = :total',
        ConditionExpression: 'attempt = :attempt AND #status = :pending AND attribute_not_exists(#plan)',
        ExpressionAttributeNames: { '#status': 'status', '#plan': 'plan' },
        ExpressionAttributeValues: {
          // Of 10,000 cases: as they are, the counts would cost each read of the run.
          ':plan': { ...plan, outputs: packJson(plan.outputs) },
          ':total': plan.totalCases,
          ':attempt': evaluation.runToken,
          ':pending': 'pending',
        },
      });
      return updated;
    },

    ...pendingRuns(table, now),
    ...chunkClaims(table, now),
    ...judgedCases(table),
    ...keptVerdicts(table, now),
    ...endedChunks(table, now),

    conclude: (evaluation, concluded) => concludeRun(table, evaluation, concluded),
  };
}
