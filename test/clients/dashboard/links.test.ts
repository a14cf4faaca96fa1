import { expect, test } from '@jest/globals';
import { factsOf } from '../../../clients/dashboard/parts/runs/links.ts';
import { credentialWords } from '../../../clients/gate/report/review/credential.ts';
import { written } from '../../../clients/gate/report/words.ts';
import type { Credential, Run } from '../../../clients/sdk/index.ts';
import { SHA } from '../../support/ciJobs.ts';

type CiJob = Extract<Credential, { type: 'ci_job' }>;

const JOB: CiJob = {
  type: 'ci_job',
  registration_id: '0b7e4a52-6d0f-4c1e-9a35-2f8c1d7e6a01',
  provider: 'gitlab',
  issuer: 'https://gitlab.example.com',
  subject: '20',
  name: 'my-group/sub/my-project',
  label: 'my-group/sub/my-project',
  ref: 'refs/heads/main',
  sha: SHA,
  run_id: '574',
};

const factsOfJob = (job: Partial<CiJob>, trigger_meta: Run['trigger_meta'] = {}) =>
  factsOf({ created_by: { ...JOB, ...job }, trigger_meta } as Run);
const linksOf = (job: Partial<CiJob>): readonly (string | undefined)[] =>
  factsOfJob(job).flatMap(({ href }) => href ?? []);

test('the run of a GitLab job links project, commit, merge request and pipeline at its issuer', () => {
  const home = 'https://gitlab.example.com/my-group/sub/my-project';
  const runUrl = `${home}/-/pipelines/574`;
  expect(factsOfJob({}, { pull_request: '12', sha: 'other', run_url: runUrl })).toEqual([
    { name: 'Repository', text: JOB.name, href: home, isUnverified: false },
    { name: 'Commit', text: SHA.slice(0, 7), href: `${home}/-/commit/${SHA}`, isUnverified: false },
    { name: 'Pull request', text: '#12', href: `${home}/-/merge_requests/12`, isUnverified: true },
    { name: 'Job', text: '574', href: runUrl, isUnverified: false },
    // A request says it: no link.
    { name: 'CI run', text: runUrl, href: undefined, isUnverified: true },
  ]);
});

test.each([
  ['an issuer by plain http', { issuer: 'http://gitlab.example.com' }],
  ['another system', { provider: 'buildkite' }],
  ['a name without a group', { name: 'my-project' }],
  ['a name that leads elsewhere', { name: '../my-project' }],
  ['a name with a query', { name: 'my-group/my-project?x' }],
  ['a name that the service cut short', { name: `my-group/${'x'.repeat(91)}` }],
] as const)('a job of %s has no links', (_what, job) => {
  expect(linksOf(job)).toEqual([]);
});

test.each(['javascript:alert(1)', 'http://ci.example.com/7', 'https://user:pass@ci.example.com/', 'x'])(
  'a CI run at %s is not shown',
  (run_url) => {
    expect(factsOfJob({}, { run_url }).map(({ name }) => name)).not.toContain('CI run');
  },
);

test('a job is called by its system, or by the host of an issuer that has no name here', () => {
  const wordsOf = (job: Partial<CiJob>) =>
    written(credentialWords({ ...JOB, ...job }), (text) => `<${text}>`);
  expect(wordsOf({})).toBe('a GitLab job of <my-group/sub/my-project>');
  expect(wordsOf({ provider: 'other', issuer: 'https://ci.example.com/oidc', label: 'job' })).toBe(
    'a job of <job> at <ci.example.com>',
  );
});
