import * as z from 'zod';
import { shareSchema, slugSchema } from './base/common.ts';

const TAG_LENGTH_MAX = 50;
const TAG_GATES_MAX = 50;
const JUDGED_CASES_MAX = 10_000;

export const tagSchema = slugSchema.max(TAG_LENGTH_MAX, `at most ${TAG_LENGTH_MAX} characters`);

const judgedCasesSchema = z.int().min(1).max(JUDGED_CASES_MAX);

const fields = {
  min_judged_cases: judgedCasesSchema,
  min_lower_bound: shareSchema,
  tags: z
    .array(
      z.strictObject({
        tag: tagSchema,
        pass_threshold: shareSchema,
        min_judged_cases: judgedCasesSchema.default(1),
      }),
    )
    .max(TAG_GATES_MAX, `at most ${TAG_GATES_MAX} tags`)
    .refine((tags) => new Set(tags.map(({ tag }) => tag)).size === tags.length, 'names a tag twice'),
};

/** Strict: an unknown field, such as a misspelt gate, would be an open gate if it were dropped. */
export const gatesSchema = z.strictObject(fields).partial();
export type Gates = z.infer<typeof gatesSchema>;

/** As they are sent: null is for a gate that is not wanted, and is not stored. */
export const sentGatesSchema = z
  .strictObject({
    min_judged_cases: fields.min_judged_cases.nullish(),
    min_lower_bound: fields.min_lower_bound.nullish(),
    tags: fields.tags.nullish(),
  })
  .transform((gates): Gates => Object.fromEntries(Object.entries(gates).filter(([, gate]) => gate != null)));
