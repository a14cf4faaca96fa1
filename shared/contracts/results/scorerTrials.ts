import * as z from 'zod';
import { dataOf, expectedSchema, inputSchema, shareSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { metadataSchema, outputSchema, traceFields, withOutputs } from '../outputs.ts';
import { runResultSchema } from './results.ts';

const { score, passed, reason, scorer_output } = runResultSchema.shape;

export const tryScorer = defineContract('scorers/try', 'POST /v1/scorers/:scorerId/try', {
  summary: 'Score one output with a scorer that asks no model; nothing is stored or counted',
  scope: 'suites',
  body: withOutputs(
    z.object({
      /** At most 1 MB. Left out beside a trace: its agent's last text. */
      output: outputSchema.optional(),
      ...traceFields,
      metadata: metadataSchema.optional(),
      /** No scorer that may be tried reads it. */
      input: inputSchema.default({}),
      expected: expectedSchema.default(null),
      /** Of the case: the score from which on it passes. */
      threshold: shareSchema.default(0.5),
    }),
  ),
  example: { output: 'You can return it within 30 days.', expected: 'within 30 days' },
  responses: { 200: dataOf(z.object({ score, passed, reason, scorer_output })) },
});
