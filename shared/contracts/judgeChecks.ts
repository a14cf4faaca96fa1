import * as z from 'zod';
import { dataOf, digestSchema, shareSchema, timestampSchema, uuidSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';

const CHECK_STATUSES = ['none', 'pending', 'done', 'failed'] as const;

/** Of the examples that a judge was asked about. An errored one counts as not caught, and as not accepted. */
const askedFields = {
  sent: z.int(),
  errored: z.int(),
  /** The lower bound of the 95 % interval of what was caught, or accepted; 0 where none was sent. */
  lower: shareSchema,
};

const checkedJudgeSchema = z.object({
  /** The key of the scorer. */
  scorer: z.string(),
  /** Of the scorer, as the deployment asked its judge. */
  scorer_digest: digestSchema,
  /** Null for answers in which the provider names no model. */
  answered_models: z.array(z.string().nullable()),
  /** The day on which the provider shuts the model down, where its list names one. */
  retires_on: z.string().nullable(),
  fail: z.object({ ...askedFields, caught: z.int() }),
  pass: z.object({ ...askedFields, accepted: z.int() }),
  /** The judge's agreement with the examples beyond chance (Cohen). Null where chance alone agrees, or without examples. */
  kappa: z.number().nullable(),
  /** Answers that no judge may pass: empty, a refusal, an opener without an answer, a request for full marks. */
  fixed: z.object({ sent: z.int(), failed: z.int() }),
});
export type CheckedJudge = z.infer<typeof checkedJudgeSchema>;

const WRONG_KINDS = ['pass', 'fail', 'empty', 'refusal', 'opener', 'injection'] as const;

const wrongAnswerSchema = z.object({
  /** The key of the case. */
  case: z.string(),
  /** What was asked about: an example of the case, or a fixed answer. */
  kind: z.enum(WRONG_KINDS),
  score: shareSchema,
  reason: z.string(),
});
export type WrongAnswer = z.infer<typeof wrongAnswerSchema>;

/** While a check is pending, and after one that failed, the figures are those of the last check that was done. */
const judgeCheckSchema = z.object({
  status: z.enum(CHECK_STATUSES),
  /** When the check ended that the figures are of. */
  at: timestampSchema.nullable(),
  judges: z.array(checkedJudgeSchema),
  /** At most 50, wrong answers that passed first; none 30 days after the check. */
  wrong: z.array(wrongAnswerSchema),
  /** Examples beyond the 200 that a check asks about. */
  left_out: z.int(),
});
export type JudgeCheck = z.infer<typeof judgeCheckSchema>;

export const startCheck = defineContract('judgeChecks/start', 'POST /v1/suites/:suiteId/check', {
  summary: "Ask a suite's judges about the examples of its cases",
  scope: 'suites',
  responses: { 202: dataOf(z.object({ check_id: uuidSchema, status: z.enum(CHECK_STATUSES) })) },
  rights: { table: ['UpdateItem'], queue: 'send' },
});

export const getCheck = defineContract('judgeChecks/get', 'GET /v1/suites/:suiteId/check', {
  summary: "How many wrong answers a suite's judges caught when they were checked last",
  scope: 'read',
  responses: { 200: dataOf(judgeCheckSchema) },
});

export const judgeCheckContracts = [startCheck, getCheck];
