import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { api, signUp } from '../../support/api.ts';
import { type KmsStandIn, startKms } from '../../support/kms.ts';
import { type RunningService, startService, temporaryFolder } from '../../support/service.ts';
import { addKey, keysOf, makeKey } from './keys.ts';

/** Of no run but this one, so that finding it anywhere means that it got there now. */
const RAW_KEY = `sk-proj-${'Zx81kLmN0pQ'.repeat(3)}${Date.now()}`;
/** What a reader of the key would recognise, past the prefix that is shown. */
const TELLING = RAW_KEY.slice(8);
const FORMS = [
  TELLING,
  Buffer.from(RAW_KEY).toString('base64').slice(12, -4),
  Buffer.from(TELLING).toString('hex'),
];

let dataDir: string;
const running: RunningService[] = [];
async function start(env: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({ dataDir, env: { LOG_LEVEL: 'debug', ...env } });
  running.push(service);
  return service;
}
beforeEach(() => {
  dataDir = temporaryFolder();
});
afterEach(async () => {
  for (const service of running.splice(0)) await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

let kms: KmsStandIn;
beforeAll(async () => {
  kms = await startKms('alias/byok');
});
afterAll(() => kms.stop());

const expectNothingOfTheKey = (text: string | Buffer): void => {
  for (const form of FORMS) expect(text.includes(form)).toBe(false);
};

/** Every byte the service keeps. */
function filesOf(): Map<string, Buffer> {
  const names = readdirSync(dataDir).filter((name) => statSync(path.join(dataDir, name)).isFile());
  return new Map(names.map((name) => [name, readFileSync(path.join(dataDir, name))]));
}

/** All that can be done with a key, well and badly; every answer's headers and body as text. */
async function everythingThatIsAnswered(baseUrl: string): Promise<string> {
  const client = await signUp(baseUrl);
  const key = await makeKey(client, { key: RAW_KEY, is_default: true });
  const answers = [
    await addKey(client, { key: RAW_KEY, name: 'second' }),
    await client('GET', '/v1/byok-keys'),
    await addKey(client, { key: `${RAW_KEY}\n` }),
    await addKey(client, { key: RAW_KEY, provider: 'nobody' }),
    await addKey(client, { key: [RAW_KEY] }),
    await addKey(client, { key: { [RAW_KEY]: RAW_KEY } }),
    await client('POST', '/v1/byok-keys', `{"provider":"openai","key":${RAW_KEY}}`),
    await client('POST', '/v1/byok-keys', { key: RAW_KEY }, { 'content-type': `text/${TELLING}` }),
    await api(baseUrl, RAW_KEY)('POST', '/v1/byok-keys', { provider: 'openai', key: RAW_KEY }),
    await client('DELETE', `/v1/byok-keys/${RAW_KEY}`),
    await client('DELETE', `/v1/byok-keys/${key.id}`),
    await client('DELETE', `/v1/byok-keys/${key.id}`),
  ];
  return JSON.stringify(
    answers.map(({ status, headers, body }) => ({ status, headers: [...headers], body })),
  );
}

test('a raw key appears in no answer, no log line and no byte of the data folder; the master key is made once', async () => {
  const service = await start();
  const own = await makeKey(api(service.baseUrl, service.apiKey), { key: RAW_KEY });
  const vaultKey = path.join(dataDir, 'vault-key');
  const made = readFileSync(vaultKey);
  expect(made).toHaveLength(32);
  expect(statSync(vaultKey).mode & 0o777).toBe(0o600);
  expectNothingOfTheKey(await everythingThatIsAnswered(service.baseUrl));
  const files = filesOf();
  const { stdout, stderr } = await service.stop();
  const stopped = filesOf();
  expect(stderr).toContain('byokKeys/create');
  for (const written of [stdout, stderr, ...files.values(), ...stopped.values()]) {
    expectNothingOfTheKey(written);
  }
  // The search finds what is there: the prefix, which is shown.
  const database = [...files].filter(([name]) => name.startsWith('dynamodb.sqlite'));
  expect(database.some(([, bytes]) => bytes.includes('sk-proj-'))).toBe(true);
  const second = await start();
  expect(readFileSync(vaultKey).equals(made)).toBe(true);
  expect(await keysOf(api(second.baseUrl, second.apiKey))).toEqual([own]);
});

test('with KMS too, and when KMS fails: a 500 that reveals nothing, a log line without the key', async () => {
  const service = await start({ KMS_ENDPOINT: kms.endpoint, KMS_KEY_ID: 'alias/byok' });
  const client = await signUp(service.baseUrl);
  const key = await makeKey(client, { key: RAW_KEY, provider: 'provider_b' });
  expect(kms.calls.map(({ operation, keyId, context }) => ({ operation, keyId, context }))).toEqual([
    {
      operation: 'Encrypt',
      keyId: 'alias/byok',
      context: { org: key.org_id, provider: 'anthropic', keyId: key.id },
    },
  ]);
  kms.failures.push({ status: 400, type: 'DisabledException', message: `${RAW_KEY} is disabled` });
  const failed = await addKey(client, { key: RAW_KEY });
  expect({ status: failed.status, code: failed.body.error.code }).toEqual({
    status: 500,
    code: 'INTERNAL_ERROR',
  });
  expectNothingOfTheKey(JSON.stringify(failed.body));
  expect(await keysOf(client)).toEqual([key]);
  const files = filesOf();
  const { stdout, stderr } = await service.stop();
  expect(stderr).toMatch(/KMS did not encrypt a BYOK key \(DisabledException, request /);
  for (const written of [stdout, stderr, ...files.values(), ...filesOf().values()]) {
    expectNothingOfTheKey(written);
  }
  expect([...files.keys()]).not.toContain('vault-key');
});
