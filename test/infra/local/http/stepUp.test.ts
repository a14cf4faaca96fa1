import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openSession, SAME_ORIGIN, type Send, sender } from '../../../functions/auth/browser.ts';
import { api } from '../../../support/api.ts';
import { type OwnService, startOwnService } from '../../../support/ownService.ts';
import { REPOSITORY_DIR } from '../../../support/processes.ts';
import { type RunningService, startService } from '../../../support/service.ts';
import { decoded, signedToken, type TokenKey, tokenKeys } from '../../../support/tokenKeys.ts';

const { folder, keys } = tokenKeys(1);
const [signing] = keys as [TokenKey];
const IN_MEMORY = path.join(REPOSITORY_DIR, 'test/support/memory/inMemory.ts');
const OLD_SECONDS = 11 * 3_600;
const SENSITIVE = ['POST', '/v1/api-keys', { name: 'Of the CI' }] as const;

const start = (env: Readonly<Record<string, string>> = {}) =>
  startService({
    fromSources: true,
    env: { TOKEN_KEY_FILES: signing.file, NODE_OPTIONS: `--import=${IN_MEMORY}`, ...env },
  });

/** A page of a session that was opened eleven hours ago. `times`: other ones. */
async function oldPage(service: Pick<RunningService, 'baseUrl'>, times: object = {}): Promise<Send> {
  const { body } = await api(service.baseUrl)('POST', '/v1/auth/signup', { name: 'Acme' });
  const { cookie, token } = await openSession(service, body.data.api_key.key);
  const [header, payload] = [decoded(token, 0), decoded(token, 1)];
  const [iat, exp] = [payload.iat, payload.exp].map((seconds) => Number(seconds) - OLD_SECONDS);
  const old = signedToken(signing, header, { ...payload, iat, exp, auth_time: iat, ...times });
  return sender(service.baseUrl, { ...SAME_ORIGIN, cookie: `${cookie.split('=')[0]}=${old}` });
}
const codeOf = async (answer: ReturnType<Send>): Promise<unknown> => {
  const { status, body } = await answer;
  return body?.error?.code ?? status;
};

const REACHABLE = {
  'listens on all addresses': { HOST: '0.0.0.0' },
  'has an address for others': { BASE_URL: 'https://gate.example.com' },
} as const;
type Reach = keyof typeof REACHABLE;
const REACHES = Object.keys(REACHABLE) as Reach[];

let laptop: RunningService;
let reachable: ReadonlyMap<Reach, RunningService>;
let asDeployed: OwnService;
beforeAll(async () => {
  const started = REACHES.map(async (reach) => [reach, await start(REACHABLE[reach])] as const);
  laptop = await start();
  reachable = new Map(await Promise.all(started));
  asDeployed = await startOwnService({ TOKEN_KEY_FILES: signing.file });
});
afterAll(async () => {
  for (const service of [laptop, ...reachable.values(), asDeployed]) await service.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('npm start on the loopback address takes a key once a session, also for sensitive requests', async () => {
  const page = await oldPage(laptop);
  expect(await codeOf(page(...SENSITIVE))).toBe(201);
});

test.each([
  { 'x-forwarded-for': '203.0.113.7' },
  { via: '1.1 proxy' },
  { 'cf-connecting-ip': '203.0.113.7' },
])('npm start needs the key again for a request that a proxy hands on: %j', async (headers) => {
  const page = await oldPage(laptop);
  expect(await codeOf(page(...SENSITIVE, headers))).toBe('REAUTHENTICATION_REQUIRED');
});

test('npm start needs the key again for a session that does not say when it was given', async () => {
  const page = await oldPage(laptop, { auth_time: undefined });
  expect(await codeOf(page(...SENSITIVE))).toBe('REAUTHENTICATION_REQUIRED');
});

test.each(REACHES)('npm start that %s needs the key again, from its own machine, too', async (reach) => {
  const page = await oldPage(reachable.get(reach) ?? laptop);
  expect(await codeOf(page(...SENSITIVE))).toBe('REAUTHENTICATION_REQUIRED');
});

test('functions as they are deployed need the key again, even where a request comes from the loopback address', async () => {
  const page = await oldPage(asDeployed);
  expect(await codeOf(page(...SENSITIVE))).toBe('REAUTHENTICATION_REQUIRED');
});
