import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { json, useHostile } from '../sdk/hostile.ts';
import { aPlace, type Place, useGate } from './cli.ts';

const url = sharedServiceUrl();
const RUN = ['run', 'returns', '--output', 'good.txt'];
const [gated, theirs] = [useGate(), useHostile()];
let place: Place;
const places: Place[] = [];

const newPlace = (env: Record<string, string> = {}): Place => {
  const made = aPlace(env);
  made.file('good.txt', 'within 30 days');
  places.push(made);
  return made;
};
beforeEach(() => {
  place = newPlace();
  theirs.answers(json(200, { data: {} }));
});
afterAll(() => {
  for (const made of places) made.remove();
});

const credentialsFile = ({ home }: Place) => path.join(home, '.config/evalgate/credentials.json');
const logIn = (at: Place, service = url) =>
  at.cli(['login', '--url', service, '--with-key'], { stdin: `${gated.apiKey}\n` });

test('the url of a foreign evalgate.yaml never gets an API key, from any source', async () => {
  const inFile = `version: 1\nurl: ${theirs.url}\nproject: bot\n`;
  for (const command of [RUN, ['whoami'], ['runs'], ['wait', 'run_1'], ['results', 'run_1']]) {
    const fromEnvironment = newPlace({ EVALGATE_API_KEY: gated.apiKey });
    fromEnvironment.file('evalgate.yaml', inFile);
    const fromLogin = newPlace();
    expect(await logIn(fromLogin)).toMatchObject({ code: 0 });
    fromLogin.file('evalgate.yaml', inFile);
    for (const at of [fromEnvironment, fromLogin]) {
      const { code, stderr } = await at.cli(command);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('Only evalgate.yaml names'),
      });
    }
  }
  place.file('evalgate.yaml', inFile);
  const login = await place.cli(['login', '--with-key'], { stdin: gated.apiKey });
  expect(login).toMatchObject({ code: 2, stderr: expect.stringContaining('No service is named.') });
  expect(await place.cli(['signup', '--name', 'Me'])).toMatchObject({ code: 2 });
  expect(theirs.seen).toEqual([]);
});

test('a url of evalgate.yaml that the caller names, too, gets the key', async () => {
  place.file('evalgate.yaml', `version: 1\nurl: ${url}/\nproject: bot\n`);
  const env = { EVALGATE_API_KEY: gated.apiKey };
  expect(await place.cli(RUN, { env })).toMatchObject({ code: 2 });
  expect(await place.cli([...RUN, '--url', url], { env })).toMatchObject({ code: 0 });
  expect(await place.cli(RUN, { env: { ...env, EVALGATE_URL: url } })).toMatchObject({ code: 0 });
  await logIn(place);
  expect(await place.cli(RUN)).toMatchObject({ code: 0 });
});

test('a flag goes before the environment, that before evalgate.yaml, and that before the login', async () => {
  const nowhere = 'http://127.0.0.1:9';
  await logIn(place);
  expect(await place.cli(RUN)).toMatchObject({ code: 0 });
  place.file('evalgate.yaml', `version: 1\nurl: ${nowhere}\nproject: no-such\n`);
  const env = { EVALGATE_URL: nowhere, EVALGATE_PROJECT: 'other', EVALGATE_API_KEY: gated.apiKey };
  expect(await place.cli([...RUN, '--url', url, '--project', 'bot'], { env })).toMatchObject({ code: 0 });
  const fromEnvironment = await place.cli(RUN, { env: { EVALGATE_URL: url } });
  expect(fromEnvironment).toMatchObject({ code: 2, stderr: expect.stringContaining('No such suite') });
  const project = { EVALGATE_URL: url, EVALGATE_PROJECT: 'bot' };
  expect(await place.cli(RUN, { env: project })).toMatchObject({ code: 0 });
});

test('evalgate.yaml is found in a folder above, and not outside of the repository', async () => {
  const outer = newPlace({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey });
  outer.file('evalgate.yaml', 'version: 1\nproject: no-such\n');
  const inner = { ...outer, folder: path.join(outer.folder, 'packages') };
  mkdirSync(inner.folder);
  const run = () =>
    outer.cli(['run', 'returns', '--output', path.join(outer.folder, 'good.txt')], { cwd: inner.folder });
  expect(await run()).toMatchObject({ code: 2 });
  mkdirSync(path.join(inner.folder, '.git'));
  expect(await run()).toMatchObject({ code: 0 });
});

test('in jobs that a fork may have prepared, evalgate.yaml decides nothing', async () => {
  place.file('evalgate.yaml', 'version: 1\nproject: bot\n');
  const key = { EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey };
  const run = (event: string, env = {}) =>
    place.cli(RUN, { env: { ...key, GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: event, ...env } });
  for (const event of ['pull_request_target', 'workflow_run', 'issue_comment', '']) {
    const refused = await run(event);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('EVALGATE_PROJECT') });
    expect(await run(event, { EVALGATE_PROJECT: 'bot' })).toMatchObject({ code: 0 });
  }
  expect(await run('pull_request')).toMatchObject({ code: 0 });
});

test('a login is kept where only its owner can read it, one for each service', async () => {
  const login = await logIn(place);
  expect(login).toEqual({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Logged in to .* as With the CLI/),
  });
  const file = credentialsFile(place);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).services)).toEqual([url]);
  const whoami = await place.cli(['whoami']);
  expect(whoami.stdout).toContain(`organisation  With the CLI  ${gated.orgId}  free`);
  expect(login.stderr + whoami.stdout + whoami.stderr).not.toContain(gated.apiKey.slice(4));
  expect(await place.cli(['logout'])).toMatchObject({ code: 0 });
  expect(readFileSync(file, 'utf8')).not.toContain('egk_');
  expect(await place.cli(['whoami'])).toMatchObject({ code: 2 });
});

test('a login that others can read is refused, and stays as it is', async () => {
  await logIn(place);
  chmodSync(credentialsFile(place), 0o640);
  for (const command of [['whoami'], ['logout'], RUN]) {
    const { code, stderr } = await place.cli(command);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('chmod 600') });
  }
  const env = { EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey };
  expect(await place.cli(['whoami'], { env })).toMatchObject({ code: 0 });
});

test('a key that the service does not take is not kept', async () => {
  const wrong = await place.cli(['login', '--url', url, '--with-key'], { stdin: 'egk_wrongwrongwrong' });
  expect(wrong.code).toBe(2);
  expect(wrong.stdout + wrong.stderr).not.toContain('wrongwrong');
  expect(await place.cli(['whoami'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No service'),
  });
});

test('signup keeps the key and prints it once', async () => {
  const { code, stdout, stderr } = await place.cli(['signup', '--url', url, '--name', 'Octo']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^egk_\w+\n$/);
  expect(stderr).not.toContain(stdout.trim());
  expect((await place.cli(['whoami', '--json'])).stdout).toContain('"name": "Octo"');
  const again = await place.cli(['signup', '--url', url, '--name', 'Octo']);
  expect(again).toMatchObject({ code: 2, stdout: '' });
  expect(readFileSync(credentialsFile(place), 'utf8')).toContain(stdout.trim());
});

test('a key in a wrong place is not sent and not printed', async () => {
  const wrong: [readonly string[], Record<string, string>][] = [
    [['whoami', '--url', gated.apiKey], {}],
    [['whoami', '--api-key', gated.apiKey], {}],
    [[gated.apiKey], {}],
    [['run', 'returns', gated.apiKey, '--output', 'good.txt'], {}],
    [['run', gated.apiKey, '--output', 'good.txt', '--url', url], { EVALGATE_API_KEY: gated.apiKey }],
    [[...RUN, '--meta', `key=${gated.apiKey}`, '--url', url], { EVALGATE_API_KEY: gated.apiKey }],
    [RUN, { EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey, EVALGATE_PROJECT: gated.apiKey }],
    [RUN, { EVALGATE_URL: url, EVALGATE_ORG: gated.apiKey, GITHUB_ACTIONS: 'true' }],
    [['whoami'], { EVALGATE_URL: gated.apiKey, EVALGATE_API_KEY: url }],
    [['whoami', '--url', url], { EVALGATE_API_KEY: `"${gated.apiKey}\n"` }],
  ];
  const before = (await gated.gate.runs.list(gated.suiteId).page()).pagination?.total;
  for (const [args, env] of wrong) {
    const { code, stdout, stderr } = await place.cli(args, { env });
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain(gated.apiKey.slice(4));
  }
  expect((await gated.gate.runs.list(gated.suiteId).page()).pagination?.total).toBe(before);
  place.file('evalgate.yaml', `version: 1\nurl: ${url}\napi_key: ${gated.apiKey}\n`);
  const inFile = await place.cli(['whoami']);
  expect(inFile).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^evalgate\.yaml:3:10: error: holds an API key/),
  });
  expect(inFile.stderr).not.toContain(gated.apiKey.slice(4));
});

test('an API key does not travel over http to another machine', async () => {
  const env = { EVALGATE_API_KEY: gated.apiKey };
  const { code, stderr } = await place.cli(['whoami', '--url', 'http://gate.example.com'], { env });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('https://gate.example.com') });
});
