import * as z from 'zod';
import {
  dataOf,
  documentObjectSchema,
  inputSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  storedObjectSchema,
  timestampSchema,
  uuidSchema,
} from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { credentialSchema } from './base/credentials.ts';
import { CONTRACT_LIMITS } from './base/limits.ts';
import { READ, RUN } from './base/rights.ts';
import { RUN_STATUSES } from './gates.ts';
import { outputItemsSchema, outputSchema, traceFields, withOutputs } from './outputs.ts';
import { originFields } from './results/origin.ts';
import { runDetailFields, scoreDetailFields } from './runDetails.ts';

const TRIGGERS = ['sdk', 'cli', 'github_action', 'dashboard', 'api'] as const;

/** The figures of a run, computed from its results. */
export const verdictSchema = z.object({
  status: z.enum(['cleared', 'aborted']),
  pass_rate: shareSchema,
  total_cases: z.int(),
  passed_cases: z.int(),
  failed_cases: z.int(),
  /** Failed cases whose scorer ended in an error. */
  errored_cases: z.int(),
  /** True when the run is aborted but would be cleared had the errored cases passed. */
  inconclusive: z.boolean(),
});
export type Verdict = z.infer<typeof verdictSchema>;

const hiddenField = {
  /** Of a run whose results credentials of scope `run` don't see: it was decided when the run was accepted. */
  results_hidden: z.literal(true).optional(),
};

export const runSchema = z.object({
  id: z.string(),
  suite_id: uuidSchema,
  ...verdictSchema.shape,
  status: z.enum(RUN_STATUSES),
  ...runDetailFields,
  duration_ms: z.int(),
  trigger: z.enum(TRIGGERS),
  trigger_meta: storedObjectSchema,
  /** The credential of the request. */
  created_by: credentialSchema,
  created_at: timestampSchema,
  completed_at: timestampSchema.nullable(),
  ...hiddenField,
});
export type Run = z.infer<typeof runSchema>;

/** `suite`: as it is called now; null when it was deleted. */
export const shownRunSchema = runSchema.extend({
  ...originFields,
  suite: z.object({ slug: z.string(), name: z.string(), project_slug: z.string() }).nullable(),
});
export type ShownRun = z.infer<typeof shownRunSchema>;

const verdictItem = { score: z.number(), threshold: z.number(), reason: z.string() };

export const runVerdictSchema = z.object({
  id: z.string(),
  status: verdictSchema.shape.status,
  passed: z.boolean(),
  ...verdictSchema.omit({ status: true, pass_rate: true }).shape,
  pass_rate: verdictSchema.shape.pass_rate,
  ...runDetailFields,
  duration_ms: z.int(),
  scores: z.array(z.object({ case: z.string(), passed: z.boolean(), ...verdictItem, ...scoreDetailFields })),
  /** Gating cases only. */
  failures: z.array(z.object({ case: z.string(), ...verdictItem, ...scoreDetailFields })),
  ...hiddenField,
});

export const pendingRunSchema = z.object({
  id: z.string(),
  status: z.literal('pending'),
  message: z.string(),
});

export const createRun = defineContract('runs/create', 'POST /v1/run', {
  summary: 'Score an output with a suite',
  scope: 'run',
  /** 10,000 outputs of 2 kB. */
  unpackedBytesMax: 32 * 1_024 * 1_024,
  headers: z.object({
    /** For 24 hours, requests with the same key and body answer the same run, which is counted once. */
    'idempotency-key': z.string().min(1).max(255, 'at most 255 characters').optional(),
  }),
  body: withOutputs(
    z.object({
      suite: z.string().min(1),
      /** The project's slug; needed only if two projects have a suite of this slug. */
      project: z.string().min(1).optional(),
      /** The one output that all cases see. Either this or `outputs`. */
      output: outputSchema.optional(),
      ...traceFields,
      /** One output for each case, or as many as the case takes; 1 to 20,000 in all. */
      outputs: outputItemsSchema.optional(),
      /** Refused with 409 when it is not the suite's, so that no output is judged by an unseen bar. */
      suite_digest: z
        .string()
        .regex(/^sha256:[0-9a-f]{64}$/, '"sha256:" and 64 hexadecimal digits in lower case')
        .optional(),
      input: inputSchema.default({}),
      trigger: z.enum(TRIGGERS).default('api'),
      trigger_meta: documentObjectSchema(CONTRACT_LIMITS.triggerMetaBytes).default({}),
      /** Judges are asked, whatever the suite remembers of them; needs the scope `suites`. */
      judge_again: z.boolean().optional(),
      /** If true, the answer is 202 at once, and the run is evaluated later. */
      async: z.boolean().default(false),
    }),
  ),
  example: { project: 'support-bot', suite: 'returns', output: 'You can return it within 30 days.' },
  responses: { 200: runVerdictSchema, 202: pendingRunSchema },
  errors: [
    'USAGE_LIMIT_EXCEEDED',
    'NOT_FOUND',
    'IDEMPOTENCY_IN_PROGRESS',
    'IDEMPOTENCY_KEY_REUSED',
    'SUITE_CHANGED',
  ],
  rights: { table: RUN, queue: 'send', judge: true },
});

export const getRun = defineContract('runs/get', 'GET /v1/runs/:runId', {
  summary: 'The summary of a run',
  scope: 'result',
  responses: { 200: dataOf(shownRunSchema) },
});

export const listRuns = defineContract('runs/list', 'GET /v1/suites/:suiteId/runs', {
  summary: "A suite's runs, most recent first",
  scope: 'result',
  query: z
    .object({
      ...pageQuerySchema.shape,
      /** Of the default branch also the runs that name nothing. Either this or `pull_request`. */
      branch: z.string().min(1).max(1_024).optional(),
      /** The number. */
      pull_request: z
        .string()
        .regex(/^#?\d{1,20}$/, 'must be the number of a pull request, such as 417')
        .optional(),
    })
    .refine(({ branch, pull_request }) => branch === undefined || pull_request === undefined, {
      path: ['pull_request'],
      message: 'must be left out beside branch: a run is of one of them',
    }),
  responses: {
    200: pageOf(shownRunSchema).extend({
      /** Of a branch or pull request: whether the suite has older runs, which were not looked through. */
      truncated: z.boolean().optional(),
    }),
  },
  rights: { table: [...READ, 'BatchGetItem'] },
});

export const runContracts = [createRun, getRun, listRuns];
