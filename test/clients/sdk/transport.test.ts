import { expect, test } from '@jest/globals';
import {
  ConflictError,
  ConnectionError,
  CredentialError,
  NotFoundError,
  RateLimitError,
  RequestError,
  ServiceError,
  TimeoutError,
  UsageLimitError,
} from '../../../clients/sdk/index.ts';
import {
  begun,
  clientOf,
  cut,
  error,
  failureOf,
  html,
  json,
  silent,
  startHostile,
  truncated,
  useHostile,
} from './hostile.ts';

const server = useHostile();

const BODY = { suite: 'returns', output: 'yes' };
const PROJECT = { id: '1', slug: 'bot', name: 'Bot' };
const VERDICT = { id: 'run_1', status: 'cleared', pass_rate: 1, failures: [], failed_cases: 0 };
const get = (client = clientOf(server.url)) => client.gate.projects.get('bot');

test.each([
  [400, 'VALIDATION_ERROR', RequestError],
  [401, 'UNAUTHORIZED', CredentialError],
  [402, 'USAGE_LIMIT_EXCEEDED', UsageLimitError],
  [403, 'SCOPE_REQUIRED', CredentialError],
  [404, 'NOT_FOUND', NotFoundError],
  [409, 'SUITE_CHANGED', ConflictError],
  [422, 'IDEMPOTENCY_KEY_REUSED', ConflictError],
])('an answer %i is thrown at once, as the error of its family', async (status, code, family) => {
  server.answers(json(status, { error: { code, message: 'Do this.', details: { request_id: 'r-1' } } }));
  const failure = await failureOf(get());
  expect(failure).toBeInstanceOf(family);
  expect(failure).toMatchObject({ status, code, message: 'Do this.', requestId: 'r-1' });
  expect(server.seen).toHaveLength(1);
});

test('a lost connection, a cut answer and every passing fault are tried four times more', async () => {
  server.answers(
    cut,
    truncated,
    error(503, 'INTERNAL_ERROR'),
    html(502, '<html>'),
    json(200, { data: PROJECT }),
  );
  const client = clientOf(server.url);
  expect(await get(client)).toEqual(PROJECT);
  expect(client.time.pauses).toEqual([250, 500, 1_000, 2_000]);
  expect(client.time.timers.size).toBe(0);
});

test('after its retries a call fails with the last reason', async () => {
  server.answers(cut);
  const failure = await failureOf(get());
  expect(failure).toBeInstanceOf(ConnectionError);
  expect(failure.message).toContain(new URL(server.url).host);
  expect(server.seen).toHaveLength(5);
  server.answers(cut);
  expect(await failureOf(get(clientOf(server.url, { retries: 0 })))).toBeInstanceOf(ConnectionError);
  expect(server.seen).toHaveLength(1);
});

test.each([
  ['lost', cut],
  ['failed', error(500, 'INTERNAL_ERROR')],
])('a write that is %s is not repeated, since it may have been carried out', async (_, answer) => {
  server.answers(answer, json(201, { data: PROJECT }));
  const { gate } = clientOf(server.url);
  await failureOf(gate.projects.create({ name: 'Bot' }));
  await failureOf(gate.projects.create({ name: 'Bot' }).then(() => Promise.reject(new Error('second'))));
  expect(server.seen).toHaveLength(2);
});

test('a write that was refused for the rate is repeated after Retry-After', async () => {
  server.answers(error(429, 'RATE_LIMITED', { 'retry-after': '7' }), json(201, { data: PROJECT }));
  const { gate, time } = clientOf(server.url);
  expect(await gate.projects.create({ name: 'Bot' })).toEqual(PROJECT);
  expect(time.pauses).toEqual([7_250]);
});

test('a Retry-After beyond a minute is the caller’s to wait', async () => {
  server.answers(error(429, 'RATE_LIMITED', { 'retry-after': '61' }));
  const failure = await failureOf(get());
  expect(failure).toBeInstanceOf(RateLimitError);
  expect(failure.retryAfterSeconds).toBe(61);
  expect(server.seen).toHaveLength(1);
});

test('all tries of a run carry one idempotency key and one body, and wait for a first try that is under way', async () => {
  server.answers(
    cut,
    error(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '2' }),
    error(409, 'IDEMPOTENCY_IN_PROGRESS', { 'retry-after': '2' }),
    error(500, 'INTERNAL_ERROR'),
    json(200, VERDICT),
  );
  const { gate, time } = clientOf(server.url);
  expect(await gate.runs.create(BODY)).toEqual(VERDICT);
  expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(new Set(server.seen.map(({ body }) => body)).size).toBe(1);
  expect(time.pauses).toEqual([250, 2_250, 2_250, 2_000]);
});

test('tries of a run begin for a minute, and no longer', async () => {
  server.answers(cut);
  const { gate, time } = clientOf(server.url);
  await failureOf(gate.runs.create(BODY));
  const waitedMs = time.pauses.reduce((sum, pause) => sum + pause, 0);
  expect(waitedMs).toBeGreaterThan(60_000);
  expect(waitedMs).toBeLessThan(100_000);
});

test('two runs have two idempotency keys, one that is given is sent, and a failure names it', async () => {
  server.answers(json(200, VERDICT));
  const { gate } = clientOf(server.url);
  await gate.runs.create(BODY);
  await gate.runs.create(BODY);
  await gate.runs.create(BODY, { idempotencyKey: 'build-1' });
  const [first, second, third] = server.seen.map(({ headers }) => headers['idempotency-key']);
  expect(first).not.toBe(second);
  expect(third).toBe('build-1');
  server.answers(cut);
  expect(await failureOf(gate.runs.create(BODY, { idempotencyKey: 'build-2' }))).toMatchObject({
    idempotencyKey: 'build-2',
  });
});

test('a DELETE whose answer got lost is done when the resource is gone', async () => {
  const { gate } = clientOf(server.url);
  server.answers(cut, error(404, 'NOT_FOUND'));
  expect(await gate.projects.delete('bot')).toBeUndefined();
  server.answers(error(429, 'RATE_LIMITED', { 'retry-after': '1' }), error(404, 'NOT_FOUND'));
  expect(await failureOf(gate.projects.delete('bot'))).toBeInstanceOf(NotFoundError);
});

test.each([
  ['a page of the edge', html(403, '<html>Forbidden</html>'), 403, 'HTTP_403', 'Forbidden'],
  ['an answer of the gateway', json(413, { message: 'Request Too Long' }), 413, 'HTTP_413', 'Too Long'],
  ['a page where JSON is meant', html(200, '<html>Sign in</html>'), 200, 'HTTP_200', 'Sign in'],
  ['JSON of somebody else', json(200, { hello: 1 }), 200, 'HTTP_200', 'data'],
])('%s is reported by its status and its beginning', async (_, answer, status, code, said) => {
  server.answers(answer);
  const failure = await failureOf(get());
  expect(failure).toMatchObject({ status, code });
  expect(failure.message).toContain(said);
});

test('a page of 1 MB is quoted with 200 characters', async () => {
  server.answers(html(400, 'x'.repeat(1_000_000)));
  expect((await failureOf(get())).message.length).toBeLessThan(300);
});

test.each([301, 307])('a redirect %i is not followed, so that the key goes nowhere else', async (status) => {
  const other = await startHostile();
  other.answers(json(200, { data: PROJECT }));
  server.answers((response) => void response.writeHead(status, { location: `${other.url}/x` }).end());
  const failure = await failureOf(get());
  expect(failure).toMatchObject({ status, code: `HTTP_${status}` });
  expect(failure.message).toContain(other.url);
  expect([server.seen.length, other.seen.length]).toEqual([1, 0]);
  await other.stop();
});

test.each([
  ['does not begin', silent],
  ['does not end', begun],
])('an answer that %s ends at the timeout of its try, and is tried again', async (_, slow) => {
  const client = clientOf(server.url, { retries: 1 });
  server.answers(
    (response) => {
      slow(response, server.seen[0]!);
      client.time.expire();
    },
    json(200, { data: PROJECT }),
  );
  expect(await get(client)).toEqual(PROJECT);
  expect(client.time.state.nowMs).toBe(1_000_000 + 40_000 + 250);
});

test('the deadline ends a call with all its tries and pauses', async () => {
  server.answers(error(503, 'INTERNAL_ERROR'));
  const { gate, time } = clientOf(server.url);
  expect(await failureOf(gate.projects.get('bot', { deadlineMs: 600 }))).toBeInstanceOf(ServiceError);
  expect(time.pauses).toEqual([250]);
  const patient = clientOf(server.url);
  await failureOf(patient.gate.projects.get('bot', { deadlineMs: 60_000 }));
  expect(patient.time.pauses.length).toBeGreaterThan(10);
  server.answers(() => time.expire());
  const started = time.state.nowMs;
  expect(await failureOf(gate.projects.get('bot', { deadlineMs: 300 }))).toBeInstanceOf(TimeoutError);
  expect(time.state.nowMs - started).toBe(300);
});

test("the caller's signal ends a call with its reason, before and between tries", async () => {
  const stop = new AbortController();
  const { gate } = clientOf(server.url);
  server.answers(() => stop.abort(new Error('enough')));
  expect((await failureOf(gate.projects.get('bot', { signal: stop.signal }))).message).toBe('enough');
  expect(server.seen).toHaveLength(1);
  expect((await failureOf(gate.projects.get('bot', { signal: stop.signal }))).message).toBe('enough');
  expect(server.seen).toHaveLength(1);
});

test('the client calls a credential that is a function once, and once more when it is refused', async () => {
  let asked = 0;
  const apiKey = async () => `token-${++asked}`;
  const { gate } = clientOf(server.url, { apiKey });
  server.answers(json(200, { data: PROJECT }), error(401, 'UNAUTHORIZED'), json(200, { data: PROJECT }));
  await gate.projects.get('bot');
  await gate.projects.get('bot');
  expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer token-1',
    'Bearer token-1',
    'Bearer token-2',
  ]);
  server.answers(error(401, 'UNAUTHORIZED'));
  expect(await failureOf(gate.projects.get('bot'))).toBeInstanceOf(CredentialError);
  expect([server.seen.length, asked]).toEqual([2, 3]);
});

test('calls at the same time share one credential, also a new one', async () => {
  let asked = 0;
  const { gate } = clientOf(server.url, { apiKey: async () => `token-${++asked}` });
  server.answers((response, { headers }) =>
    headers.authorization === 'Bearer token-1'
      ? error(401, 'UNAUTHORIZED')(response, server.seen[0]!)
      : json(200, { data: PROJECT })(response, server.seen[0]!),
  );
  await Promise.all(Array.from({ length: 8 }, () => gate.projects.get('bot')));
  expect(asked).toBe(2);
});

test('a key that no header holds is never quoted, and one with a line break at its end is trimmed', async () => {
  server.answers(json(200, { data: PROJECT }));
  await get(clientOf(server.url, { apiKey: 'egk_test\n' }));
  expect(server.seen[0]?.headers.authorization).toBe('Bearer egk_test');
  const failure = await failureOf(get(clientOf(server.url, { apiKey: 'egk_secret\negk_other' })));
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure.message).not.toContain('secret');
});

test('public operations send no credential', async () => {
  server.answers(json(200, { data: [] }));
  await clientOf(server.url).gate.templates.list();
  expect(server.seen[0]?.headers.authorization).toBeUndefined();
});

test('names in a path can name nothing but one segment of it', async () => {
  const { gate } = clientOf(server.url);
  for (const name of ['', '.', '..'])
    expect(await failureOf(gate.projects.get(name))).toBeInstanceOf(TypeError);
  server.answers(json(200, { data: PROJECT }));
  await gate.projects.get('../x?y#z');
  expect(server.seen[0]?.url).toBe('/v1/projects/..%2Fx%3Fy%23z');
});

test('large outputs are gzipped, once for all tries', async () => {
  server.answers(error(500, 'INTERNAL_ERROR'), json(200, VERDICT));
  const { gate } = clientOf(server.url);
  const outputs = Array.from({ length: 5_000 }, (_, index) => ({
    case: `c${index}`,
    output: `Answer ${index}`,
  }));
  await gate.runs.create({ suite: 'returns', outputs });
  expect(server.seen).toHaveLength(2);
  for (const { headers, body } of server.seen) {
    expect(headers['content-encoding']).toBe('gzip');
    expect(Number(headers['content-length'])).toBeLessThan(60_000);
    expect(JSON.parse(body).outputs).toEqual(outputs);
  }
});

test('a list asks for its pages as it is read, gives no item twice, and stops where the reader stops', async () => {
  const page = (ids: number[], hasMore: boolean) =>
    json(200, { data: ids.map((id) => ({ id })), pagination: { page: 1, pageSize: 3, total: 6, hasMore } });
  const { gate } = clientOf(server.url);
  server.answers(page([6, 5, 4], true), page([4, 3, 2], true), page([1], false));
  const ids: unknown[] = [];
  for await (const { id } of gate.projects.list({ pageSize: 3 })) ids.push(id);
  expect(ids).toEqual([6, 5, 4, 3, 2, 1]);
  expect(server.seen.map(({ url }) => url)).toEqual(
    [1, 2, 3].map((number) => `/v1/projects?pageSize=3&page=${number}`),
  );
  server.answers(page([3], true));
  for await (const { id } of gate.projects.list()) if (id) break;
  expect(server.seen.map(({ url }) => url)).toEqual(['/v1/projects?pageSize=100&page=1']);
  await gate.projects.list({ page: 2 }).page();
  expect(server.seen.at(-1)?.url).toBe('/v1/projects?page=2');
});

test.each(['', 'gate.example.com', 'ftp://x', 'https://user:pw@x', 'https://x/?a=1'])(
  'the address %j is refused with a sentence',
  (url) => {
    expect(() => clientOf(url)).toThrow(TypeError);
  },
);
