import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type Answer, cut, failure, hang, redirect } from '../../support/providers.ts';
import { newClient } from '../../support/stage.ts';
import { ALIASES, newRawKey } from '../judged/gate.ts';
import { keysOf, makeKey } from './keys.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage((providers) => ({
    JUDGE_CALL_TIMEOUT_MS: '2000',
    JUDGE_MODEL_AZURE_OPENAI: providers.azureModel(),
  }));
});
afterAll(() => stage.stop());

let client: Api;
beforeEach(async () => {
  ({ client } = await newClient(stage));
});
afterEach(() => stage.providers.reset());

const testKey = (id: string, as: Api = client) => as('POST', `/v1/byok-keys/${id}/test`);

describe.each(ALIASES)('a key of %s', (alias, provider) => {
  test('is valid when the provider takes it, and it is that key which is sent, once', async () => {
    await makeKey(client, { provider: alias, key: newRawKey(), is_default: true });
    const rawKey = newRawKey();
    const { id } = await makeKey(client, { provider: alias, key: rawKey });
    const answer = await testKey(id);
    expect({ status: answer.status, body: answer.body }).toEqual({
      status: 200,
      body: { valid: true, provider: alias },
    });
    const sent = stage.providers.calls.map((call) => [call.provider, call.operation, call.apiKey]);
    expect(sent).toEqual([[provider, 'list_models', rawKey]]);
  });

  test('is not valid when the provider rejects it', async () => {
    const { id } = await makeKey(client, { provider: alias, key: newRawKey() });
    stage.providers.always(provider, failure(401), 'list_models');
    expect((await testKey(id)).body).toEqual({ valid: false, provider: alias });
  });
});

const DOWN: [title: string, answer: Answer, cause: string][] = [
  ['fails', failure(500), 'JUDGE_UNAVAILABLE'],
  ['is overloaded', failure(429), 'JUDGE_RATE_LIMITED'],
  ['says nothing', hang(), 'JUDGE_TIMEOUT'],
  ['breaks off', cut(), 'JUDGE_UNAVAILABLE'],
  ['sends elsewhere', redirect('http://127.0.0.1:9/'), 'JUDGE_UNAVAILABLE'],
];

test.each(DOWN)(
  'a provider that %s proves nothing about a key: an error with its cause',
  async (_how, answer, cause) => {
    const { id } = await makeKey(client);
    stage.providers.always('openai', answer, 'list_models');
    const { status, body } = await testKey(id);
    expect({ status, body }).toEqual({
      status: 500,
      body: {
        error: {
          code: 'INTERNAL_ERROR',
          message: expect.stringContaining('could not be tested'),
          details: { cause },
        },
      },
    });
  },
);

test('a key that is valid but may not list models, or is out of money, is valid', async () => {
  const { id } = await makeKey(client);
  stage.providers.always(
    'openai',
    failure(403, { message: 'Missing scopes: api.model.read' }),
    'list_models',
  );
  expect((await testKey(id)).body).toEqual({ valid: true, provider: 'openai' });
  stage.providers.always('openai', failure(402), 'list_models');
  expect((await testKey(id)).body).toEqual({ valid: true, provider: 'openai' });
});

test("unknown, revoked and other organisations' keys are not found, and no provider is called", async () => {
  const { id } = await makeKey(client);
  const other = await newClient(stage);
  expectNotFound(await testKey(id, other.client));
  expectNotFound(await testKey('7d444840-9dc0-41d1-b245-5ffdce74fad2'));
  expectNotFound(await testKey('no-uuid'));
  expect((await testKey(id, api(stage.service.baseUrl))).status).toBe(401);
  expect((await client('DELETE', `/v1/byok-keys/${id}`)).status).toBe(204);
  expectNotFound(await testKey(id));
  expect(stage.providers.calls).toEqual([]);
});

test('a test is no use by a judge: last_used_at stays', async () => {
  const { id } = await makeKey(client);
  await testKey(id);
  expect((await keysOf(client))[0]).toMatchObject({ id, last_used_at: null });
});

test('20 tests at once each answer for their own key', async () => {
  const keys = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const isGood = index % 2 === 0;
      const { id } = await makeKey(client, { key: `${newRawKey()}-${isGood ? 'good' : 'bad'}` });
      return { id, isGood };
    }),
  );
  stage.providers.always(
    'openai',
    (call, response) => {
      const isGood = call.apiKey?.endsWith('-good');
      if (isGood)
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"object":"list","data":[]}');
      else return failure(401)(call, response);
    },
    'list_models',
  );
  const answers = await Promise.all(keys.map(({ id }) => testKey(id)));
  expect(answers.map(({ body }) => body.valid)).toEqual(keys.map(({ isGood }) => isGood));
});

test('a default of the deployment is used where none is named, and gives way to one that is', async () => {
  const { id } = await makeKey(client, { provider: 'azure_openai', key: newRawKey() });
  expect((await testKey(id)).body).toMatchObject({ valid: true });
  expectInvalid(
    await client('POST', `/v1/byok-keys/${id}/test`, { model: 'https://example.com|d' }),
    'model',
  );
});

describe("a key of Azure's, whose model names where to call", () => {
  beforeAll(() => stage.reload({ JUDGE_MODEL_AZURE_OPENAI: '' }));

  test.each(['azure_openai', 'provider_a_cloud'])(
    '%s: is tested there, or refused with the missing field',
    async (provider) => {
      const owner = (await newClient(stage)).client;
      const { id } = await makeKey(owner, { provider, key: newRawKey() });
      const ask = (body?: object) => owner('POST', `/v1/byok-keys/${id}/test`, body);
      for (const missing of [await ask(), await ask({})]) {
        expectInvalid(missing, 'model');
        expect(missing.body.error.details.issues[0].message).toMatch(/^is needed .*no default model/);
      }
      const model = stage.providers.azureModel();
      expect(await ask({ model })).toMatchObject({ status: 200, body: { valid: true, provider } });
      stage.providers.always('azure_openai', failure(401), 'list_models');
      expect((await ask({ model })).body).toEqual({ valid: false, provider });
      stage.providers.reset();
    },
  );

  test.each([
    ['is no deployment', 'gpt-5'],
    ['names an endpoint of anybody', 'https://example.com|d'],
    ['is blank', '  '],
    ['is no text', 5],
    ['holds a line break', 'https://x.openai.azure.com|\nd'],
    ['is longer than 512 characters', `https://x.openai.azure.com|${'d'.repeat(512)}`],
  ])('a model that %s is a 400, and no provider is called', async (_, model) => {
    const owner = (await newClient(stage)).client;
    const { id } = await makeKey(owner, { provider: 'azure_openai', key: newRawKey() });
    expectInvalid(await owner('POST', `/v1/byok-keys/${id}/test`, { model }), 'model');
    expect(stage.providers.calls).toEqual([]);
  });
});
