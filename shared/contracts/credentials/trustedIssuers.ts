import * as z from 'zod';
import {
  dataOf,
  jsonBytes,
  nameSchema,
  pageOf,
  pageQuerySchema,
  slugSchema,
  timestampSchema,
  uuidSchema,
} from '../base/common.ts';
import { defineContract } from '../base/contract.ts';
import { CI_PROVIDERS } from '../base/credentials.ts';
import { READ, WRITE } from '../base/rights.ts';
import { JOB_SCOPES, type JobScope, SCOPES } from '../base/scopes.ts';
import { issuerSchema } from './issuerUrl.ts';

/** Names of managed users contain "_". */
const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}\/[A-Za-z0-9._-]{1,100}$/;
const repositorySchema = z.string().regex(REPOSITORY, 'must be "owner/name", as in a GitHub address');

const CLAIM_CHARACTERS_MAX = 255;
/** It may hold the names of a repository, a file and a ref. */
const LONG_CLAIM_CHARACTERS_MAX = 1_024;

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
const jobWorkflowSchema = claimOf(LONG_CLAIM_CHARACTERS_MAX).regex(
  JOB_WORKFLOW,
  'must name repository, file and ref in full, such as "octo-org/central/.github/workflows/gate.yml@refs/heads/main"',
);

const CLAIMS_MAX = 10;
const VALUES_MAX = 20;
/** An exchange reads all registrations of an organisation. */
const CLAIMS_BYTES_MAX = 2_048;

/** Others may take such a name later: a condition is an id, a group or a role. */
const NAMES_OF_PERSONS: ReadonlySet<string> = new Set([
  'preferred_username',
  'upn',
  'unique_name',
  'name',
  'nickname',
]);

const claimValueSchema = claimOf(LONG_CLAIM_CHARACTERS_MAX).refine(
  (text) => !text.includes('*'),
  'must not hold "*", since values are compared as they are: list them, or register twice',
);

/** The claim that a name or a JSON pointer of one step leads to. */
export const claimNamed = (name: string): string =>
  /^\/[^/]*$/.test(name) ? name.slice(1).replaceAll('~1', '/').replaceAll('~0', '~') : name;

/**
 * What a token must hold: by name of the claim, or by JSON pointer, one text or several of which one must fit. All names
 * must fit. Texts are compared exactly, numbers and booleans by their JSON.
 */
const claimsByNameSchema = z
  .record(
    z
      .string()
      .min(1, 'must not be empty')
      .max(CLAIM_CHARACTERS_MAX)
      .regex(/^\P{C}+$/u, 'must be the name of a claim')
      .regex(
        /^(?!\/).|^(\/([^~/]|~[01])+)+$/u,
        'must be a name, or a JSON pointer such as "/realm_access/roles"',
      ),
    z.union(
      [claimValueSchema, z.array(claimValueSchema).min(1).max(VALUES_MAX)],
      `must be a text, or up to ${VALUES_MAX} texts of which one must fit, without "*", control characters and blanks around`,
    ),
  )
  .superRefine((claims, context) => {
    const names = Object.keys(claims);
    const issue = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', path, message });
    if (names.length === 0) issue('must name at least one claim');
    if (names.length > CLAIMS_MAX) issue(`must name at most ${CLAIMS_MAX} claims`);
    if (jsonBytes(claims) > CLAIMS_BYTES_MAX) issue('must be at most 2 kB of JSON');
    for (const name of names) {
      if (NAMES_OF_PERSONS.has(claimNamed(name)))
        issue('is a name that another person can take: bind an id, a group or a role', [name]);
    }
  });

/** A zod record would silently drop a condition on `__proto__`, and the table stores no field `constructor`. */
const claimsSchema = z
  .custom<z.input<typeof claimsByNameSchema>>(
    (claims) => !['__proto__', 'constructor'].some((name) => Object.hasOwn(Object(claims), name)),
    'must not hold the names "__proto__" and "constructor"',
  )
  .pipe(claimsByNameSchema);

export const trustedIssuerSchema = z.object({
  id: uuidSchema,
  for: z.enum(['jobs', 'persons']),
  provider: z.enum(['github', ...CI_PROVIDERS]),
  issuer: z.string(),
  label: z.string(),
  /** Null: of jobs of GitHub, which the fields below are about. `{}`: every person of the issuer. */
  claims: z.record(z.string(), z.union([z.string(), z.array(z.string())])).nullable(),
  /** Of jobs: what they get, where they ask for it. */
  scope: z.enum(SCOPES),
  /** The one project that it opens; null means all. */
  project_id: uuidSchema.nullable(),
  repository: z.string().optional(),
  /** Null means any. */
  ref: z.string().nullable().optional(),
  environment: z.string().nullable().optional(),
  workflow: z.string().nullable().optional(),
  /** The reusable workflow that the job is of, with its ref: no pull request of the repository can edit it. */
  job_workflow_ref: z.string().nullable().optional(),
  /** GitHub's ids, stored with the first token; a repository that is created again under this name has others. */
  repository_id: z.string().nullable().optional(),
  repository_owner_id: z.string().nullable().optional(),
  last_used_at: timestampSchema.nullable(),
  created_at: timestampSchema,
});
export type TrustedIssuer = z.infer<typeof trustedIssuerSchema>;

/** Git allows none of the excluded characters in the name of a branch: they would be a pattern, which nothing matches. */
const BRANCH = /^refs\/heads\/[^ ~^:?*[\\]+$/;

/** One branch, which a registration of scope `suites` names. */
export const isBranch = (ref: unknown): ref is string => typeof ref === 'string' && BRANCH.test(ref);

const isJobScope = (scope: string): scope is JobScope => JOB_SCOPES.some((one) => one === scope);

const GITHUB_FORM = ['repository', 'ref', 'environment', 'workflow', 'job_workflow_ref'] as const;
const FORMS = {
  github: { name: 'a repository of GitHub', fields: ['for', 'scope', 'project', ...GITHUB_FORM] },
  persons: { name: 'persons', fields: ['for', 'scope', 'project', 'claims', 'everyone', 'label'] },
  jobs: {
    name: 'jobs of another system',
    fields: ['for', 'scope', 'project', 'issuer', 'provider', 'claims', 'label'],
  },
} as const;

/** Strict: a condition that was ignored would trust more than its author wanted. */
const newRegistrationSchema = z
  .strictObject({
    /** `persons`: those of the organisation's sign-in. */
    for: z.enum(['jobs', 'persons']).default('jobs'),
    /** Of jobs `run` or `suites`, by default `run`. `suites` of GitHub needs `project`, `workflow` and the full name of one branch as `ref`. */
    scope: z.enum(SCOPES).optional(),
    /** The slug of the one project that it opens; left out: all. */
    project: slugSchema.optional(),
    repository: repositorySchema.optional(),
    ref: refSchema.nullable().optional(),
    environment: claimSchema.nullable().optional(),
    workflow: workflowSchema.nullable().optional(),
    /** `owner/name/.github/workflows/file.yml@ref`, as GitHub has it: the ref in full, or a commit. */
    job_workflow_ref: jobWorkflowSchema.nullable().optional(),
    /** Of jobs of another system than GitHub. */
    issuer: issuerSchema.optional(),
    /** Left out: what the issuer is known for. */
    provider: z.enum(CI_PROVIDERS).optional(),
    claims: claimsSchema.optional(),
    /** Of persons, in place of `claims`. */
    everyone: z.literal(true).optional(),
    /** What people call it; left out: made of the conditions. */
    label: nameSchema.max(100, 'at most 100 characters').optional(),
  })
  .superRefine((body, context) => {
    const { scope, ref, workflow, project, claims } = body;
    const issue = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const isOfPersons = body.for === 'persons';
    if (!isOfPersons && [body.repository, body.issuer, claims].every((field) => field === undefined))
      return issue(
        'repository',
        'is missing: name a repository of GitHub, or issuer and claims of another system',
      );
    const isGithub = body.repository !== undefined;
    const form = FORMS[isOfPersons ? 'persons' : isGithub ? 'github' : 'jobs'];
    for (const [name, value] of Object.entries(body)) {
      if (value !== undefined && !(form.fields as readonly string[]).includes(name))
        issue(name, `is no field of a registration for ${form.name}`);
    }
    if (isOfPersons) {
      if (scope === undefined) issue('scope', `must be one of ${SCOPES.join(', ')}`);
      if ((claims === undefined) === (body.everyone === undefined))
        issue(
          'claims',
          'must name what the token of a person has to hold; or send "everyone": true in their place',
        );
      return;
    }
    if (scope !== undefined && !isJobScope(scope)) issue('scope', 'must be run or suites: jobs get no other');
    if (!isGithub) {
      if (body.issuer === undefined)
        issue('issuer', 'must be the issuer of the tokens of jobs; for jobs of GitHub name a repository');
      if (claims === undefined) issue('claims', 'must name what the token of a job has to hold');
      return;
    }
    if (scope !== 'suites') return;
    const needs = (path: string, what: string): void =>
      issue(path, `must name ${what} for the scope "suites"`);
    if (!isBranch(ref)) needs('ref', 'one branch in full, such as "refs/heads/main",');
    if (!workflow) needs('workflow', 'the file of the workflow that pushes, such as "push.yml",');
    if (project === undefined) needs('project', 'one project');
  });
export type NewRegistration = z.output<typeof newRegistrationSchema>;

export const createTrustedIssuer = defineContract('trustedIssuers/create', 'POST /v1/trusted-issuers', {
  summary: 'Trust an issuer under conditions: CI jobs run gates, or push suites, without a stored key',
  reauthentication: 'always',
  body: newRegistrationSchema,
  example: { repository: 'acme/support-bot', project: 'support-bot' },
  responses: { 201: dataOf(trustedIssuerSchema) },
  errors: ['NOT_FOUND'],
  rights: { table: ['GetItem', ...WRITE], jobs: true },
});

export const listTrustedIssuers = defineContract('trustedIssuers/list', 'GET /v1/trusted-issuers', {
  summary: 'The issuers that the organisation trusts, under which conditions, newest first',
  query: pageQuerySchema,
  responses: { 200: pageOf(trustedIssuerSchema) },
  errors: ['NOT_FOUND'],
  rights: { table: READ },
});

export const deleteTrustedIssuer = defineContract(
  'trustedIssuers/delete',
  'DELETE /v1/trusted-issuers/:issuerId',
  {
    summary: 'Trust an issuer no more: tokens of its jobs end at once',
    reauthentication: 'always',
    responses: { 204: null },
    rights: { table: ['Query', 'PutItem', 'DeleteItem'] },
  },
);

export const trustedIssuerContracts = [listTrustedIssuers, createTrustedIssuer, deleteTrustedIssuer];
