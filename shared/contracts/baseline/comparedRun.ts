import * as z from 'zod';
import { uuidSchema } from '../base/common.ts';

/** What a run says of its baseline. `GET /v1/runs/:runId/comparison` says more. */
export const comparedRunSchema = z.object({
  baseline_id: uuidSchema,
  /** The keys of at most 20 cases that got worse, the gravest first. */
  newly_failing: z.array(z.string()),
  newly_failing_count: z.int(),
  /** Of the pass rates over the compared cases: below 0 where the run is worse. */
  difference: z.number(),
  /** How likely so many cases or more get worse by chance alone. */
  p_value: z.number(),
  /** False where too few of the cases can be compared, or the baseline cannot be read. */
  comparable: z.boolean(),
});
export type ComparedRun = z.infer<typeof comparedRunSchema>;
