import * as z from 'zod';
import {
  dataOf,
  optionalPageQuerySchema,
  paginationSchema,
  storedObjectSchema,
  uuidSchema,
} from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { READ } from '../base/rights.ts';
import { faultSchema } from '../gates.ts';

const sampleSchema = z.object({
  passed: z.boolean(),
  score: z.number(),
  reason: z.string(),
  scorer_output: storedObjectSchema,
  fault: faultSchema.optional(),
  /** 16 hexadecimal digits; null in a run that could not be evaluated. */
  output_digest: z.string().nullable(),
  metadata: storedObjectSchema.nullable(),
});

/** What a result says beside the document's fields. */
const resultDetailFields = {
  /** Of the case. */
  key: z.string(),
  errored: z.boolean(),
  /** Only of an errored case: whose doing it is. */
  fault: faultSchema.optional(),
  missing: z.boolean(),
  advisory: z.boolean(),
  must_pass: z.boolean(),
  weight: z.number().nullable(),
  tags: z.array(z.string()),
  /** 16 hexadecimal digits; null where no output was sent. */
  output_digest: z.string().nullable(),
  /** As the harness sent it: it is not checked. */
  metadata: storedObjectSchema.nullable(),
  /** The samples of a case that takes several outputs. The fields above are those of the sample which decides. */
  samples: z.array(sampleSchema).optional(),
  /** The first 2,000 characters of what was judged, where there was something. */
  output_excerpt: z.string().optional(),
  /** The calls of its trace in a line, up to 2,000 characters. */
  trace_excerpt: z.string().optional(),
  /** Null where the case's text has been dropped since. */
  expected_excerpt: z.string().nullable().optional(),
  input_excerpt: z.string().nullable().optional(),
  /** What was sent beside the output of a judged case that has an input, too. */
  run_input_excerpt: z.string().optional(),
  /** What its judge received, of these excerpts: of the first 100 results of an answer, not for scope `run`. */
  judge_prompt: z.string().optional(),
  /** What that judge goes by. */
  judge_rubric: z.string().optional(),
  /** The calls that its scorer wants of a trace, as JSON, up to 2,000 characters: of the same results as `judge_prompt`. */
  expected_calls: z.string().optional(),
  /** An excerpt is shorter than what it was taken of. */
  cut: z.literal(true).optional(),
  /** Texts are left out: the run keeps no more than 2 MB of excerpts, or a text of the case has been dropped since. */
  excerpts_cut: z.literal(true).optional(),
};

export const runResultSchema = z.object({
  id: uuidSchema,
  run_id: z.string(),
  case_id: uuidSchema,
  case_name: z.string(),
  passed: z.boolean(),
  score: z.number(),
  threshold: z.number(),
  reason: z.string(),
  scorer_output: storedObjectSchema,
  duration_ms: z.int(),
  ...resultDetailFields,
});
export type RunResult = z.infer<typeof runResultSchema>;

const RESULT_OUTCOMES = ['failed', 'errored', 'passed', 'missing'] as const;
export type ResultOutcome = (typeof RESULT_OUTCOMES)[number];
const RESULT_ORDERS = ['gravity', 'score', 'latency_ms', 'total_tokens', 'cost_usd'] as const;
export type ResultOrder = (typeof RESULT_ORDERS)[number];
const TAG_LENGTH_MAX = 50;
const SEARCH_LENGTH_MAX = 200;

export const listRunResults = defineContract('runs/results', 'GET /v1/runs/:runId/results', {
  summary: 'The results of a run, one for each case',
  scope: 'result',
  /** With `page` or `pageSize` a page is answered, without them all results. Filters and `sort` see the whole run. */
  query: optionalPageQuerySchema.extend({
    /** As the run's figures count: an errored and a missing one failed, too. */
    outcome: z.enum(RESULT_OUTCOMES).optional(),
    /** Only those of cases with this tag. */
    tag: z.string().min(1).max(TAG_LENGTH_MAX).optional(),
    /** Only those whose case name, key or reason holds this text, in any case of letters. */
    q: z.string().max(SEARCH_LENGTH_MAX).optional(),
    /**
     * What comes first: what newly fails (of these the 20 that the run names), then must pass, then weighs most (the
     * default); the lowest score; the largest figure of `metadata`.
     */
    sort: z.enum(RESULT_ORDERS).optional(),
  }),
  /** `pagination`: left out where the query has no parameter. */
  responses: { 200: dataOf(z.array(runResultSchema)).extend({ pagination: paginationSchema.optional() }) },
  errors: ['RESULTS_HIDDEN'],
  rights: { table: [...READ, 'BatchGetItem'] },
});
