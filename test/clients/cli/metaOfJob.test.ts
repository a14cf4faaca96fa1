import { expect, test } from '@jest/globals';
import { metaOfJob } from '../../../clients/cli/ci.ts';

const SHA = '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab';

test.each([
  [
    'GitLab',
    {
      GITLAB_CI: 'true',
      CI_COMMIT_SHA: SHA,
      CI_COMMIT_REF_NAME: 'next',
      CI_MERGE_REQUEST_IID: '12',
      CI_PIPELINE_URL: 'https://gitlab.com/octo/bot/-/pipelines/7',
    },
    {
      sha: SHA,
      ref: 'refs/heads/next',
      pull_request: '12',
      run_url: 'https://gitlab.com/octo/bot/-/pipelines/7',
    },
  ],
  [
    'Buildkite',
    {
      BUILDKITE: 'true',
      BUILDKITE_COMMIT: 'HEAD',
      BUILDKITE_BRANCH: 'main',
      BUILDKITE_PULL_REQUEST: 'false',
      BUILDKITE_BUILD_URL: 'https://buildkite.com/octo/bot/builds/7',
    },
    { ref: 'refs/heads/main', run_url: 'https://buildkite.com/octo/bot/builds/7' },
  ],
  [
    'CircleCI',
    {
      CIRCLECI: 'true',
      CIRCLE_SHA1: SHA,
      CIRCLE_BRANCH: 'next',
      CIRCLE_PULL_REQUEST: 'https://github.com/octo/bot/pull/12',
      CIRCLE_BUILD_URL: 'https://circleci.com/gh/octo/bot/7',
    },
    { sha: SHA, ref: 'refs/heads/next', pull_request: '12', run_url: 'https://circleci.com/gh/octo/bot/7' },
  ],
  [
    'Jenkins',
    {
      JENKINS_URL: 'https://ci.example/',
      GIT_COMMIT: SHA,
      GIT_BRANCH: 'origin/main',
      BUILD_URL: 'https://ci.example/job/bot/7/',
    },
    { sha: SHA, ref: 'refs/heads/main', run_url: 'https://ci.example/job/bot/7/' },
  ],
  [
    'Azure DevOps',
    {
      TF_BUILD: 'True',
      BUILD_SOURCEVERSION: SHA,
      BUILD_SOURCEBRANCH: 'refs/pull/12/merge',
      SYSTEM_PULLREQUEST_PULLREQUESTID: '12',
      SYSTEM_COLLECTIONURI: 'https://dev.azure.com/octo/',
      SYSTEM_TEAMPROJECTID: '0b7e4a52',
      BUILD_BUILDID: '7',
    },
    {
      sha: SHA,
      ref: 'refs/pull/12/merge',
      pull_request: '12',
      run_url: 'https://dev.azure.com/octo/0b7e4a52/_build/results?buildId=7',
    },
  ],
  [
    'Bitbucket',
    {
      BITBUCKET_BUILD_NUMBER: '7',
      BITBUCKET_COMMIT: SHA,
      BITBUCKET_TAG: 'main',
      BITBUCKET_REPO_FULL_NAME: 'octo/bot',
    },
    { sha: SHA, ref: 'refs/tags/main', run_url: 'https://bitbucket.org/octo/bot/pipelines/results/7' },
  ],
])('a run of a job of %s names commit, ref, pull request and the page of the job', (_system, env, meta) => {
  expect(metaOfJob({ env }, {})).toEqual(meta);
});

const GITLAB = {
  GITLAB_CI: 'true',
  CI_COMMIT_SHA: SHA,
  CI_COMMIT_REF_NAME: 'main',
  CI_MERGE_REQUEST_IID: '12',
  CI_PIPELINE_URL: 'https://gitlab.com/octo/bot/-/pipelines/7',
};

test('what the user names of commit, branch or page is not added', () => {
  for (const name of ['branch', 'ref', 'head_ref', 'pr', 'pull_request'])
    expect(Object.keys(metaOfJob({ env: GITLAB }, { [name]: 'x' }))).toEqual(['sha', 'run_url']);
  expect(metaOfJob({ env: GITLAB }, { commit: 'x', run_url: 'y' })).toEqual({
    ref: 'refs/heads/main',
    pull_request: '12',
  });
});

test('values of another form or length are left out, never cut short', () => {
  const env = {
    GITLAB_CI: 'true',
    CI_COMMIT_SHA: 'main',
    CI_COMMIT_REF_NAME: 'x'.repeat(1_025),
    CI_MERGE_REQUEST_IID: 'latest',
    CI_PIPELINE_URL: `https://${'x'.repeat(2_048)}`,
  };
  expect(metaOfJob({ env }, {})).toEqual({});
});

test('nothing is added outside of a CI system, nor in a job of GitHub', () => {
  expect(metaOfJob({ env: { CI_COMMIT_SHA: SHA } }, {})).toEqual({});
  expect(metaOfJob({ env: { ...GITLAB, GITHUB_ACTIONS: 'true' } }, {})).toEqual({});
});
