import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAGE_FILES } from '../clients/pages/files.ts';
import { APP_HEADERS, PAGE_HEADERS } from '../clients/pages/headers.ts';
import { type Body, type Call, caller, expected, REQUEST_TIMEOUT_MS } from './smokeCalls.ts';

/**
 * Runs a gate against a deployment: `node scripts/with-node.mjs scripts/smoke.ts <base URL or CDK's outputs file>`.
 * EVALGATE_API_KEY is the key of the organisation to use; without it the script signs one up.
 */
export interface SmokeTarget {
  readonly baseUrl: string;
  /** The API behind the edge, which must not serve direct requests. */
  readonly originUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** The longest wait for a new address to answer, and for a run to end. */
  readonly patienceMs?: number;
  readonly report?: (line: string) => void;
}

const PATIENCE_MS = 180_000;
const PAUSE_MS = 2_000;

export async function smoke(target: SmokeTarget): Promise<void> {
  const { baseUrl, originUrl, report = () => {}, patienceMs = PATIENCE_MS } = target;
  const anyone = caller(baseUrl, undefined);
  await until('the service is healthy', patienceMs, async () => {
    const { status, body } = await anyone('GET', '/health').catch(() => ({ status: 0, body: undefined }));
    return status === 200 && body?.services?.database === 'connected';
  });
  report(`healthy: ${baseUrl}`);
  if (originUrl !== undefined) {
    const { status } = await caller(originUrl, undefined)('GET', '/v1/templates');
    if (status !== 404) throw new Error(`${originUrl} must answer only to the edge, and answered ${status}`);
    report('the API answers only to the edge');
  }
  await checkPages(baseUrl);
  report(`pages: ${PAGE_FILES.map(({ path }) => path).join(', ')}`);
  await checkApp(baseUrl);
  report('dashboard: its page, all that it loads, and JSON for missing paths');
  const key = target.apiKey || (await signUp(anyone));
  await checkCredentials(baseUrl, key);
  report('credentials: key, token, session, and nothing without');
  await checkGate(caller(baseUrl, key), patienceMs);
  report('gates: one cleared, one aborted, one sent as gzip, one through the queue');
}

export async function checkPages(baseUrl: string): Promise<void> {
  for (const { path, type } of PAGE_FILES)
    await got(baseUrl, path, { ...PAGE_HEADERS, 'content-type': type });
}

async function checkApp(baseUrl: string): Promise<void> {
  const page = await got(baseUrl, '/app/runs/run_1', { ...APP_HEADERS, 'cache-control': 'no-cache' });
  for (const path of page.match(/\/assets\/[\w.-]+/g) ?? []) await got(baseUrl, path, APP_HEADERS);
  await got(baseUrl, '/app.json', APP_HEADERS);
  const missing = await caller(baseUrl, undefined)('GET', '/assets/none-AAAAAAAA.js');
  if (expected(missing, 404).error?.code !== 'NOT_FOUND') throw new Error('a missing asset is no JSON');
}

/** The text that is served there, with at least these headers. */
async function got(
  baseUrl: string,
  path: string,
  expectedHeaders: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await fetch(baseUrl + path, {
    redirect: 'error',
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  const { status, headers } = answer;
  // What is not read keeps its connection, and this process, until the request's time is up.
  const text = await answer.text();
  expected({ status, body: path }, 200);
  for (const [name, value] of Object.entries(expectedHeaders)) {
    const sent = headers.get(name);
    if (sent !== value) throw new Error(`${path} has the header ${name}: ${sent} instead of ${value}`);
  }
  return text;
}

async function signUp(anyone: Call): Promise<string> {
  const { data } = expected(await anyone('POST', '/v1/auth/signup', { name: 'Smoke test' }), 201);
  return data.api_key.key;
}

async function checkCredentials(baseUrl: string, key: string): Promise<void> {
  expected(await caller(baseUrl, undefined)('GET', '/v1/projects'), 401);
  expected(await caller(baseUrl, undefined)('GET', '/v1/no-such-route'), 404);
  const { data } = expected(await caller(baseUrl, key)('POST', '/v1/auth/token'), 200);
  expected(await caller(baseUrl, data.token)('GET', '/v1/projects'), 200);
  await checkSession(baseUrl, key);
  const byokKey = { provider: 'openai', key: `sk-smoke-${Date.now()}`, name: 'Smoke test' };
  const stored = expected(await caller(baseUrl, key)('POST', '/v1/byok-keys', byokKey), 201).data;
  expected(await caller(baseUrl, key)('DELETE', `/v1/byok-keys/${stored.id}`), 204);
}

/** That the cookie, and what a browser says about who sends it, get through to the functions. */
async function checkSession(baseUrl: string, key: string): Promise<void> {
  const send = (method: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${baseUrl}/v1/${method === 'GET' ? 'whoami' : 'auth/session'}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(method === 'POST' && { body: '{}' }),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
  const opened = await send('POST', { authorization: `Bearer ${key}` });
  expected({ status: opened.status, body: await opened.text() }, 201);
  const [cookie = ''] = opened.headers.getSetCookie()[0]?.split(';') ?? [];
  const ownOrigin = { cookie, 'sec-fetch-site': 'same-origin' };
  for (const [method, headers, expectedStatus] of [
    ['GET', ownOrigin, 200],
    ['GET', { ...ownOrigin, 'sec-fetch-site': 'same-site' }, 401],
    ['GET', { cookie }, 401],
    ['DELETE', ownOrigin, 204],
    ['GET', ownOrigin, 401],
  ] as const) {
    const { status } = await send(method, headers).then(async (answer) => {
      await answer.arrayBuffer();
      return answer;
    });
    expected({ status, body: `${method} with a session` }, expectedStatus);
  }
}

async function checkGate(call: Call, patienceMs: number): Promise<void> {
  const project = expected(await call('POST', '/v1/projects', { name: 'Smoke test' }), 201).data;
  try {
    const suite = await makeSuite(call, project.slug);
    const run = (output: string, { isAsync = false, isPacked = false } = {}) =>
      call('POST', '/v1/run', { project: project.slug, suite: suite.slug, output, async: isAsync }, isPacked);
    expectStatus(expected(await run('You can return it within 30 days.'), 200), 'cleared');
    expectStatus(expected(await run('No returns.'), 200), 'aborted');
    expectStatus(expected(await run('30 days, sent as gzip.', { isPacked: true }), 200), 'cleared');
    const { id } = expected(await run('Within 30 days.', { isAsync: true }), 202);
    await until('the asynchronous run is cleared', patienceMs, async () => {
      const { status } = expected(await call('GET', `/v1/runs/${id}`), 200).data;
      if (status === 'aborted') throw new Error(`run ${id} was aborted`);
      return status === 'cleared';
    });
    expected(await call('GET', `/v1/runs/${id}/results`), 200);
  } finally {
    expected(await call('DELETE', `/v1/projects/${project.slug}`), 204);
  }
}

async function makeSuite(call: Call, project: string): Promise<Body> {
  const scorer = { name: 'Mentions 30 days', type: 'contains', config: { values: ['30 days'] } };
  const { id } = expected(await call('POST', `/v1/projects/${project}/scorers`, scorer), 201).data;
  const suite = expected(await call('POST', `/v1/projects/${project}/suites`, { name: 'Returns' }), 201).data;
  const evalCase = { name: 'return window', input: {}, scorer_id: id };
  expected(await call('POST', `/v1/suites/${suite.id}/cases`, evalCase), 201);
  return suite;
}

function expectStatus({ status, id }: Body, expectedStatus: string): void {
  if (status !== expectedStatus) throw new Error(`run ${id} is ${status} instead of ${expectedStatus}`);
}

async function until(what: string, patienceMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (
    const end = Date.now() + patienceMs;
    Date.now() < end;
    await sleep(Math.min(PAUSE_MS, patienceMs / 10))
  ) {
    if (await isSo()) return;
  }
  throw new Error(`not within ${patienceMs / 1_000} s: ${what}`);
}

/** CDK writes outputs as `{"evalgate-dev-edge": {"BaseUrl": "…", "OriginUrl": "…"}, …}`. */
export function targetOf(argument: string): Pick<SmokeTarget, 'baseUrl' | 'originUrl'> {
  if (!argument.endsWith('.json')) return { baseUrl: argument.replace(/(?<!\/)\/+$/, '') };
  const outputs: Record<string, Record<string, string>> = JSON.parse(readFileSync(argument, 'utf8'));
  const edge = Object.values(outputs).find(({ BaseUrl }) => BaseUrl !== undefined);
  if (edge?.BaseUrl === undefined) throw new Error(`${argument} names no BaseUrl: deploy all stacks first`);
  return { baseUrl: edge.BaseUrl, originUrl: edge.OriginUrl };
}

if (import.meta.main) {
  const [argument = 'http://127.0.0.1:3000'] = process.argv.slice(2);
  const report = (line: string) => void process.stdout.write(`${line}\n`);
  await smoke({ ...targetOf(argument), apiKey: process.env.EVALGATE_API_KEY, report });
}
