import * as z from 'zod';
import { described } from '../base/fields.ts';
import { createTrustedIssuer } from './trustedIssuers.ts';

const { repository, ref, workflow, environment, job_workflow_ref, issuer, provider, label, scope } =
  createTrustedIssuer.body.shape;

const jobScope = described(scope, {
  label: 'Scope',
  options: { run: 'run gates', suites: 'push suites' },
  absent: 'run',
  hint: 'To push suites takes a project, one branch and one file.',
});

const githubForm = described(
  z.object({
    repository: described(repository.unwrap(), {
      label: 'Repository',
      placeholder: 'octo-org/support-bot',
      isTrimmed: true,
    }),
    scope: jobScope,
    workflow: described(workflow, {
      label: 'Workflow',
      placeholder: 'gate.yml',
      hint: 'The only file whose jobs are trusted.',
      isTrimmed: true,
    }),
    ref: described(ref, {
      label: 'Ref',
      placeholder: 'refs/heads/main',
      hint: 'In full. Left empty: pull requests, too.',
      isTrimmed: true,
    }),
    environment: described(environment, {
      label: 'Environment',
      placeholder: 'production',
      isTrimmed: true,
    }),
    job_workflow_ref: described(job_workflow_ref, {
      label: 'Reusable workflow',
      placeholder: 'octo-org/central/.github/workflows/gate.yml@refs/heads/main',
      hint: 'One that pull requests cannot edit.',
      isTrimmed: true,
    }),
  }),
  { label: 'a repository at GitHub' },
);

const claimsWith = (hint: string) =>
  described(
    z.array(
      z.object({
        name: described(z.string(), { label: 'Claim' }),
        value: described(z.string(), { label: 'Value' }),
      }),
    ),
    { label: 'Claims', row: 'a claim', widget: 'rows', sample: [{ name: '', value: '' }], hint },
  );

const jobsForm = described(
  z.object({
    issuer: described(issuer.unwrap(), {
      label: 'Issuer',
      placeholder: 'https://gitlab.com',
      hint: 'The address in "iss" of its ID tokens.',
      isTrimmed: true,
    }),
    provider: described(provider, {
      label: 'System',
      options: { gitlab: 'GitLab', buildkite: 'Buildkite', circleci: 'CircleCI', other: 'another one' },
      hint: 'Where the address does not show it.',
    }),
    scope: jobScope,
    label: described(label, { label: 'Label', placeholder: 'Support bot', isTrimmed: true }),
    claims: claimsWith(
      'What an ID token must hold. It names a job by id: project_id (GitLab), pipeline_id (Buildkite), oidc.circleci.com/project-id, else sub. Values of one claim are alternatives.',
    ),
  }),
  { label: 'jobs of another CI system' },
);

const personsForm = described(
  z.object({
    scope: described(scope.unwrap(), {
      label: 'Scope',
      options: {
        read: 'read: sees everything, changes nothing',
        run: 'run: makes runs and reads them',
        suites: 'suites: edits suites, cases and scorers, too',
        full: 'full: all of that, projects, keys and payments',
      },
      sample: 'read',
    }),
    label: described(label, { label: 'Label', placeholder: 'Reviewers', isTrimmed: true }),
    everyone: described(z.boolean(), {
      label: 'Everyone who can sign in there',
      hint: 'Not where the provider has other customers, too.',
    }),
    claims: claimsWith(
      'What the ID token of a person must hold, such as groups and the name of one. Values of one claim are alternatives. Of several registrations that fit one counts: of the project that the link names, then one for all projects, then the larger scope.',
    ),
  }),
  { label: "persons of the organisation's provider" },
);

/** The forms of a registration, without the project. */
export const trustedIssuerForms = { github: githubForm, jobs: jobsForm, persons: personsForm };
