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
