import * as z from 'zod';
import { dataOf, integerQuery, shareSchema, uuidSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { READ } from './base/rights.ts';

const TREND_DAYS_DEFAULT = 30;
const TREND_DAYS_MAX = 90;

/** The runs of one day in UTC that have ended and could be evaluated. */
export const trendSchema = z.object({
  date: z.iso.date(),
  avg_pass_rate: shareSchema,
  cleared_count: z.int(),
  aborted_count: z.int(),
  total_runs: z.int(),
});
export type Trend = z.infer<typeof trendSchema>;

/** A case that passed in the run before the latest, failed in the latest, and scores markedly less. */
export const regressionSchema = z.object({
  case_name: z.string(),
  case_id: uuidSchema,
  current_score: z.number(),
  previous_score: z.number(),
  threshold: z.number(),
  regression: z.literal(true),
  reason: z.string(),
});
export type Regression = z.infer<typeof regressionSchema>;

export const listTrends = defineContract('analytics/trends', 'GET /v1/suites/:suiteId/trends', {
  summary: "A suite's days with runs, most recent first",
  scope: 'read',
  query: z.object({
    days: integerQuery(TREND_DAYS_DEFAULT, TREND_DAYS_MAX),
    /** Left out: the runs of all branches. */
    branch: z.enum(['default']).optional(),
  }),
  responses: { 200: dataOf(z.array(trendSchema)) },
  errors: ['PLAN_REQUIRED'],
  rights: { table: READ },
});

export const listRegressions = defineContract(
  'analytics/regressions',
  'GET /v1/suites/:suiteId/regressions',
  {
    summary: "The cases that the latest of a suite's runs failed and the one before passed",
    scope: 'read',
    responses: { 200: dataOf(z.array(regressionSchema)) },
    errors: ['PLAN_REQUIRED'],
    rights: { table: [...READ, 'BatchGetItem'] },
  },
);

export const analyticsContracts = [listTrends, listRegressions];
