import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { Secret } from '../../../shared/domain/byok/secret.ts';
import { createJudge } from '../../../shared/judge/judge.ts';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { failure, type Providers, startProviders } from '../../support/providers.ts';
import { ALL, KEY } from './setup.ts';

let providers: Providers;

beforeAll(async () => {
  providers = await startProviders();
});
afterEach(() => providers.reset());
afterAll(() => providers.stop());

test.each(ALL)(
  '%s: a valid key, a rejected key and a failing provider give three different outcomes',
  async (provider) => {
    const azureDefault = { JUDGE_MODEL_AZURE_OPENAI: providers.azureModel() };
    const judge = createJudge(judgeSettingsFromEnv({ ...providers.env, ...azureDefault }));
    expect(await judge.testKey(provider, new Secret(KEY))).toEqual({ kind: 'tested', valid: true });
    expect(providers.calls).toMatchObject([{ operation: 'list_models', apiKey: KEY, method: 'GET' }]);
    providers.always(provider, failure(401), 'list_models');
    expect(await judge.testKey(provider, new Secret(KEY))).toEqual({ kind: 'tested', valid: false });
    providers.always(provider, failure(503), 'list_models');
    expect(await judge.testKey(provider, new Secret(KEY))).toMatchObject({
      kind: 'error',
      code: 'JUDGE_UNAVAILABLE',
    });
    expect(providers.calls).toHaveLength(3);
  },
);

test('a restricted key that may not list models is still a good key', async () => {
  const message = 'You have insufficient permissions for this operation. Missing scopes: api.model.read.';
  providers.always('openai', failure(403, { message }), 'list_models');
  const judge = createJudge(judgeSettingsFromEnv(providers.env));
  expect(await judge.testKey('openai', new Secret(KEY))).toEqual({ kind: 'tested', valid: true });
});

test('azure: a key cannot be tested without an endpoint of the deployment', async () => {
  const judge = createJudge(judgeSettingsFromEnv(providers.env));
  expect(await judge.testKey('azure_openai', new Secret(KEY))).toMatchObject({
    kind: 'error',
    code: 'MODEL_NOT_CONFIGURED',
  });
  expect(providers.calls).toHaveLength(0);
});
