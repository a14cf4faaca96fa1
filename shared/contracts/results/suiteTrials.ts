import * as z from 'zod';
import { dataOf } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { outputSchema } from '../outputs.ts';
import { runResultSchema } from './results.ts';

const { score, threshold, passed, reason, case_name } = runResultSchema.shape;

export const trySuite = defineContract('suites/try', 'POST /v1/suites/:suiteId/try', {
  summary:
    'Score one output with all cases of a suite, where each of them can judge one; nothing is stored or counted',
  scope: 'suites',
  body: z.object({
    /** Left out: the answer says only whether its cases can judge one output. */
    output: outputSchema.optional(),
  }),
  example: { output: 'You can return it within 30 days.' },
  responses: {
    200: dataOf(
      z.object({
        /** Why the cases cannot judge one output; null where they can. With an `output` such a suite is a 400. */
        refusal: z.string().nullable(),
        scores: z.array(z.object({ case: z.string(), case_name, score, threshold, passed, reason })),
      }),
    ),
  },
});
