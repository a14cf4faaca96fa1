import * as z from 'zod';
import { BODY_BYTES_MAX } from './base/bodyLimits.ts';
import { dataOf, digestSchema, timestampSchema, uuidSchema } from './base/common.ts';
import { defineContract } from './base/contract.ts';
import { EDIT } from './base/rights.ts';
import { definitionDigestSchema, definitionVersionSchema, sentDefinitionSchema } from './definitions.ts';
import { barWarningSchema } from './gates.ts';
import { lastPushSchema, sentSourceSchema } from './history/lastPush.ts';

const changeSchema = z.object({
  kind: z.enum(['suite', 'scorer', 'case']),
  /** Of the suite: its slug. */
  key: z.string(),
  /** `keep`: the definition does not have it, and nothing is pruned. */
  action: z.enum(['create', 'update', 'delete', 'keep']),
  /**
   * What changes. For scope `run`, and where an answer is too large, only numbers and switches have `from` and `to`.
   */
  fields: z.record(z.string(), z.object({ from: z.unknown().optional(), to: z.unknown().optional() })),
  /**
   * Of the bar: whether an output may be cleared afterwards that was not before. For scope `run` a changed config always
   * may be weaker. `another answer`: the case expects another one, and neither bar holds up more than the other.
   */
  effect: z.enum(['stricter', 'same', 'weaker', 'may be weaker', 'another answer']),
  /** Whether it was written since the last push by something that is no push. False of the order of cases. */
  by_hand: z.boolean(),
});

const pushedDefinitionSchema = z.object({
  /** After the push. Of a dry run: as it is, for `expected_definition_version`. */
  definition_version: definitionVersionSchema,
  /** Of the suite as it is after the push. Of a dry run: as it would be. */
  definition_digest: definitionDigestSchema,
  /** `before` is null for a suite that the push creates, `after` in a dry run that creates cases, whose ids count. */
  suite_digest: z.object({ before: digestSchema.nullable(), after: digestSchema.nullable() }),
  /** Whether anything was written. */
  applied: z.boolean(),
  /** Of the suite, then of scorers, then of cases. */
  changes: z.array(changeSchema),
  /** Those of them that make the bar weaker, or may. */
  weaker: z.array(changeSchema),
  /** Other suites of the project whose bar a changed scorer moves. */
  affects: z.array(z.object({ suite: z.string(), scorers: z.array(z.string()) })),
  /** Of the bar after the push: of up to 1,000 active cases, and where the push moves the bar, also what a probe finds. */
  warnings: z.array(barWarningSchema),
  /** Before this push. */
  last_push: lastPushSchema.nullable(),
  /** Of a first push: the suite that had the slug within 30 days. The changes are what differs from it. */
  replaces: z.object({ suite_id: uuidSchema, deleted_at: timestampSchema }).optional(),
});
export type PushedDefinition = z.infer<typeof pushedDefinitionSchema>;

const sentPushSchema = z.strictObject({
  definition: sentDefinitionSchema,
  /** Plans only: nothing is written. All that a credential of scope `run` may ask for. */
  dry_run: z.boolean().default(false),
  /** Whether cases that the definition does not have are deleted, and scorers of pushes that no case uses. */
  prune: z.boolean().default(false),
  /** Whether the bar may get weaker. */
  allow_weaker: z.boolean().default(false),
  /** Of the plan that was shown: 409 when the suite has changed since. */
  expected_definition_version: definitionVersionSchema.optional(),
  source: sentSourceSchema.default({}),
});
export type SentPush = z.output<typeof sentPushSchema>;

export const putDefinition = defineContract(
  'definitions/put',
  'PUT /v1/projects/:slug/suites/:suiteSlug/definition',
  {
    summary: 'Make a suite equal to a document: plan it with dry_run, or put it in force as a whole',
    reauthentication: 'weaker',
    scope: 'result',
    body: sentPushSchema,
    unpackedBytesMax: BODY_BYTES_MAX,
    responses: { 200: dataOf(pushedDefinitionSchema) },
    errors: ['SCOPE_REQUIRED', 'OWNED_ELSEWHERE', 'WEAKER_BAR', 'VERSION_CONFLICT', 'STALE_PUSH'],
    example: {
      definition: { version: 1, suite: 'returns', pass_threshold: 0.9 },
      dry_run: true,
    },
    rights: { table: [...EDIT, 'Query', 'ConditionCheckItem'], judge: true },
  },
);
