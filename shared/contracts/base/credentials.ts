import * as z from 'zod';
import { uuidSchema } from './common.ts';

/** Systems whose jobs come in by the claims that their registration names; GitHub's come in by its own fields. */
export const CI_PROVIDERS = ['gitlab', 'buildkite', 'circleci', 'other'] as const;
export type CiProvider = (typeof CI_PROVIDERS)[number];

const optional = z.string().optional();

/** The job of a trusted repository of GitHub, by the claims of its OIDC token. */
const githubJobSchema = z.object({
  type: z.enum(['github_actions']),
  registration_id: uuidSchema,
  /** Its name when the job began. Only the ids say whose job it is: another repository may take the name. */
  repository: z.string(),
  repository_id: z.string(),
  repository_owner_id: z.string(),
  actor: z.string(),
  event_name: optional,
  ref: z.string(),
  /** Of a pull request: its branch. */
  head_ref: optional,
  sha: optional,
  /** The file, in the job's repository unless a name is before it. */
  workflow: z.string(),
  /** Of a job of a reusable workflow: that one's file and ref. */
  job_workflow_ref: optional,
  run_id: z.string(),
  run_attempt: optional,
});

/** The job of another CI system. */
const ciJobSchema = z.object({
  type: z.enum(['ci_job']),
  registration_id: uuidSchema,
  provider: z.enum(CI_PROVIDERS),
  issuer: z.string(),
  /** The id of the project or pipeline at the issuer. */
  subject: z.string(),
  /** What it was called when the job began. */
  name: z.string(),
  ref: optional,
  sha: optional,
  event_name: optional,
  actor: optional,
  run_id: optional,
});

/** A person who signed in with the organisation's provider: all that is kept of one. */
const personSchema = z.object({
  type: z.enum(['person']),
  registration_id: uuidSchema,
  issuer: z.string(),
  /** The provider's id of the person. */
  subject: z.string(),
  /** As the provider wrote it then; null where names are left out. */
  name: z.string().nullable(),
});

// Discriminated unions and literals would weigh 3 kB in every function.
export const tokenCredentialSchema = z.union([
  z.object({ type: z.enum(['token', 'session']), key_id: uuidSchema }),
  githubJobSchema,
  ciJobSchema,
  personSchema,
]);

export type TokenCredential = z.infer<typeof tokenCredentialSchema>;

/** As it was then: the name of the API key, also of its tokens and sessions; of a job its repository and workflow; of a person the name, or the subject. */
const label = z.string();

/** An API key, a token or a browser's session of one, a token for a job, or a person. */
export const credentialSchema = z.union([
  z.object({ type: z.enum(['api_key', 'token', 'session']), key_id: uuidSchema, label }),
  githubJobSchema.extend({ label }),
  ciJobSchema.extend({ label }),
  personSchema.extend({ label }),
]);
export type Credential = z.infer<typeof credentialSchema>;
