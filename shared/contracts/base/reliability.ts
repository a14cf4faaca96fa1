import * as z from 'zod';
import { shareSchema } from './common.ts';

const countsSchema = z.object({ commits: z.int(), disagreed: z.int() });

/**
 * How often a bar got both verdicts for one commit: runs of jobs that no verdict caused. Null where no commit was
 * judged again. `lower` and `upper`: Wilson's 95 % interval, null below ten commits.
 */
export const reliabilitySchema = z
  .object({
    commits_judged_again: z.int(),
    disagreed: z.int(),
    lower: shareSchema.nullable(),
    upper: shareSchema.nullable(),
    /** By what the first run said. */
    cleared_first: countsSchema,
    aborted_first: countsSchema,
    /** Commits whose two runs sent the same outputs: only judges that do not remember them and deadlines can differ. */
    same_outputs: countsSchema,
    /** Commits with an inconclusive run: they count nowhere else. */
    inconclusive: z.int(),
  })
  .nullable();
export type Reliability = z.infer<typeof reliabilitySchema>;
