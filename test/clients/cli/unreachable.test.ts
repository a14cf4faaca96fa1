import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { aCertificate } from '../../support/certificate.ts';
import { listening } from '../../support/listening.ts';
import { cut, error, html, json, ownTime, startHostile, useHostile } from '../sdk/hostile.ts';
import { aPlace, type Place, useGate } from './cli.ts';

const url = sharedServiceUrl();
const [gated, stranger] = [useGate(), useHostile()];
let place: Place;

beforeEach(() => {
  place = aPlace({ EVALGATE_URL: stranger.url, EVALGATE_API_KEY: gated.apiKey, EVALGATE_RETRIES: '0' });
  place.file('good.txt', 'within 30 days');
});
afterEach(() => place.remove());

const RUN = ['run', 'returns', '--output', 'good.txt'];

/** Expects the exit code and a sentence of what to do, and no trace of the code. */
async function expectFailed(args: readonly string[], code: number, said: string, env = {}): Promise<string> {
  const ended = await place.cli(args, { env });
  expect(ended).toEqual({ code, stdout: '', stderr: expect.stringContaining(said) });
  expect(ended.stderr).not.toMatch(/^\s+at |node:internal/m);
  expect(ended.stderr).not.toContain(gated.apiKey);
  return ended.stderr;
}

const NEVER_AGAIN = { 'retry-after': '86400' };

test('what the service or the network fails at is 3', async () => {
  stranger.answers(error(402, 'USAGE_LIMIT_EXCEEDED'));
  await expectFailed(RUN, 3, 'The runs of this month are used up');
  stranger.answers(error(408, 'HTTP_408', NEVER_AGAIN));
  await expectFailed(RUN, 3, 'It is HTTP_408.');
  stranger.answers(error(429, 'RATE_LIMITED', NEVER_AGAIN));
  await expectFailed(RUN, 3, 'try again in 86400 s');
  stranger.answers(error(503, 'INTERNAL_ERROR', NEVER_AGAIN));
  const said = await expectFailed(RUN, 3, 'The service failed, not the candidate');
  expect(said).toMatch(/may have been accepted: the same command with --idempotency-key [\w-]+ finds it/);
  stranger.answers(cut, error(403, 'SCOPE_REQUIRED'));
  expect(await expectFailed(RUN, 2, 'It is SCOPE_REQUIRED.')).toContain('--idempotency-key');
  stranger.answers(error(403, 'SCOPE_REQUIRED'));
  expect(await expectFailed(RUN, 2, 'It is SCOPE_REQUIRED.')).not.toContain('--idempotency-key');
  stranger.answers(html(502, '<html><title>Bad gateway</title></html>'));
  await expectFailed(['whoami'], 3, 'HTTP 502');
});

test('where the run of answers that a command gave is lost or refused, the command is named that runs them', async () => {
  const asked = [
    json(200, { data: { id: 'a'.repeat(36), slug: 'returns' } }),
    json(200, { data: [{ case: 'one', input: {}, samples: 1 }], next_cursor: null }),
  ];
  const ask = [
    'ask',
    'returns',
    '--project',
    'bot',
    '--overwrite',
    '--run',
    '--out',
    'my answers.jsonl',
    '--',
    'true',
  ];
  const again = "evalgate run returns --project bot --outputs 'my answers.jsonl'";
  // Before the run the inputs are read again: an answer to another one is none.
  stranger.answers(...asked, ...asked, error(503, 'INTERNAL_ERROR', NEVER_AGAIN));
  const { stderr } = await place.cli(ask);
  expect(stderr).toContain(`the run may have been accepted: ${again} --idempotency-key `);
  stranger.answers(...asked, ...asked, error(402, 'USAGE_LIMIT_EXCEEDED'));
  expect((await place.cli(ask)).stderr).toContain(`the outputs are kept: ${again}\n`);
  stranger.answers(...asked, error(503, 'INTERNAL_ERROR', NEVER_AGAIN));
  expect((await place.cli(ask)).stderr).toContain(`the outputs are kept: ${again}\n`);
});

test('what the caller must change is 2', async () => {
  for (const [status, code] of [
    [400, 'VALIDATION_ERROR'],
    [401, 'UNAUTHORIZED'],
    [409, 'SUITE_CHANGED'],
    [413, 'HTTP_413'],
    [422, 'IDEMPOTENCY_KEY_REUSED'],
  ] as const) {
    stranger.answers(error(status, code));
    await expectFailed(RUN, 2, `It is ${code}.`);
  }
});

test('an answer of something else than the service is 2, and names the url', async () => {
  const asks = `Is ${stranger.url} the URL of an evalgate service?`;
  stranger.answers(html(200, '<!doctype html><title>Welcome</title>'));
  await expectFailed(RUN, 2, asks);
  stranger.answers(html(404, '<h1>Not found</h1>'));
  await expectFailed(['whoami'], 2, asks);
  stranger.answers(
    (response) => void response.writeHead(301, { location: 'https://elsewhere.example/' }).end(),
  );
  await expectFailed(RUN, 2, 'a redirect, not followed, to https://elsewhere.example/');
  stranger.answers(json(200, { status: 'cleared' }));
  await expectFailed(['wait', 'run_1'], 2, asks);
});

test('what a stranger answers does nothing to the terminal', async () => {
  stranger.answers(html(403, '\u001b]0;owned\u0007\u001b[2J\u202e\r::add-mask::a\n##[error]b'));
  const env = { GITHUB_ACTIONS: 'true', GITHUB_EVENT_NAME: 'push' };
  const said = await expectFailed(['whoami'], 2, 'HTTP 403', env);
  expect(said.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(said).not.toMatch(/^\s*::|##\[/m);
});

test('a status that this version does not know is no verdict', async () => {
  const { stdout } = await place.cli([...RUN, '--json'], { env: { EVALGATE_URL: url } });
  const known = JSON.parse(stdout);
  stranger.answers((response, { url: asked }) =>
    asked?.includes('results')
      ? json(200, { data: [] })(response, stranger.seen[0]!)
      : json(200, { data: { ...known, status: 'held' } })(response, stranger.seen[0]!),
  );
  const waited = await place.cli(['wait', known.id]);
  expect(waited.code).toBe(3);
  expect(waited.stdout).toContain('held: a status that this version does not know');
});

test('no service, no such host, and https in place of http have different messages', async () => {
  const port = (stranger.url.match(/\d+$/) ?? [''])[0];
  const gone = await startHostile();
  await gone.stop();
  const refused = { EVALGATE_URL: gone.url };
  await expectFailed(['whoami'], 3, `Does the service run at ${gone.url}?`, refused);
  // Nothing was sent: there is no run to find.
  const unsent = await place.cli([...RUN, '--wait', '10s'], { env: refused, clock: ownTime().environment });
  expect(unsent).toMatchObject({ code: 3, stderr: expect.stringContaining('no connection, trying again') });
  expect(unsent.stderr).toContain(`Does the service run at ${gone.url}?`);
  expect(unsent.stderr).not.toContain('--idempotency-key');
  await expectFailed(['whoami'], 3, 'reach the network?', { EVALGATE_URL: 'https://no-such-host.invalid' });
  const secure = { EVALGATE_URL: `https://127.0.0.1:${port}` };
  const said = await expectFailed(['whoami'], 3, 'speak https?', secure);
  expect(said).toContain(`127.0.0.1:${port} failed: it does not seem to speak https.`);
  expect(said).not.toMatch(/routines|deps\/openssl/);
  stranger.answers(cut);
  await expectFailed(['whoami'], 3, `Is ${stranger.url} reachable?`);
});

test('the message for a port that hangs up on TLS names https as the likely cause', async () => {
  const plain = createTcpServer((socket) =>
    socket.on('error', () => undefined).once('data', () => socket.destroy()),
  );
  const { port, stop } = await listening(plain);
  await expectFailed(['whoami'], 3, 'speak https?', { EVALGATE_URL: `https://127.0.0.1:${port}` });
  await stop();
});

test.each([
  ['gzip', 'its Content-Encoding does not fit its bytes'],
  ['br', 'its Content-Encoding is br, which was not requested'],
])(
  'an answer with the Content-Encoding %s that it does not have is reported as such',
  async (coding, reason) => {
    stranger.answers(json(200, { data: {} }, { 'content-encoding': coding }));
    const said = await expectFailed(['whoami'], 3, reason);
    expect(said).toContain(`The answer of ${new URL(stranger.url).host} could not be read: `);
    expect(said).toContain('Something between here and the service changes its answers');
  },
);

test('http in place of https, and a certificate that is not trusted, are reported as such', async () => {
  const secure = createSecureServer(
    aCertificate(place.folder),
    (_request, response) => void response.end('{}'),
  );
  const { port, stop } = await listening(secure);
  await expectFailed(['whoami'], 3, 'Does it speak http, and not https?', {
    EVALGATE_URL: `http://127.0.0.1:${port}`,
  });
  const said = await expectFailed(['whoami'], 3, 'name that of your authority in NODE_EXTRA_CA_CERTS', {
    EVALGATE_URL: `https://127.0.0.1:${port}`,
  });
  expect(said).not.toContain('openssl');
  const env = {
    EVALGATE_URL: `https://127.0.0.1:${port}`,
    NODE_EXTRA_CA_CERTS: path.join(place.folder, 'cert.pem'),
  };
  await expectFailed(['whoami'], 2, 'not from evalgate', env);
  await stop();
});

test('requests go through the proxy of the environment, and one that does not work is named', async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const { hostname, port } = new URL(url);
    const target = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    for (const end of [socket, target]) end.on('error', () => end.destroy());
  });
  const { url: address, stop } = await listening(proxy);
  const env = { EVALGATE_URL: 'http://gate.example:81', EVALGATE_ALLOW_HTTP: '1', HTTP_PROXY: address };
  const { code, stdout } = await place.cli(['whoami'], { env });
  expect({ code, asked }).toEqual({ code: 0, asked: [expect.stringContaining('gate.example:81')] });
  expect(stdout).toContain('With the CLI');
  await stop();
  const dead = { HTTPS_PROXY: 'http://127.0.0.1:9', EVALGATE_URL: 'https://gate.example.com' };
  await expectFailed(['whoami'], 3, 'HTTPS_PROXY is set: does that proxy work', dead);
});

test('a network that is lost during the wait for a run is reported, and ends with 3 and how to go on', async () => {
  const pending = json(200, { data: { id: 'run_1', status: 'pending', failed_cases: 0 } });
  stranger.answers(pending, cut);
  const clock = ownTime().environment;
  const { code, stdout, stderr } = await place.cli(['wait', 'run_1', '--wait', '30s'], { clock });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toMatch(/^Waiting for run_1: no connection, trying again until the wait ends/m);
  expect(stderr).toContain('the run goes on: evalgate wait run_1');
  expect(stderr).toContain(`Is ${stranger.url} reachable?`);
  stranger.answers(error(503, 'INTERNAL_ERROR', NEVER_AGAIN));
  await expectFailed(['wait', 'run_1'], 3, 'the run goes on: evalgate wait run_1');
  stranger.answers(error(404, 'NOT_FOUND'));
  expect(await expectFailed(['wait', 'run_1'], 2, 'It is NOT_FOUND.')).not.toContain('goes on');
});

test('a service that limits requests, at the exchange of a token too, is named while it is waited for', async () => {
  const limited = error(429, 'RATE_LIMITED', { 'retry-after': '400' });
  stranger.answers(
    limited,
    json(200, { data: { token: 'a-token', expires_at: new Date(Date.now() + 3_600_000).toISOString() } }),
    limited,
    error(404, 'NOT_FOUND'),
  );
  const claims = Buffer.from(JSON.stringify({ aud: `evalgate:${gated.orgId}`, iss: 'https://ci.example' }));
  const waited = await place.cli(
    ['run', 'returns', '--project', 'bot', '--output', 'good.txt', '--wait', '20m'],
    {
      env: {
        EVALGATE_API_KEY: '',
        EVALGATE_ORG: gated.orgId,
        EVALGATE_ID_TOKEN: `e30.${claims.toString('base64url')}.e30`,
      },
      clock: ownTime().environment,
    },
  );
  const limits = 'Running returns at .+: the service limits requests, trying again until the wait ends';
  expect(waited).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(new RegExp(`${limits}[^]+${limits}`)),
  });
});

test('a connection that comes back while a run is waited for is used', async () => {
  const { stdout } = await place.cli([...RUN, '--json'], { env: { EVALGATE_URL: url } });
  const done = JSON.parse(stdout);
  stranger.answers(cut, cut, json(200, { data: done }));
  const waited = await place.cli(['wait', done.id], { clock: ownTime().environment });
  expect(waited).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/no connection.*\nWaiting for run_\w+ \(/),
  });
});

test('a connection that is lost on the way is one run', async () => {
  let lost = 0;
  const { hostname, port } = new URL(url);
  const flaky = createTcpServer((socket) => {
    const target = connect(Number(port), hostname);
    socket.pipe(target);
    // The service has answered, and the answer gets lost.
    if (lost++ === 0) target.once('data', () => socket.destroy());
    else target.pipe(socket);
    socket.on('close', () => target.destroy());
    for (const end of [socket, target]) end.on('error', () => end.destroy());
  });
  const { url: EVALGATE_URL, stop } = await listening(flaky);
  const before = (await gated.gate.runs.list(gated.suiteId).page()).pagination?.total ?? 0;
  expect(await place.cli(RUN, { env: { EVALGATE_URL } })).toMatchObject({ code: 0 });
  await stop();
  expect(lost).toBeGreaterThan(1);
  expect((await gated.gate.runs.list(gated.suiteId).page()).pagination?.total).toBe(before + 1);
});
