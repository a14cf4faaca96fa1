import * as z from 'zod';
import { integerQuery, timestampSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { READ } from '../base/rights.ts';

const RUNS_DEFAULT = 30;
const RUNS_MAX = 90;

const caseOutcomeSchema = z.object({
  run_id: z.string(),
  created_at: timestampSchema,
  passed: z.boolean(),
  errored: z.boolean(),
  missing: z.boolean(),
  score: z.number(),
});
export type CaseOutcome = z.infer<typeof caseOutcomeSchema>;

/** In the newest ended run of the default branch that had the case; without one in that of any. */
export const latestOutcomeSchema = caseOutcomeSchema.extend({
  /** Of the run from which on it has passed, or has not passed, without a break. */
  since: timestampSchema,
  /** It may be so for longer: earlier runs were not looked at. */
  or_longer: z.boolean(),
});
export type LatestOutcome = z.infer<typeof latestOutcomeSchema>;

export const getCaseHistory = defineContract('cases/history', 'GET /v1/cases/:caseId/history', {
  summary: 'How a case fared in the latest runs that have ended, most recent first',
  scope: 'read',
  query: z.object({
    /** How many runs are looked at. Those that did not have the case are left out of the answer. */
    limit: integerQuery(RUNS_DEFAULT, RUNS_MAX),
  }),
  responses: {
    200: z.object({
      data: z.array(caseOutcomeSchema),
      /** Earlier ones of these runs are left out: to read all would be too much. */
      truncated: z.boolean(),
    }),
  },
  rights: { table: READ },
});
