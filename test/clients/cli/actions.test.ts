import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Keyless, type KeylessOrganisation, startKeyless } from '../../functions/auth/keyless.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import type { Claims, Repository } from '../../support/oidc.ts';
import { ownTime, startHostile } from '../sdk/hostile.ts';
import { aPlace, type Place } from './cli.ts';

let keyless: Keyless;
let org: KeylessOrganisation;
let repository: Repository;
/** Of the next jobs, beside the usual ones. */
let claims: Claims = {};
/** What GitHub answers in place of a token, if not 200. */
let githubStatus = 200;
/** Gives tokens as GitHub does. */
let github: Server;
let place: Place;

beforeAll(async () => {
  keyless = await startKeyless();
  ({ org, repository } = await keyless.trusting());
  github = createServer((request, response) => {
    const aud = new URL(request.url ?? '', 'http://github').searchParams.get('audience');
    if (githubStatus !== 200)
      return void response.writeHead(githubStatus, { 'content-type': 'text/html' }).end('<html>');
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ value: org.tokenOf(repository, { aud, ...claims }) }));
  });
  github.listen(0, '127.0.0.1');
  await once(github, 'listening');
  const project = await makeProject(org.client, { slug: 'bot' });
  const suite = await makeSuite(org.client, project, { slug: 'returns' });
  const scorer = await makeScorer(org.client, project, { type: 'contains', config: { values: ['30 days'] } });
  await makeCase(org.client, suite, scorer, { name: 'window' });
});
afterAll(async () => {
  github.close();
  github.closeAllConnections();
  await keyless.stop();
});
beforeEach(() => {
  claims = {};
  githubStatus = 200;
  const { port } = github.address() as AddressInfo;
  place = aPlace({
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://127.0.0.1:${port}/token?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    // As workflows set it from a secret that a fork does not have.
    EVALGATE_API_KEY: '',
  });
  place.file('good.txt', 'within 30 days');
});

const RUN = ['run', 'returns', '--output', 'good.txt'];
const inEnvironment = () => ({ EVALGATE_URL: keyless.service.baseUrl, EVALGATE_ORG: org.id });

test('the job of a trusted repository runs a gate without a stored key', async () => {
  const { code, stdout } = await place.cli(RUN, { env: inEnvironment() });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^::notice title=evalgate%3A returns::cleared/m);
  place.remove();
});

test('of a pull request evalgate.yaml may name service and organisation, of a fork’s artifact not', async () => {
  place.file(
    'evalgate.yaml',
    `version: 1\nurl: ${keyless.service.baseUrl}\norganisation: ${org.id}\nproject: bot\n`,
  );
  expect(await place.cli(RUN)).toMatchObject({ code: 0 });
  for (const GITHUB_EVENT_NAME of ['workflow_run', 'pull_request_target', 'issue_comment']) {
    const { code, stderr } = await place.cli(RUN, { env: { GITHUB_EVENT_NAME } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('url, project, organisation would come from it'),
    });
  }
  place.remove();
});

test('a service that a fork’s artifact names gets nothing, and GitHub is asked for no token', async () => {
  const theirs = await startHostile();
  place.file('evalgate.yaml', `url: ${theirs.url}\norganisation: ${org.id}\nproject: bot\n`);
  const asked = { ACTIONS_ID_TOKEN_REQUEST_URL: `${theirs.url}/token` };
  for (const key of [{}, { EVALGATE_API_KEY: 'egk_abcdefghijklmnop' }]) {
    const env = { GITHUB_EVENT_NAME: 'workflow_run', ...asked, ...key };
    expect(await place.cli(RUN, { env })).toMatchObject({ code: 2 });
  }
  expect(theirs.seen).toEqual([]);
  await theirs.stop();
  place.remove();
});

test('a job that is not trusted, has no permission or no key prints what it lacks', async () => {
  const { id } = await keyless.organisation();
  const stranger = await place.cli(RUN, { env: { ...inEnvironment(), EVALGATE_ORG: id } });
  expect(stranger).toMatchObject({ code: 2, stderr: expect.stringContaining('Not trusted') });
  const unpermitted = await place.cli(RUN, { env: { ...inEnvironment(), ACTIONS_ID_TOKEN_REQUEST_URL: '' } });
  expect(unpermitted).toMatchObject({ code: 2, stderr: expect.stringContaining('id-token: write') });
  const keylessJob = await place.cli(RUN, { env: { EVALGATE_URL: keyless.service.baseUrl } });
  expect(keylessJob).toMatchObject({ code: 2, stderr: expect.stringContaining('EVALGATE_API_KEY is empty') });
  place.remove();
});

test.each([502, 401])(
  'a GitHub that answers %d in place of the token is named, and it is no verdict',
  async (status) => {
    githubStatus = status;
    const { code, stderr } = await place.cli(RUN, { env: inEnvironment(), clock: ownTime().environment });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        new RegExp(`GitHub answered HTTP ${status}\\n.*GitHub failed, and not evalgate`),
      ),
    });
    place.remove();
  },
);

test('doctor prints what the token of a job says and whether it is trusted, but not the token', async () => {
  const trusted = await place.cli(['doctor'], { env: inEnvironment() });
  expect(trusted).toMatchObject({ code: 0, stderr: '' });
  expect(trusted.stdout).toContain("✓ credential  GitHub's OIDC token\n");
  expect(trusted.stdout).toMatch(/^! OIDC token {2}repository .*, ref refs\/heads\/main, .*event_name /m);
  const { id } = await keyless.organisation();
  const stranger = await place.cli(['doctor'], { env: { ...inEnvironment(), EVALGATE_ORG: id } });
  expect(stranger.code).toBe(2);
  expect(stranger.stdout).toMatch(/^✗ identity {2}Not trusted: /m);
  expect(stranger.stdout).toContain(`repository ${repository.name}, `);
  expect(stranger.stdout + trusted.stdout).not.toMatch(/eyJ/);
  const unpermitted = await place.cli(['doctor'], {
    env: { ...inEnvironment(), ACTIONS_ID_TOKEN_REQUEST_URL: '' },
  });
  expect(unpermitted).toMatchObject({
    code: 2,
    stdout: expect.stringContaining('permissions: id-token: write'),
  });
  place.remove();
});

test('a clock that is 10 minutes off keeps a job out, and doctor names it', async () => {
  const seconds = Math.floor(Date.now() / 1_000) + 600;
  claims = { iat: seconds, nbf: seconds, exp: seconds + 300 };
  const { code, stderr } = await place.cli(RUN, { env: inEnvironment() });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringMatching(/Not trusted.*\n`evalgate doctor` tells .* whether a clock is wrong\./),
  });
  const { code: found, stdout } = await place.cli(['doctor'], { env: inEnvironment() });
  expect(found).toBe(2);
  expect(stdout).toMatch(/^✗ clock of the OIDC token {2}it differs from this machine's by \d{3} s$/m);
  place.remove();
});
