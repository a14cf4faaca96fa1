import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { githubOidc } from '../../../clients/sdk/githubOidc.ts';
import { CredentialError } from '../../../clients/sdk/index.ts';
import { type Keyless, startKeyless } from '../../functions/auth/keyless.ts';
import { pushing } from '../../functions/auth/pushing.ts';
import { aRepository } from '../../support/oidc.ts';
import { clientOf, failureOf } from './hostile.ts';

let keyless: Keyless;
/** Gives tokens as GitHub does: `status` is what it answers, and `token` makes one for an audience. */
let github: Server;
const answers: { statuses: number[]; body?: string | undefined; token: (audience: string) => string } = {
  statuses: [],
  token: () => '',
};
let asked = 0;

beforeAll(async () => {
  keyless = await startKeyless();
  github = createServer((request, response) => {
    asked++;
    const { searchParams } = new URL(request.url ?? '', 'http://github');
    const status =
      request.headers.authorization === 'Bearer of-the-job' ? (answers.statuses.shift() ?? 200) : 401;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (answers.body !== undefined) return void response.end(answers.body);
    response.end(JSON.stringify({ value: answers.token(searchParams.get('audience') ?? '') }));
  });
  await new Promise<void>((resolve) => void github.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  github.close();
  github.closeAllConnections();
  await keyless.stop();
});

function jobOf(
  organisation: string,
  variables: Record<string, string> = {},
  options: Parameters<typeof githubOidc>[0] = {},
) {
  const { port } = github.address() as AddressInfo;
  const all: Record<string, string> = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    EVALGATE_ORG: organisation,
    ...variables,
  };
  asked = 0;
  return clientOf(keyless.service.baseUrl, {
    apiKey: githubOidc(options),
    environment: { variable: (name) => all[name] },
  });
}

test('a job gets in without a stored key, with a new token of GitHub for every try', async () => {
  const { org, repository } = await keyless.trusting();
  const used = org.tokenOf(repository);
  await keyless.exchange(used);
  answers.statuses = [503, 200];
  answers.token = (audience) => {
    expect(audience).toBe(`evalgate:${org.id}`);
    return org.tokenOf(repository);
  };
  const { gate, time } = jobOf(org.id);
  const failure = await failureOf(gate.runs.get('run_x'));
  expect(failure).toMatchObject({ status: 404 });
  expect([asked, time.pauses]).toEqual([2, [250]]);
  await failureOf(gate.runs.get('run_x'));
  expect(asked).toBe(2);
});

test('a job gets the scope that it asks for, or an error that says what it lacks', async () => {
  const { ask, org, project, tokenOf } = await pushing(keyless);
  answers.token = () => tokenOf();
  const { gate } = jobOf(org.id, {}, { scope: 'suites' });
  expect(await gate.auth.whoami()).toMatchObject({ scope: 'suites', project: { id: project.id } });
  answers.token = () => tokenOf({ event_name: 'pull_request_target' });
  const failure = await failureOf(jobOf(org.id, {}, { scope: 'suites' }).gate.auth.whoami());
  expect(failure).toMatchObject({ status: 403, code: 'SCOPE_REQUIRED' });
  expect(failure.message).toBe((await ask({ event_name: 'workflow_run' })).body.error.message);
});

test('a job that no registration trusts gets an error that says what to look at', async () => {
  const { org } = await keyless.trusting();
  answers.token = () => org.tokenOf(aRepository());
  const failure = await failureOf(jobOf(org.id).gate.runs.get('run_x'));
  expect(failure).toBeInstanceOf(CredentialError);
  expect(failure).toMatchObject({ status: 401, message: expect.stringContaining('repository') });
  expect(asked).toBe(1);
});

test('a job without the permission gets an error that names the one it needs', async () => {
  const { org } = await keyless.trusting();
  const failure = await failureOf(jobOf(org.id, { ACTIONS_ID_TOKEN_REQUEST_URL: '' }).gate.runs.get('run_x'));
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
    const { org } = await keyless.trusting();
    answers.statuses = Array.from({ length: 5 }, () => status);
    answers.body = body;
    const failure = await failureOf(jobOf(org.id).gate.runs.get('run_x'));
    answers.statuses = [];
    answers.body = undefined;
    expect(failure).toMatchObject({ status, code: `GITHUB_${status}`, message });
  },
);

test('without an organisation there is nothing to ask for', async () => {
  const failure = await failureOf(jobOf('').gate.runs.get('run_x'));
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure.message).toContain('EVALGATE_ORG');
});
