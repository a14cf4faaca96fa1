import { chmodSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { html, json, startHostile, useHostile } from '../sdk/hostile.ts';
import { aPlace, type Place, useGate } from './cli.ts';

const url = sharedServiceUrl();
const [gated, stranger] = [useGate(), useHostile()];
let place: Place;
beforeEach(() => {
  place = aPlace({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey, EVALGATE_RETRIES: '0' });
  place.file('evalgate.yaml', 'version: 1\nproject: bot\n');
});
afterEach(() => place.remove());

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly said: string;
  readonly hint?: string;
}

/** The findings by their checks, beside the exit code. */
async function examined(env: Record<string, string> = {}, args: readonly string[] = []) {
  const { code, stdout, stderr } = await place.cli(['doctor', '--json', ...args], { env });
  expect(stdout + stderr).not.toContain(gated.apiKey.slice(4));
  expect(stderr).not.toMatch(/^\s+at /m);
  const findings: Finding[] = JSON.parse(stdout);
  return { code, by: Object.fromEntries(findings.map((finding) => [finding.check, finding])) };
}

test('doctor ends with 0 where all is well, one line for each check', async () => {
  const { code, stdout, stderr } = await place.cli(['doctor']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.map((line) => line.split('  ')[0])).toEqual([
    '✓ program',
    '✓ evalgate.yaml',
    '✓ GitHub Actions',
    '✓ proxy',
    '✓ service',
    '✓ credential',
    '✓ connection',
    '✓ version',
    '✓ clock',
    '✓ identity',
    '✓ project',
  ]);
  expect(lines).toContain(`✓ service  ${url} in EVALGATE_URL`);
  expect(lines).toContain('✓ credential  API key from EVALGATE_API_KEY');
  expect(lines).toContain('✓ project  bot');
});

test('doctor prints what of the settings is wrong, and ends with 2', async () => {
  const nothing = await examined({ EVALGATE_URL: '', EVALGATE_API_KEY: '' });
  expect(nothing).toMatchObject({
    code: 2,
    by: { service: { status: 'change', said: 'No service is named.' } },
  });
  const plain = await examined({ EVALGATE_URL: 'http://gate.example.com' });
  expect(plain).toMatchObject({
    code: 2,
    by: { service: { hint: expect.stringContaining('https://gate.example.com') } },
  });
  place.file('evalgate.yaml', 'version: 1\nprojct: bot\n');
  expect(await examined()).toMatchObject({
    code: 2,
    by: {
      'evalgate.yaml': {
        status: 'change',
        said: expect.stringMatching(/^evalgate\.yaml:2:1: error: projct is not/),
      },
    },
  });
  place.file('evalgate.yaml', `version: 1\napi_key: ${gated.apiKey}\n`);
  const { code, by } = await examined();
  expect([code, by['evalgate.yaml']?.said]).toEqual([2, expect.stringContaining('holds an API key')]);
});

test('doctor sends no key to a service that only evalgate.yaml names', async () => {
  stranger.answers(json(200, { status: 'ok', version: '0.1.0' }));
  place.file('evalgate.yaml', `version: 1\nurl: ${stranger.url}\n`);
  const { code, by } = await examined({ EVALGATE_URL: '' });
  expect([code, by.credential?.status]).toEqual([2, 'change']);
  expect(stranger.seen.map((seen) => seen.headers.authorization)).toEqual([undefined]);
});

test('doctor names a login that others can read, and where a good one is kept', async () => {
  const stdin = gated.apiKey;
  await place.cli(['login', '--with-key', '--url', url], { stdin });
  const file = path.join(place.home, '.config/evalgate/credentials.json');
  const alone = { EVALGATE_URL: '', EVALGATE_API_KEY: '' };
  const good = await examined(alone);
  expect([good.code, good.by.credential?.said]).toEqual([0, `API key from the login (${file}, mode 0600)`]);
  chmodSync(file, 0o644);
  expect(await examined(alone)).toMatchObject({
    code: 2,
    by: { service: { hint: expect.stringContaining(`chmod 600 ${file}`) } },
  });
});

test('doctor reports a key that the service refuses, and a project that does not exist or is not its own', async () => {
  const wrong = await examined({ EVALGATE_API_KEY: 'egk_wrong' });
  expect(wrong).toMatchObject({ code: 2, by: { identity: { status: 'change' } } });
  const other = await examined({}, ['--project', 'none']);
  expect(other).toMatchObject({ code: 2, by: { project: { status: 'change', said: 'No such project.' } } });
  const { key } = await gated.gate.apiKeys.create({ name: 'Bound', scope: 'run', project: 'bot' });
  const bound = await examined({ EVALGATE_API_KEY: key }, ['--project', 'other']);
  expect(bound).toMatchObject({
    code: 2,
    by: { project: { said: 'The settings name other, and the credential is for bot.' } },
  });
  expect(await examined({ EVALGATE_API_KEY: key })).toMatchObject({
    code: 0,
    by: { project: { said: 'bot' } },
  });
});

test('doctor ends with 3 where the service can not be reached, or has failed', async () => {
  const gone = await startHostile();
  await gone.stop();
  expect(await examined({ EVALGATE_URL: gone.url })).toMatchObject({
    code: 3,
    by: { connection: { status: 'lost', hint: `Does the service run at ${gone.url}?` } },
  });
  stranger.answers(json(503, { status: 'degraded', version: '0.1.0' }));
  expect(await examined({ EVALGATE_URL: stranger.url })).toMatchObject({
    by: { connection: { status: 'lost', said: 'the service answers, and is degraded' } },
  });
  const proxy = {
    HTTP_PROXY: 'http://127.0.0.1:9',
    EVALGATE_URL: 'http://gate.example',
    EVALGATE_ALLOW_HTTP: '1',
  };
  expect(await examined(proxy)).toMatchObject({
    code: 3,
    by: {
      proxy: { status: 'note', said: 'requests go through that of HTTP_PROXY' },
      connection: { hint: expect.stringContaining('HTTP_PROXY is set: does that proxy work') },
    },
  });
});

test('doctor reports a URL that is no service, an older version, and a clock that is 10 minutes off', async () => {
  stranger.answers(html(200, '<h1>Welcome</h1>'));
  expect(await examined({ EVALGATE_URL: stranger.url })).toMatchObject({
    code: 2,
    by: {
      connection: {
        status: 'change',
        hint: `Is ${stranger.url} the URL of an evalgate service? See --url and EVALGATE_URL.`,
      },
    },
  });
  const date = new Date(Date.now() - 600_000).toUTCString();
  const absent = json(404, { error: { code: 'NOT_FOUND', message: 'No such route.' } });
  stranger.answers(json(200, { status: 'ok', version: '0.0.9' }, { date }), absent);
  expect(await examined({ EVALGATE_URL: stranger.url })).toMatchObject({
    code: 2,
    by: {
      version: { status: 'note', said: 'the service is 0.0.9, older than this program (0.1.0)' },
      clock: { status: 'change', said: expect.stringMatching(/by \d{3} s$/) },
      identity: { status: 'change', said: expect.stringContaining('of an older version') },
    },
  });
});

test('without an evalgate.yaml doctor prints how to make one, and nothing is wrong', async () => {
  rmSync(path.join(place.folder, 'evalgate.yaml'));
  const { code, by } = await examined();
  expect([code, by['evalgate.yaml']?.hint]).toEqual([0, 'Where suites are kept in files: evalgate init']);
});
