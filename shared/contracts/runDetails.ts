import * as z from 'zod';
import { shareSchema, timestampSchema, uuidSchema } from './base/common.ts';
import { comparedRunSchema } from './baseline/comparedRun.ts';
import { waiverSchema } from './baseline/waiver.ts';
import { faultSchema, verdictDetailSchema } from './gates.ts';

const sha256Schema = z.string().regex(/^sha256:[0-9a-f]{64}$/);

/**
 * What readers of a run should know. `ADVISORY_EXPIRING` names a case that gates again within 7 days, `RETRIED` says that
 * the commit was judged before.
 */
const noticeSchema = z.object({
  code: z.enum(['ADVISORY_EXPIRING', 'RETRIED']),
  message: z.string(),
  case_id: uuidSchema.optional(),
  key: z.string().optional(),
  expires_at: timestampSchema.optional(),
  /** How often the commit was judged by this suite, with this run. */
  runs: z.int().optional(),
  /** What the first of these runs said. */
  first: z.enum(['cleared', 'aborted', 'inconclusive']).optional(),
});
export type Notice = z.infer<typeof noticeSchema>;

/** What a run says beside the document's figures. What its item leaves out is as by default. */
export const runDetailFields = {
  /** The bar that the run was judged by; null while it is pending. */
  suite_digest: sha256Schema.nullable().default(null),
  /** What was judged; null while it is pending. */
  outputs_digest: sha256Schema.nullable().default(null),
  /** Gating cases without an output; part of `failed_cases`. */
  missing_cases: z.int().default(0),
  /** Scored, but outside all other figures. */
  advisory_cases: z.int().default(0),
  advisory_failed_cases: z.int().default(0),
  /** Of the models that judged it, with failed calls. Null where none judges, while it is pending, and if results are hidden. */
  judge_usage: z
    .object({
      calls: z.int(),
      /** Verdicts of earlier runs of the suite, which took no call. */
      remembered: z.int(),
      /** Of the calls that were answered. */
      input_tokens: z.int(),
      output_tokens: z.int(),
    })
    .nullable()
    .default(null),
  /** Items whose case the suite does not have, or has deactivated. */
  surplus_outputs: z.int().default(0),
  /** The first 20 of their names, as sent. */
  surplus: z.array(z.string()).default([]),
  /** As it was. */
  pass_threshold: shareSchema.nullable().default(null),
  /**
   * Only of an inconclusive run: `service` where it would be cleared had the cases passed that the service or a
   * model's provider kept from being judged. Only then may the lack of a verdict be excused.
   */
  fault: faultSchema.optional(),
  verdict: verdictDetailSchema.nullable().default(null),
  notices: z.array(noticeSchema).default([]),
  /** The baseline that was current when the run was accepted. */
  baseline_id: uuidSchema.nullable().default(null),
  /** With that baseline; null without one, and while the run is pending. */
  comparison: comparedRunSchema.nullable().default(null),
  /** Of an aborted run, or of an earlier one of the same bar and outputs. */
  waiver: waiverSchema.nullable().default(null),
};

/** Of each score and failure in the answer of a run. */
export const scoreDetailFields = {
  key: z.string(),
  case_id: uuidSchema,
  missing: z.boolean(),
  /** Only of an errored case: whose doing it is. */
  fault: faultSchema.optional(),
  advisory: z.boolean(),
};
