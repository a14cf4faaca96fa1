import * as z from 'zod';
import { uuidSchema } from './common.ts';

/** The job of a trusted repository, by the claims of its OIDC token. */
const jobSchema = z.object({
  /** Its name when the job began. Only the ids say whose job it is: another repository may take the name. */
  repository: z.string(),
  repository_id: z.string(),
  repository_owner_id: z.string(),
  actor: z.string(),
  event_name: z.string().optional(),
  ref: z.string(),
  /** Of a pull request: its branch. */
  head_ref: z.string().optional(),
  sha: z.string().optional(),
  /** The file, in the job's repository unless a name is before it. */
  workflow: z.string(),
  /** Of a job of a reusable workflow: that one's file and ref. */
  job_workflow_ref: z.string().optional(),
  run_id: z.string(),
  run_attempt: z.string().optional(),
});

// Discriminated unions and literals would weigh 3 kB in every function.
export const tokenCredentialSchema = z.union([
  z.object({ type: z.enum(['token', 'session']), key_id: uuidSchema }),
  jobSchema.extend({ type: z.enum(['github_actions']), registration_id: uuidSchema }),
]);

export type TokenCredential = z.infer<typeof tokenCredentialSchema>;

/** As it was then: the name of the API key, also of its tokens and sessions; of a job its repository and workflow. */
const label = z.string();

/** An API key, a token or a browser's session of one, or a token for a job of a trusted repository. */
export const credentialSchema = z.union([
  z.object({ type: z.enum(['api_key', 'token', 'session']), key_id: uuidSchema, label }),
  jobSchema.extend({ type: z.enum(['github_actions']), registration_id: uuidSchema, label }),
]);
export type Credential = z.infer<typeof credentialSchema>;
