import * as z from 'zod';
import { dataOf, pageOf, pageQuerySchema, slugSchema, timestampSchema, uuidSchema } from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { READ, WRITE } from '../base/rights.ts';
import { JOB_SCOPES } from '../base/scopes.ts';

/** Names of managed users contain "_". */
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}$/;
const repositorySchema = z.string().regex(REPOSITORY, 'must be "owner/name", as in a GitHub address');

const CLAIM_CHARACTERS_MAX = 255;
/** It holds the names of a repository, a file and a ref. */
const JOB_WORKFLOW_CHARACTERS_MAX = 1_024;

/** The value of a claim in GitHub's token. Invisible characters are refused, because they would never match. */
const claimOf = (charactersMax: number) =>
  z
    .string()
    .min(1, 'must not be empty')
    .max(charactersMax, `at most ${charactersMax.toLocaleString('en')} characters`)
    .regex(/^\P{C}*$/u, 'must not hold control or invisible characters')
    .refine((text) => text === text.trim(), 'must not begin or end with a blank');

const claimSchema = claimOf(CLAIM_CHARACTERS_MAX);

const refSchema = claimSchema.regex(/^refs\/./, 'must be a full ref, such as "refs/heads/main"');
const workflowSchema = claimSchema.regex(
  /^(\.github\/workflows\/)?[^/]+\.ya?ml$/,
  'must be the file of a workflow, such as "gate.yml"',
);

/** As GitHub writes it of a job: after `@` stands what the caller named, resolved to a full ref, or a commit. */
const JOB_WORKFLOW =
  /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}\/\.github\/workflows\/[^/]+\.ya?ml@(refs\/.+|[0-9a-f]{40}([0-9a-f]{24})?)$/;
const jobWorkflowSchema = claimOf(JOB_WORKFLOW_CHARACTERS_MAX).regex(
  JOB_WORKFLOW,
  'must name repository, file and ref in full, such as "octo-org/central/.github/workflows/gate.yml@refs/heads/main"',
);

export const trustedRepositorySchema = z.object({
  id: uuidSchema,
  repository: z.string(),
  /** What its jobs get, where they ask for it. */
  scope: z.enum(JOB_SCOPES),
  /** Null means any. */
  ref: z.string().nullable(),
  environment: z.string().nullable(),
  workflow: z.string().nullable(),
  /** The reusable workflow that the job is of, with its ref: no pull request of the repository can edit it. */
  job_workflow_ref: z.string().nullable(),
  /** The one project its jobs may use; null means all. */
  project_id: uuidSchema.nullable(),
  /** GitHub's ids, stored with the first token; a repository that is created again under this name has others. */
  repository_id: z.string().nullable(),
  repository_owner_id: z.string().nullable(),
  last_used_at: timestampSchema.nullable(),
  created_at: timestampSchema,
});
export type TrustedRepository = z.infer<typeof trustedRepositorySchema>;

/** Git allows none of the excluded characters in the name of a branch: they would be a pattern, which nothing matches. */
const BRANCH = /^refs\/heads\/[^ ~^:?*[\\]+$/;

/** Strict: a condition that was ignored would trust more jobs than its author wanted. */
const newRegistrationSchema = z
  .strictObject({
    repository: repositorySchema,
    /** `suites` needs `project`, `workflow` and the full name of one branch as `ref`. */
    scope: z.enum(JOB_SCOPES).default('run'),
    ref: refSchema.nullable().default(null),
    environment: claimSchema.nullable().default(null),
    workflow: workflowSchema.nullable().default(null),
    /** `owner/name/.github/workflows/file.yml@ref`, as GitHub has it: the ref in full, or a commit. */
    job_workflow_ref: jobWorkflowSchema.nullable().default(null),
    /** The slug of the one project its jobs may use; left out: all. */
    project: slugSchema.optional(),
  })
  .superRefine(({ scope, ref, workflow, project }, context) => {
    if (scope !== 'suites') return;
    const needs = (path: string, what: string): void =>
      context.addIssue({ code: 'custom', path: [path], message: `must name ${what} for the scope "suites"` });
    if (ref === null || !BRANCH.test(ref)) needs('ref', 'one branch in full, such as "refs/heads/main",');
    if (workflow === null) needs('workflow', 'the file of the workflow that pushes, such as "push.yml",');
    if (project === undefined) needs('project', 'one project');
  });

export const createTrustedRepository = defineContract(
  'trustedRepositories/create',
  'POST /v1/trusted-repositories',
  {
    summary:
      'Trust the GitHub Actions jobs of a repository to run gates, or to push suites, without a stored key',
    reauthentication: 'always',
    body: newRegistrationSchema,
    example: { repository: 'acme/support-bot', project: 'support-bot' },
    responses: { 201: dataOf(trustedRepositorySchema) },
    errors: ['NOT_FOUND'],
    rights: { table: WRITE },
  },
);

export const listTrustedRepositories = defineContract(
  'trustedRepositories/list',
  'GET /v1/trusted-repositories',
  {
    summary: 'The repositories the organisation trusts, newest first',
    query: pageQuerySchema,
    responses: { 200: pageOf(trustedRepositorySchema) },
    errors: ['NOT_FOUND'],
    rights: { table: READ },
  },
);

export const deleteTrustedRepository = defineContract(
  'trustedRepositories/delete',
  'DELETE /v1/trusted-repositories/:repositoryId',
  {
    summary: 'Trust a repository no more; tokens of its jobs end at once',
    reauthentication: 'always',
    responses: { 204: null },
    rights: { table: ['Query', 'PutItem', 'DeleteItem'] },
  },
);

export const trustedRepositoryContracts = [
  listTrustedRepositories,
  createTrustedRepository,
  deleteTrustedRepository,
];
