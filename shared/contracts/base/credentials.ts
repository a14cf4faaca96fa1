import * as z from 'zod';
import { uuidSchema } from './common.ts';

/** The job of a trusted repository, by the claims of its OIDC token. */
const jobSchema = z.object({
  repository: z.string(),
  actor: z.string(),
  ref: z.string(),
  /** Tokens from before this was kept have none. */
  sha: z.string().optional(),
  workflow: z.string(),
  run_id: z.string(),
});

// Discriminated unions and literals would weigh 3 kB in every function.
export const tokenCredentialSchema = z.union([
  z.object({ type: z.enum(['token']), key_id: uuidSchema }),
  jobSchema.extend({ type: z.enum(['github_actions']), registration_id: uuidSchema }),
]);

/** An API key, a token that was exchanged for one, or a token for a job of a trusted repository. */
export const credentialSchema = z.union([
  z.object({ type: z.enum(['api_key']), key_id: uuidSchema }),
  ...tokenCredentialSchema.options,
]);
export type Credential = z.infer<typeof credentialSchema>;
