import * as z from 'zod';
import { dataOf, shareSchema, timestampSchema, uuidSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { READ } from '../base/rights.ts';
import { originFields } from '../results/origin.ts';
import { runSchema } from '../runs.ts';

const caseSchema = z.object({ case_id: uuidSchema, key: z.string(), case: z.string() });

const weighedSchema = caseSchema.extend({
  threshold: z.number(),
  weight: z.number(),
  must_pass: z.boolean(),
});

/** The mean score of the baseline's runs beside the run's own. */
const pairedSchema = weighedSchema.extend({
  baseline_score: z.number(),
  score: z.number(),
  reason: z.string(),
});
const addedSchema = pairedSchema.omit({ baseline_score: true });
const missingSchema = weighedSchema.extend({ baseline_score: z.number() });
const changedSchema = pairedSchema.extend({
  /** Another kind of output, another case or scorer, advisory in one of the two only, or judged by another model. */
  why: z.enum(['KIND', 'BAR', 'ADVISORY', 'JUDGE_DRIFT']),
});

const countsSchema = z.object({
  /** Includes unstable ones. */
  compared: z.int(),
  newly_failing: z.int(),
  newly_passing: z.int(),
  /** The same output was judged otherwise than before. */
  unstable: z.int(),
  changed: z.int(),
  /** Only the run has them. */
  added: z.int(),
  /** Only the baseline has them. */
  missing: z.int(),
  /** Errored in one of the two. */
  unjudged: z.int(),
});

/** What a run is called by, and how it ended. */
const namedRunSchema = runSchema
  .pick({ status: true, inconclusive: true, created_by: true, trigger_meta: true })
  .extend(originFields);

const comparisonSchema = z.object({
  run_id: z.string(),
  baseline: z.object({
    /** Null where the query names a run. */
    id: uuidSchema.nullable(),
    run_ids: z.array(z.string()),
    created_at: timestampSchema,
    /** The run that the query names; else null. */
    run: namedRunSchema.nullable(),
  }),
  /** Whether enough of the weight is compared: see `gates.min_comparable`. */
  comparable: z.boolean(),
  /** The share of the weight that is compared. */
  coverage: shareSchema,
  notices: z.array(z.object({ code: z.string(), message: z.string() })),
  counts: countsSchema,
  /** Over the compared cases. */
  pass_rate: z.object({
    baseline: z.number(),
    run: z.number(),
    difference: z.number(),
    lower: z.number(),
    upper: z.number(),
    confidence: z.number(),
  }),
  test: z.object({
    /** Approximate where the weights have too many sums. */
    method: z.enum(['exact_conditional_mid_p', 'approximate_conditional_mid_p']),
    alternative: z.literal('worse'),
    p_value: z.number(),
    /** Null where the p-value is approximate. */
    p_value_exact: z.number().nullable(),
    informative_cases: z.int(),
  }),
  /** The least real drop that the test would see four times in five. */
  detectable_drop: z.number(),
  /** At most 100 of each, the gravest first. */
  cases: z.object({
    newly_failing: z.array(pairedSchema),
    newly_passing: z.array(pairedSchema),
    unstable: z.array(pairedSchema),
    changed: z.array(changedSchema),
    added: z.array(addedSchema),
    missing: z.array(missingSchema),
    unjudged: z.array(pairedSchema),
  }),
});
export type ShownComparison = z.infer<typeof comparisonSchema>;

export const getComparison = defineContract('comparisons/get', 'GET /v1/runs/:runId/comparison', {
  summary: 'What got worse or better since the baseline',
  scope: 'result',
  query: z.object({
    /** A run of the same suite. Left out: the baseline that the run was judged with, else the current one. */
    baseline: z
      .string()
      .regex(/^run_[0-9A-Za-z]{1,32}$/, 'must be the id of one run')
      .optional(),
  }),
  responses: { 200: dataOf(comparisonSchema) },
  errors: ['RESULTS_HIDDEN'],
  rights: { table: READ, judge: true },
});
