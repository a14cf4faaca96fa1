import { beforeEach, expect, test } from '@jest/globals';
import type { Claims } from '../../support/oidc.ts';
import { REPOSITORY } from '../action/payloads.ts';
import { useGate, useWorld } from '../action/world.ts';
import { ownTime, startHostile } from '../sdk/hostile.ts';
import { aGate, aPlace, type Place } from './cli.ts';

const world = useWorld();
const gate = useGate(world);
/** Of the next jobs, beside the usual ones. */
let claims: Claims;
let place: Place;
beforeEach(() => {
  claims = {};
  world.github.token = (aud) => gate.token({ aud, ...claims });
  place = aPlace({
    GITHUB_ACTIONS: 'true',
    GITHUB_EVENT_NAME: 'pull_request',
    ACTIONS_ID_TOKEN_REQUEST_URL: world.github.oidcUrl,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-job',
    // As workflows set it from a secret that a fork does not have.
    EVALGATE_API_KEY: '',
  });
  place.file('good.txt', 'within 30 days');
});

const RUN = ['run', 'returns', '--output', 'good.txt'];
const inEnvironment = () => ({ EVALGATE_URL: world.url, EVALGATE_ORG: gate.orgId });

test('the job of a trusted repository runs a gate without a stored key', async () => {
  const { code, stdout } = await place.cli(RUN, { env: inEnvironment() });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^::notice title=evalgate%3A returns::cleared/m);
  place.remove();
});

test('of a pull request evalgate.yaml may name service and organisation, of a fork’s artifact not', async () => {
  place.file('evalgate.yaml', `version: 1\nurl: ${world.url}\norganisation: ${gate.orgId}\nproject: bot\n`);
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

test('a service that a fork’s artifact names gets nothing, and no token is requested of GitHub', async () => {
  const theirs = await startHostile();
  place.file('evalgate.yaml', `url: ${theirs.url}\norganisation: ${gate.orgId}\nproject: bot\n`);
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
  const { orgId } = await aGate(world.url);
  const stranger = await place.cli(RUN, { env: { ...inEnvironment(), EVALGATE_ORG: orgId } });
  expect(stranger).toMatchObject({ code: 2, stderr: expect.stringContaining('Not trusted') });
  const unpermitted = await place.cli(RUN, { env: { ...inEnvironment(), ACTIONS_ID_TOKEN_REQUEST_URL: '' } });
  expect(unpermitted).toMatchObject({ code: 2, stderr: expect.stringContaining('id-token: write') });
  const keylessJob = await place.cli(RUN, { env: { EVALGATE_URL: world.url } });
  expect(keylessJob).toMatchObject({ code: 2, stderr: expect.stringContaining('EVALGATE_API_KEY is empty') });
  place.remove();
});

test.each([502, 401])(
  'a GitHub that answers %d in place of the token is named, and it is no verdict',
  async (status) => {
    world.github.oidcAnswers = [[status, '<html>']];
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

test('doctor prints the claims of a job’s token and whether it is trusted, but not the token', async () => {
  const trusted = await place.cli(['doctor'], { env: inEnvironment() });
  expect(trusted).toMatchObject({ code: 0, stderr: '' });
  expect(trusted.stdout).toContain("✓ credential  GitHub's OIDC token\n");
  expect(trusted.stdout).toMatch(/^! OIDC token {2}repository .*, ref refs\/heads\/main, .*event_name /m);
  const { orgId } = await aGate(world.url);
  const stranger = await place.cli(['doctor'], { env: { ...inEnvironment(), EVALGATE_ORG: orgId } });
  expect(stranger.code).toBe(2);
  expect(stranger.stdout).toMatch(/^✗ identity {2}Not trusted: /m);
  expect(stranger.stdout).toContain(`repository ${REPOSITORY.name}, `);
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
    stderr: expect.stringMatching(/Not trusted.*\n`evalgate doctor` shows .* whether a clock is wrong\./),
  });
  const { code: found, stdout } = await place.cli(['doctor'], { env: inEnvironment() });
  expect(found).toBe(2);
  expect(stdout).toMatch(/^✗ clock of the OIDC token {2}it differs from this machine's by \d{3} s$/m);
  place.remove();
});
