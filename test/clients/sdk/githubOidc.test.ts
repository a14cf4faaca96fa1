import { beforeEach, expect, test } from '@jest/globals';
import { githubOidc } from '../../../clients/sdk/githubOidc.ts';
import { CredentialError } from '../../../clients/sdk/index.ts';
import { REPOSITORY } from '../action/payloads.ts';
import { useGate, useWorld } from '../action/world.ts';
import { clientOf, failureOf } from './hostile.ts';

const world = useWorld();
const gate = useGate(world);
beforeEach(() => {
  world.github.token = (aud) => gate.token({ aud });
});

/** A client of a job, with these variables beside the usual ones. */
function jobOf(variables: Record<string, string> = {}, options: Parameters<typeof githubOidc>[0] = {}) {
  const all: Record<string, string> = {
    ACTIONS_ID_TOKEN_REQUEST_URL: world.github.oidcUrl,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    EVALGATE_ORG: gate.orgId,
    ...variables,
  };
  return clientOf(world.url, {
    apiKey: githubOidc(options),
    environment: { variable: (name) => all[name] },
  });
}

test('a job gets in without a stored key, with a new token of GitHub for every try', async () => {
  world.github.oidcAnswers = [
    [503, {}],
    [200, undefined],
  ];
  const audiences: string[] = [];
  world.github.token = (aud) => {
    audiences.push(aud);
    return gate.token({ aud });
  };
  const { gate: job, time } = jobOf();
  expect(await failureOf(job.runs.get('run_x'))).toMatchObject({ status: 404 });
  expect([world.github.oidcRequests, time.pauses]).toEqual([2, [250]]);
  await failureOf(job.runs.get('run_x'));
  expect([world.github.oidcRequests, audiences]).toEqual([2, [`evalgate:${gate.orgId}`]]);
});

test('a job gets the scope that it requests, or an error that names what it lacks', async () => {
  const named = { scope: 'suites', project: 'bot', ref: 'refs/heads/main', workflow: 'gate.yml' } as const;
  await gate.client.trustedIssuers.create({ repository: REPOSITORY.name, ...named });
  const { gate: job } = jobOf({}, { scope: 'suites' });
  expect(await job.auth.whoami()).toMatchObject({ scope: 'suites', project: { slug: 'bot' } });
  world.github.token = (aud) => gate.token({ aud, event_name: 'pull_request_target' });
  const failure = await failureOf(jobOf({}, { scope: 'suites' }).gate.auth.whoami());
  expect(failure).toMatchObject({ status: 403, code: 'SCOPE_REQUIRED' });
  expect(failure.message).toContain(
    'Only jobs of the events push, workflow_dispatch and schedule get the scope "suites"',
  );
});

test('a job that no registration trusts gets an error that names what to check', async () => {
  world.github.token = (aud) => gate.token({ aud, repository: 'octo-org/other', repository_id: '1' });
  const failure = await failureOf(jobOf().gate.runs.get('run_x'));
  expect(failure).toBeInstanceOf(CredentialError);
  expect(failure).toMatchObject({ status: 401, message: expect.stringContaining('repository') });
  expect(world.github.oidcRequests).toBe(1);
});

test('a job without the permission gets an error that names the one it needs', async () => {
  const failure = await failureOf(jobOf({ ACTIONS_ID_TOKEN_REQUEST_URL: '' }).gate.runs.get('run_x'));
  expect(failure).toBeInstanceOf(CredentialError);
  expect(failure.message).toContain('id-token: write');
});

test.each([
  [502, '<html>Unicorn!</html>', 'GitHub answered HTTP 502'],
  [401, '{"message":"Bad credentials"}', 'GitHub answered HTTP 401: Bad credentials'],
  [200, '{}', 'GitHub answered HTTP 200: {}'],
])(
  'a GitHub that answers %d instead of a token is named, without advice to register',
  async (status, body, message) => {
    world.github.oidcAnswers = [[status, body]];
    const failure = await failureOf(jobOf().gate.runs.get('run_x'));
    expect(failure).toMatchObject({ status, code: `GITHUB_${status}`, message });
  },
);

test('without an organisation there is nothing to ask for', async () => {
  const failure = await failureOf(jobOf({ EVALGATE_ORG: '' }).gate.runs.get('run_x'));
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure.message).toContain('EVALGATE_ORG');
});
