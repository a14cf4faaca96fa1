import * as z from 'zod';
import {
  dataOf,
  digestSchema,
  pageOf,
  pageQuerySchema,
  shareSchema,
  timestampSchema,
  uuidSchema,
} from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { credentialSchema } from '../base/credentials.ts';
import { EDIT, READ } from '../base/rights.ts';

const RUNS_MAX = 5;

const noticeSchema = z.object({
  /**
   * `BASELINE_LOW`: it passes less than the one before. `BASELINE_OPTIMISTIC`: its runs seem to be picked.
   * `BASELINE_UNJUDGED`: some of its cases ended in an error, so that nothing is compared with them. `BASELINE_COPIES`:
   * some of its runs have one `outputs_digest`, and count once. `BASELINE_UNUSED`: no gate compares runs with it.
   */
  code: z.enum([
    'BASELINE_LOW',
    'BASELINE_OPTIMISTIC',
    'BASELINE_UNJUDGED',
    'BASELINE_COPIES',
    'BASELINE_UNUSED',
  ]),
  message: z.string(),
});
export type BaselineNotice = z.infer<typeof noticeSchema>;

export const baselineSchema = z.object({
  id: uuidSchema,
  suite_id: uuidSchema,
  run_ids: z.array(z.string()),
  /** The bar that judged its runs. */
  suite_digest: digestSchema,
  /** Whether each case saw the run's one output, or its own. */
  kind: z.enum(['output', 'outputs']),
  /** The mean of its runs; of those with one `outputs_digest` the first counts. */
  pass_rate: shareSchema,
  cases: z.int(),
  accepted_by: credentialSchema,
  reason: z.string().nullable(),
  created_at: timestampSchema,
  notices: z.array(noticeSchema),
});
export type Baseline = z.infer<typeof baselineSchema>;

export const acceptBaseline = defineContract('baselines/accept', 'POST /v1/suites/:suiteId/baselines', {
  summary: 'Accept one to five runs as what later runs are compared with',
  reauthentication: 'always',
  scope: 'suites',
  body: z.object({
    run_ids: z
      .array(z.string())
      .min(1)
      .max(RUNS_MAX, `at most ${RUNS_MAX} runs`)
      .refine((ids) => new Set(ids).size === ids.length, 'must not name a run twice'),
    reason: z.string().max(2_000, 'at most 2,000 characters').nullable().default(null),
  }),
  example: { run_ids: ['run_2sEBDyJbT4nV4ZuFbFaeoVMAwOCx'], reason: 'Released as 2.3.0' },
  responses: { 201: dataOf(baselineSchema) },
  errors: ['BASELINE_WOULD_FALL', 'OWNED_ELSEWHERE', 'STALE_PUSH'],
  rights: { table: [...EDIT, 'Query'], judge: true },
});

export const listBaselines = defineContract('baselines/list', 'GET /v1/suites/:suiteId/baselines', {
  summary: "A suite's baselines, the last accepted first",
  scope: 'result',
  query: pageQuerySchema,
  responses: { 200: pageOf(baselineSchema) },
  rights: { table: READ },
});

export const getBaseline = defineContract('baselines/get', 'GET /v1/suites/:suiteId/baseline', {
  summary: 'The baseline that runs are compared with',
  scope: 'result',
  responses: { 200: dataOf(baselineSchema) },
});

export const removeBaseline = defineContract('baselines/remove', 'DELETE /v1/suites/:suiteId/baseline', {
  summary: 'Compare runs with no baseline any more',
  reauthentication: 'always',
  responses: { 204: null },
  rights: { table: EDIT },
});

export const baselineContracts = [acceptBaseline, listBaselines, getBaseline, removeBaseline];
