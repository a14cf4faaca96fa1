import * as z from 'zod';
import { digestSchema, timestampSchema, uuidSchema } from '../base/common.ts';
import { credentialSchema } from '../base/credentials.ts';

/** Somebody's word that an aborted run is good enough, for a while. It changes no figure and no status. */
export const waiverSchema = z.object({
  id: uuidSchema,
  /** The run that was waived. Later runs of the same bar and outputs carry its waiver. */
  run_id: z.string(),
  suite_digest: digestSchema,
  outputs_digest: digestSchema,
  reason: z.string(),
  waived_by: credentialSchema,
  created_at: timestampSchema,
  expires_at: timestampSchema,
  /** False from `expires_at` on. */
  active: z.boolean(),
});
export type Waiver = z.infer<typeof waiverSchema>;
