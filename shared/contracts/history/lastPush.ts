import * as z from 'zod';
import { timestampSchema } from '../base/common.ts';
import { credentialSchema } from '../base/credentials.ts';

const SOURCE_TEXT_MAX = 500;
const sourceText = z.string().min(1).max(SOURCE_TEXT_MAX);

/** Where the definition lies in version control. */
export const sentSourceSchema = z.strictObject({
  repository: sourceText.optional(),
  ref: sourceText.optional(),
  sha: sourceText.optional(),
  path: sourceText.optional(),
});
export type PushSource = z.infer<typeof sentSourceSchema>;

/** The last push that changed the suite, its cases or its scorers. */
export const lastPushSchema = z.object({
  at: timestampSchema,
  by: credentialSchema,
  /** Of a job: as its token says. */
  source: z.object(sentSourceSchema.shape),
});
export type LastPush = z.infer<typeof lastPushSchema>;
