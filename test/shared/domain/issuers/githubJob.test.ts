import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { type GithubJob, githubJobIn } from '../../../../shared/domain/issuers/githubJob.ts';
import { aRepository, type Claims, jobClaims } from '../../../support/oidc.ts';

const REPOSITORY = aRepository('octo-org/app');
const CLAIMS = jobClaims(randomUUID(), REPOSITORY);
const SHA = String(CLAIMS.sha);

const read = (claims: Claims): GithubJob | undefined => githubJobIn({ claims: { ...CLAIMS, ...claims } });

test("the claims of a job's token are read", () => {
  expect(read({})).toEqual({
    repository: 'octo-org/app',
    repositoryId: REPOSITORY.id,
    repositoryOwnerId: REPOSITORY.ownerId,
    ref: 'refs/heads/main',
    headRef: undefined,
    sha: '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab',
    eventName: 'push',
    isRefUnprotected: false,
    environment: null,
    workflow: '.github/workflows/gate.yml',
    isWorkflowElsewhere: false,
    jobWorkflowRef: 'octo-org/app/.github/workflows/gate.yml@refs/heads/main',
    actor: 'octocat',
    runId: '17234567890',
    runAttempt: '1',
  });
  expect(read({ environment: 'Production' })).toMatchObject({ environment: 'Production' });
});

test('a token that names only whose job it is, of which ref, file and run, is one of a job all the same', () => {
  const [named, unnamed] = [read({ head_ref: 'feature/x' }), {}];
  const names = ['sha', 'event_name', 'ref_protected', 'head_ref', 'job_workflow_ref', 'run_attempt'];
  for (const name of names) Object.assign(unnamed, { [name]: undefined });
  expect(named).toMatchObject({ headRef: 'feature/x' });
  expect(read(unnamed)).toEqual({
    ...named,
    sha: undefined,
    eventName: undefined,
    headRef: undefined,
    isRefUnprotected: true,
    jobWorkflowRef: undefined,
    runAttempt: undefined,
  });
  for (const sha of ['', 'main', SHA.toUpperCase(), `${SHA}0`, ` ${SHA}`, `${SHA}\n`, 7, [SHA]]) {
    expect(read({ sha })).toEqual({ ...named, sha: undefined, headRef: undefined });
  }
});

test.each([
  [false, [true, 'true']],
  [true, [undefined, false, 'false', 'True', ' true', '', null, 1, ['true']]],
])('that a ref is not protected is %s where its claim is one of %j', (isRefUnprotected, values) => {
  for (const ref_protected of values) expect(read({ ref_protected })).toMatchObject({ isRefUnprotected });
});

test.each([
  ['of before', 'repo:octo-org/app:ref:refs/heads/main'],
  ['of an environment', 'repo:octo-org/app:environment:prod'],
  ['that is not there', undefined],
])('the subject %s changes nothing', (_, sub) => {
  expect(read({ sub })).toEqual(read({}));
});

test.each([
  'jti',
  'repository',
  'repository_id',
  'repository_owner_id',
  'ref',
  'workflow_ref',
  'actor',
  'run_id',
])('claims without %s, or with an empty or another kind of it, are of no job', (claim) => {
  for (const value of [undefined, null, '', 74, ['x'], { x: 1 }, 'x'.repeat(1_025)]) {
    expect(read({ [claim]: value })).toBeUndefined();
  }
});

test('ids are numbers', () => {
  for (const id of ['-1', '7 4', '74\n', '0x4a', '７４', '1e3']) {
    expect(read({ repository_id: id })).toBeUndefined();
    expect(read({ repository_owner_id: id })).toBeUndefined();
  }
});

test.each([
  ['octo-org/app/.github/workflows/gate.yml@refs/heads/main', '.github/workflows/gate.yml', false],
  ['Octo-Org/App/.github/workflows/gate.yml@refs/heads/main', '.github/workflows/gate.yml', false],
  ['octo-org/app/.github/workflows/gate.yaml@refs/tags/v1@2', '.github/workflows/gate.yaml', true],
  ['octo-org/app/.github/workflows/gate.yml@refs/heads/x.yml@y', '.github/workflows/gate.yml', true],
  ['octo-org/app/.github/workflows/gate.yml@7d444840a9c1', '.github/workflows/gate.yml', true],
  ['octo-org/app/.github/workflows/gate.yml@refs/heads/main\n', '.github/workflows/gate.yml', true],
  [
    'octo-org/app/.github/workflows/gate.yml@other.yml@refs/heads/main',
    '.github/workflows/gate.yml@other.yml',
    false,
  ],
  [
    'octo-org/central/.github/workflows/gate.yml@refs/heads/other',
    'octo-org/central/.github/workflows/gate.yml',
    false,
  ],
  [
    'octo-org/app/dynamic/pages/build@refs/heads/main',
    'octo-org/app/dynamic/pages/build@refs/heads/main',
    true,
  ],
  ['.github/workflows/gate.yml', '.github/workflows/gate.yml', true],
])(
  'the workflow %j is %s, and of another ref of the repository: %s',
  (workflow_ref, workflow, isWorkflowElsewhere) => {
    expect(read({ workflow_ref })).toMatchObject({ workflow, isWorkflowElsewhere });
  },
);
