import { createRequire } from 'node:module';

// biome-ignore lint/suspicious/noExplicitAny: payloads are GitHub's, and a test changes what it needs
export type Payload = any;

const definitions: readonly { readonly name: string; readonly examples: readonly Payload[] }[] =
  createRequire(import.meta.url)('@octokit/webhooks-examples');

/** A payload as GitHub sent it once, to be changed. */
function exampleOf(name: string, matches: (payload: Payload) => boolean = () => true): Payload {
  const found = definitions.find((definition) => definition.name === name)?.examples.find(matches);
  if (found === undefined) throw new Error(`No example of ${name}.`);
  return structuredClone(found);
}

export const REPOSITORY = { name: 'Codertocat/Hello-World', id: '186853002', ownerId: '21031067' };
export const HEAD_SHA = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';
/** Of the commit that is checked out. */
export const MERGE_SHA = '7d444840a9c1f0b6a3b8f5f8f0f4c4a2d0c7e1ab';

/** All of one repository, which is private unless a test says otherwise. */
function ofRepository(payload: Payload): Payload {
  const { repository } = exampleOf('push');
  return { ...payload, repository: { ...repository, private: true, visibility: 'private' } };
}

/** Number 2, from a branch of the repository itself. */
export const pullRequest = (): Payload =>
  ofRepository(exampleOf('pull_request', ({ action }) => action === 'opened'));

export function forkPullRequest(): Payload {
  const payload = pullRequest();
  payload.pull_request.head.repo = {
    ...payload.pull_request.head.repo,
    id: 999_000_111,
    full_name: 'stranger/Hello-World',
    fork: true,
  };
  return payload;
}

/** The fork was deleted. */
export function orphanPullRequest(): Payload {
  const payload = pullRequest();
  payload.pull_request.head.repo = null;
  return payload;
}

export const push = (): Payload => ofRepository(exampleOf('push'));

/** Of a fork's pull request: the payload names none. */
export function workflowRun(): Payload {
  const payload = ofRepository(exampleOf('workflow_run', ({ action }) => action === 'completed'));
  payload.workflow_run.head_sha = HEAD_SHA;
  payload.workflow_run.event = 'pull_request';
  payload.workflow_run.pull_requests = [];
  return payload;
}

export const mergeGroup = (): Payload => ofRepository(exampleOf('merge_group'));

/** On pull request 2. */
export function issueComment(): Payload {
  const payload = ofRepository(exampleOf('issue_comment', ({ action }) => action === 'created'));
  const url = 'https://api.github.com/repos/Codertocat/Hello-World/pulls/2';
  Object.assign(payload.issue, { number: 2, pull_request: { url } });
  return payload;
}

export const schedule = (): Payload => ofRepository({ schedule: '30 5 * * 1-5' });
