import { randomUUID } from 'node:crypto';
import type { Claims } from './oidc.ts';

export const SHA = '714a629c0b401fdce83e847fc9589983fc6f46bc';

const times = (nowMs: number, seconds: number): Claims => {
  const iat = Math.floor(nowMs / 1_000);
  return { iat, nbf: iat - 5, exp: iat + seconds };
};

/** The claims of a job, as its system documents them; `nowMs` is the time of its token. */
export type JobOf = (orgId: string, more?: Claims, nowMs?: number) => Claims;

/** `namespace_id` and `project_id` are numbers as texts; a token lives as long as the job may. */
export const gitlabJob: JobOf = (orgId, more = {}, nowMs = Date.now()) => ({
  namespace_id: '72',
  namespace_path: 'my-group',
  project_id: '20',
  project_path: 'my-group/my-project',
  user_id: '1',
  user_login: 'sample-user',
  user_email: 'sample-user@example.com',
  user_access_level: 'developer',
  job_project_id: '20',
  job_project_path: 'my-group/my-project',
  job_namespace_id: '72',
  job_namespace_path: 'my-group',
  pipeline_id: '574',
  pipeline_source: 'push',
  job_id: '302',
  ref: 'main',
  ref_type: 'branch',
  ref_path: 'refs/heads/main',
  ref_protected: 'true',
  runner_id: 1,
  runner_environment: 'self-hosted',
  sha: SHA,
  ci_config_ref_uri: 'gitlab.example.com/my-group/my-project//.gitlab-ci.yml@refs/heads/main',
  ci_config_sha: SHA,
  project_visibility: 'private',
  jti: randomUUID(),
  sub: 'project_path:my-group/my-project:ref_type:branch:ref:main',
  aud: `evalgate:${orgId}`,
  ...times(nowMs, 86_400),
  ...more,
});

/** A merge request from a fork, as servers since 18.4 have it: the first project is the fork's. */
export const GITLAB_FORK: Claims = {
  pipeline_source: 'merge_request_event',
  project_id: '31',
  project_path: 'stranger/my-project',
  namespace_id: '99',
  job_project_id: '20',
};

export const buildkiteJob: JobOf = (orgId, more = {}, nowMs = Date.now()) => ({
  sub: `organization:acme-inc:pipeline:super-duper-app:ref:refs/heads/main:commit:${SHA}:step:build`,
  aud: `evalgate:${orgId}`,
  organization_slug: 'acme-inc',
  pipeline_slug: 'super-duper-app',
  pipeline_id: '0184990a-4770-4f11-9cf4-6bbbf4f0fbd9',
  build_number: 1,
  build_branch: 'main',
  build_commit: SHA,
  build_source: 'webhook',
  step_key: 'build',
  job_id: '0184990a-477b-4fa8-9968-496074483cee',
  agent_id: '0184990a-4782-42b5-afc1-16715b10b8ff',
  runner_environment: 'buildkite-hosted',
  ...times(nowMs, 300),
  ...more,
});

const CIRCLE_ORG = 'c9035eb6-6eb2-4c85-8a81-d9ed6a1d1d1e';
const CIRCLE_PROJECT = '3a2f5b1c-7d4e-4f6a-9b8c-0d1e2f3a4b5c';

export const circleciJob: JobOf = (orgId, more = {}, nowMs = Date.now()) => ({
  sub: `org/${CIRCLE_ORG}/project/${CIRCLE_PROJECT}/user/5e6f7a8b-9c0d-4e1f-a2b3-c4d5e6f7a8b9`,
  aud: `evalgate:${orgId}`,
  'oidc.circleci.com/context-ids': ['7b6a5c4d-3e2f-4a1b-8c9d-0e1f2a3b4c5d'],
  'oidc.circleci.com/job-id': '1f2e3d4c-5b6a-4978-8695-a4b3c2d1e0f9',
  'oidc.circleci.com/org-id': CIRCLE_ORG,
  'oidc.circleci.com/pipeline-id': '9f8e7d6c-5b4a-4c3d-8e2f-1a0b9c8d7e6f',
  'oidc.circleci.com/project-id': CIRCLE_PROJECT,
  'oidc.circleci.com/ssh-rerun': false,
  'oidc.circleci.com/vcs-origin': 'github.com/octo/widgets',
  'oidc.circleci.com/vcs-ref': 'refs/heads/main',
  'oidc.circleci.com/workflow-id': '2b3c4d5e-6f7a-4b8c-9d0e-1f2a3b4c5d6e',
  ...times(nowMs, 3_600),
  ...more,
});

/** By the templates that the plugin has at first. It writes no `typ`, and no `jti`. */
export const jenkinsJob: JobOf = (orgId, more = {}, nowMs = Date.now()) => ({
  sub: 'https://jenkins.example.com/job/gates/job/returns/',
  aud: `evalgate:${orgId}`,
  build_number: 42,
  ...times(nowMs, 3_600),
  nbf: undefined,
  ...more,
});
