import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, signUp } from '../../support/api.ts';
import { expectNoContent, expectNotFound } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { keysOf, makeKey } from './keys.ts';

let service: OwnService;
let client: Api;
beforeAll(async () => {
  service = await startOwnService();
  client = await signUp(service.baseUrl);
});
afterAll(() => service.stop());

const NEVER_MADE = '5d1c1c5e-55f8-4bd5-8f3a-0a4c7c4c2f10';

async function itemOf(id: string) {
  return (await service.items()).find((item) => item.sk === `BYOKKEY#${id}`);
}

test('a revoked key is gone from the list and, for a second time, not there', async () => {
  const [kept, key] = [await makeKey(client), await makeKey(client)];
  expectNoContent(await client('DELETE', `/v1/byok-keys/${key.id}`));
  expect(await keysOf(client)).toEqual([kept]);
  expectNotFound(await client('DELETE', `/v1/byok-keys/${key.id}`));
});

test('revoking destroys the ciphertext: no caller can open the rest in the table', async () => {
  const key = await makeKey(client, { is_default: true });
  expect(await itemOf(key.id)).toMatchObject({ ciphertext: expect.stringMatching(/^local\.v1\./) });
  await client('DELETE', `/v1/byok-keys/${key.id}`);
  const left = await itemOf(key.id);
  expect(left).toMatchObject({ deleted_at: expect.any(String), expires_at: expect.any(Number) });
  expect(Object.keys(left ?? {})).not.toContain('ciphertext');
  expect(JSON.stringify(left)).not.toContain('local.v1');
  const pointers = (await service.items()).filter(({ key_id }) => key_id === key.id);
  expect(pointers).toEqual([]);
});

test('of many simultaneous revocations of a key one succeeds', async () => {
  const key = await makeKey(client, { is_default: true });
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => client('DELETE', `/v1/byok-keys/${key.id}`)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
});

test('the key of another organisation answers byte for byte as a missing one, and stays', async () => {
  const key = await makeKey(client);
  const stranger = await signUp(service.baseUrl);
  const bytesOf = async (by: Api, id: string) => {
    const { status, headers, body } = await by('DELETE', `/v1/byok-keys/${id}`);
    return JSON.stringify({ status, headers: [...headers].filter(([name]) => name !== 'date'), body });
  };
  const foreign = await bytesOf(stranger, key.id);
  expect(foreign).toBe(await bytesOf(stranger, NEVER_MADE));
  expect(foreign).toBe(await bytesOf(client, NEVER_MADE));
  expect(foreign).toContain('"status":404');
  expect((await keysOf(client)).map(({ id }) => id)).toContain(key.id);
});

test.each(['x', '%00', '..%2f', NEVER_MADE.slice(1), '__proto__'])('%s is no key: 404', async (id) => {
  expectNotFound(await client('DELETE', `/v1/byok-keys/${id}`));
});

test('an API key bound to a project finds no BYOK keys to list, add or revoke', async () => {
  const owner = await signUp(service.baseUrl);
  const key = await makeKey(owner);
  for (const item of await service.items()) {
    if (item.sk === 'APIKEY' && item.org_id === key.org_id) {
      await service.table.put({ ...item, project_id: NEVER_MADE });
    }
  }
  expectNotFound(await owner('GET', '/v1/byok-keys'));
  expectNotFound(await owner('POST', '/v1/byok-keys', { provider: 'openai', key: 'sk-live-0123456789' }));
  expectNotFound(await owner('DELETE', `/v1/byok-keys/${key.id}`));
  expect(await itemOf(key.id)).toMatchObject({ ciphertext: expect.any(String) });
});
