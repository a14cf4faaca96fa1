import { beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { cut, error, json, useHostile } from '../sdk/hostile.ts';
import { useGate, usePlace } from './cli.ts';

const url = sharedServiceUrl();
const [gated, stranger] = [useGate(), useHostile()];
const place = usePlace(() => ({ EVALGATE_URL: url, EVALGATE_API_KEY: gated.apiKey }));
beforeEach(() => stranger.answers(json(200, { data: {} })));

const api = (...args: readonly string[]) => place.cli(['api', ...args]);
const atStranger = (...args: readonly string[]) =>
  place.cli(['api', ...args], { env: { EVALGATE_URL: stranger.url, EVALGATE_RETRIES: '2' } });

test('api prints the body of any answer as it is on the wire', async () => {
  const { code, stdout, stderr } = await api('GET', '/v1/projects/bot');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(JSON.parse(stdout)).toEqual({ data: await gated.gate.projects.get('bot') });
  const deleted = JSON.parse((await api('POST', 'v1/projects', '-d', '{"name": "Gone"}')).stdout);
  expect(await api('DELETE', `/v1/projects/${deleted.data.slug}`)).toEqual({
    code: 0,
    stdout: '',
    stderr: '',
  });
});

test('api takes a body from its command line, a file, stdin or fields, and sends it as it is', async () => {
  place.file('body.json', '{"name": "Of a file", "slug": "of-file"}');
  await api('post', '/v1/projects', '--data', '@body.json');
  await api('POST', '/v1/projects', '-f', 'name=Of=fields', '-f', 'slug=of-fields');
  await place.cli(['api', 'POST', '/v1/projects', '-d', '-'], {
    stdin: '{"name": "Of stdin", "slug": "of-stdin"}',
  });
  const { stdout } = await api('GET', '/v1/projects?pageSize=1', '--paginate');
  const names = JSON.parse(stdout).map(({ name }: { name: string }) => name);
  expect(names.toSorted()).toEqual(['Bot', 'Of a file', 'Of stdin', 'Of=fields']);
  const page = await api('GET', '/v1/projects', '-f', 'pageSize=2', '-f', 'page=2');
  expect(JSON.parse(page.stdout).pagination).toMatchObject({ page: 2, pageSize: 2, total: 4 });
  await atStranger('PATCH', '/v1/a b/é', '-d', '{"n": [1, null, "x"]}');
  expect(stranger.seen).toMatchObject([
    { method: 'PATCH', url: '/v1/a%20b/%C3%A9', body: '{"n":[1,null,"x"]}' },
  ]);
  expect(stranger.seen[0]?.headers.authorization).toBe(`Bearer ${gated.apiKey}`);
});

test('api repeats a request only where that is safe', async () => {
  stranger.answers(cut, cut, json(200, {}));
  expect(await atStranger('GET', '/v1/projects')).toMatchObject({ code: 0 });
  stranger.answers(cut, json(200, {}));
  expect(await atStranger('POST', '/v1/projects', '-d', '{}')).toMatchObject({ code: 3 });
  expect(stranger.seen).toHaveLength(1);
  stranger.answers(cut, json(200, {}));
  expect(await atStranger('POST', '/v1/run', '-d', '{"suite": "returns"}')).toMatchObject({ code: 0 });
  const keys = stranger.seen.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.any(String), keys[0]]);
});

test('api sends requests and keys only to the host and path of its arguments', async () => {
  for (const path of [
    stranger.url,
    `${stranger.url}/v1/whoami`,
    `//${new URL(stranger.url).host}/v1`,
    '/\\evil.example/v1',

    '/v1/../health',
    '/v1/%2e%2e/health',
    '/v1/./x',
    '/v1//x',
    '/v1/',
    '',
    '/%',
    '/v1/a%0d%0ab',
    '/v1/a#b',
  ]) {
    const { code, stdout, stderr } = await api('GET', path);
    expect({ path, code, stdout }).toEqual({ path, code: 2, stdout: '' });
    expect(stderr).toContain('is no path of the service.');
  }
  const withKey = await api('GET', `/v1/${gated.apiKey}`);
  expect(withKey).toMatchObject({ code: 2, stdout: '' });
  expect(withKey.stderr).toContain('An API key is on the command line');
  expect(withKey.stderr).not.toContain(gated.apiKey.slice(4));
  place.file('evalgate.yaml', `version: 1\nurl: ${stranger.url}\n`);
  const byFile = await place.cli(['api', 'GET', '/v1/whoami'], { env: { EVALGATE_URL: '' } });
  expect(byFile).toMatchObject({ code: 2, stderr: expect.stringContaining('Only evalgate.yaml names') });
  place.file('evalgate.yaml', 'version: 1\n');
  expect(stranger.seen).toEqual([]);
  stranger.answers((response) => void response.writeHead(302, { location: `${url}/v1/whoami` }).end());
  expect(await atStranger('GET', '/v1/whoami')).toMatchObject({ code: 2, stdout: '' });
});

test('api ends with the codes of the table of exit codes, with a sentence in place of data', async () => {
  for (const [args, code, said] of [
    [['GET', '/v1/nothing'], 2, 'is the service of an older version'],
    [['GET', '/v1/projects/none'], 2, 'No such project'],
    [['POST', '/v1/projects', '-d', '{}'], 2, 'name: '],
    [['POST', '/v1/projects', '-d', '{"name":'], 2, '--data:1:1: error: is not JSON'],
    [['POST', '/v1/projects', '-d', '{"name": 9007199254740993}'], 2, 'name is read as'],
    [['POST', '/v1/projects', '-d', '@none.json'], 2, 'none.json:1:1: error: the file does not exist'],
    [['POST', '/v1/projects', '-d', '{}', '-f', 'a=b'], 2, 'either --data or --field'],
    [['POST', '/v1/projects', '-f', 'a'], 2, '--field a is no pair'],
    [['GET', '/v1/projects', '-d', '{}'], 2, 'GET has no body'],
    [['GET', '/v1/whoami', '--paginate'], 2, 'The answer is no list.'],
    [['POST', '/v1/projects', '--paginate'], 2, '--paginate is for GET.'],
    [['FETCH', '/v1/projects'], 2, 'FETCH is no method.'],
    [['GET', '/docs'], 2, 'not from evalgate'],
  ] as const) {
    const ended = await api(...args);
    expect(ended).toEqual({ code, stdout: '', stderr: expect.stringContaining(said) });
  }
  stranger.answers(error(402, 'USAGE_LIMIT_EXCEEDED'));
  expect(await atStranger('GET', '/v1/projects')).toMatchObject({ code: 3, stdout: '' });
});

test('what api prints does nothing to a terminal', async () => {
  stranger.answers(json(200, { data: 'a\u001b[2J\u202e\u009b##[error]' }));
  const { stdout } = await atStranger('GET', '/v1/x');
  expect(stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]|##\[/u);
  expect(JSON.parse(stdout).data).toBe('a\u001b[2J\u202e\u009b##[error]');
});
