import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aRepository, type Claims, type Repository } from '../../support/oidc.ts';
import { decoded } from '../../support/tokenKeys.ts';
import { expectLacking, expectRefused, expectToken, type Keyless, startKeyless } from './keyless.ts';
import { pushing, SUITES, trustGates, workflowRef } from './pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

const MAIN = 'refs/heads/main';
const PULL = { event_name: 'pull_request', ref: 'refs/pull/7/merge', base_ref: 'main', head_ref: 'feature' };
const event = (event_name: unknown): Claims => ({ event_name });

describe('a job of the repository does not get the scope suites, and the error names the reason, where', () => {
  const EVENTS = /^Only jobs of the events push, workflow_dispatch and schedule get the scope "suites"/;
  const PROTECTED = /^Only jobs of a protected branch get the scope "suites": protect the branch at GitHub/;
  const NONE = /^No registration of the scope "suites" is for this job: add one that names its repository/;
  test.each<readonly [title: string, sentence: RegExp, claims: Claims]>([
    ['it is of a pull request', EVENTS, PULL],
    ['a pull request says the ref of the branch', EVENTS, { ...PULL, ref: MAIN }],
    ['it is of pull_request_target, which has the branch as ref', EVENTS, event('pull_request_target')],
    ['it is of a comment, which has the branch as ref', EVENTS, event('issue_comment')],
    ['it is of workflow_run, which has the branch as ref', EVENTS, event('workflow_run')],
    ['it is of a review', EVENTS, event('pull_request_review')],
    ['it is of an issue', EVENTS, event('issues')],
    ['it is of a release', EVENTS, { ...event('release'), ref: 'refs/tags/v1' }],
    [
      'it is of a merge queue',
      EVENTS,
      { ...event('merge_group'), ref: 'refs/heads/gh-readonly-queue/main/1' },
    ],
    ['it is of an event from outside', EVENTS, event('repository_dispatch')],
    ['it is of an event that nobody knows', EVENTS, event('pushed')],
    ['the event is written otherwise', EVENTS, event('Push')],
    ['the event is a list', EVENTS, event(['push'])],
    ['the event is empty', EVENTS, event('')],
    ['the event is not said', EVENTS, event(undefined)],
    ['the branch is not protected', PROTECTED, { ref_protected: 'false' }],
    ['the branch is not protected, as no text', PROTECTED, { ref_protected: false }],
    ['the branch is not protected, in other letters', PROTECTED, { ref_protected: 'FALSE' }],
    ['nothing certain is said of the branch', PROTECTED, { ref_protected: null }],
    ['nothing is said of the branch', PROTECTED, { ref_protected: undefined }],
    ['the branch is another', NONE, { ref: 'refs/heads/feature' }],
    ['the branch only begins like it', NONE, { ref: 'refs/heads/main2' }],
    ['the branch is written otherwise', NONE, { ref: 'refs/heads/Main' }],
    ['a tag has the name of the branch', NONE, { ref: 'refs/tags/main', ref_type: 'tag' }],
    ['the workflow is another', NONE, workflowRef({ name: 'octo-org/x' } as Repository, 'push.yml')],
    ['the environment is another', NONE, { environment: 'staging' }],
    ['no environment is said', NONE, { environment: undefined }],
  ])('%s', async (_, sentence, claims) => {
    const { tokenOf, org, repository, registration } = await pushing(keyless, { environment: 'bar' });
    const token = tokenOf({ environment: 'bar', ...claims });
    expectLacking(await keyless.exchange(token, SUITES), sentence);
    expect(await org.registrations()).toEqual([registration]);
    // A job may always run gates where it is trusted with them, with the token that it has.
    expect((await trustGates(org.client, repository)).status).toBe(201);
    expectLacking(await keyless.exchange(token, SUITES), sentence);
    expect(decoded(expectToken(await keyless.exchange(token)), 1).scope).toBe('run');
    expectToken(await keyless.exchange(tokenOf({ environment: 'bar' }), SUITES));
  });

  test.each(['refs/heads/feature', 'refs/tags/main', 'main', ''])(
    'its workflow is the registered file as %j has it',
    async (ref) => {
      const { ask, repository } = await pushing(keyless);
      expectLacking(await ask(workflowRef(repository, 'push.yml', ref)), NONE);
      expectToken(await ask());
    },
  );

  test('its workflow is another file of the repository, also one that calls the registered one', async () => {
    const { ask, repository } = await pushing(keyless);
    const { workflow_ref } = workflowRef(repository);
    const gate = workflowRef(repository, 'gate.yml');
    expectLacking(await ask({ ...gate, job_workflow_ref: workflow_ref }), NONE);
    expectToken(await ask());
  });
});

describe('the same 401 as for no credential at all meets', () => {
  const another = (owner = 'octo-org') => aRepository(`${owner}/other-${crypto.randomUUID().slice(0, 8)}`);
  const fork = ({ name }: Repository) => aRepository(name.replace('octo-org', 'forker'));

  test.each<readonly [title: string, of: (own: Repository) => Repository, claims: Claims]>([
    ['a fork', fork, {}],
    ['the pull request of a fork, in the name of the fork', fork, PULL],
    ['another repository of the organisation', ({ ownerId }) => ({ ...another(), ownerId }), {}],
    ['a repository whose name goes on', ({ name }) => aRepository(`${name}-2`), {}],
    [
      'a job that only its subject makes one of the repository',
      () => another(),
      { sub: 'repo:octo-org/app' },
    ],
  ])('%s', async (_, of, claims) => {
    const { ask, org, repository, registration } = await pushing(keyless);
    expectRefused(await ask(claims, of(repository)));
    expect(await org.registrations()).toEqual([registration]);
  });

  test('a workflow of another repository of the organisation, which has none of its own registered', async () => {
    const { ask, repository } = await pushing(keyless);
    expectRefused(await ask({ ...workflowRef(repository) }, another()));
  });

  test('a repository that was made again under the name, once the registration is bound', async () => {
    const { ask, repository } = await pushing(keyless);
    expectToken(await ask());
    const again = { ...aRepository(repository.name), ownerId: repository.ownerId };
    expectRefused(await ask({}, again));
    expectToken(await ask());
  });

  test('a token that was spent for the other scope', async () => {
    const { org, repository, tokenOf } = await pushing(keyless);
    await trustGates(org.client, repository);
    const token = tokenOf();
    expectToken(await keyless.exchange(token));
    expectRefused(await keyless.exchange(token, SUITES));
  });
});
