import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readDeployment } from '../../../shared/connection/endpoint.ts';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';
import { HOSTILE_ENDPOINTS, NO_DEPLOYMENTS } from './hostileEndpoints.ts';
import { startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

const LISTED = [
  '127.0.0.1:8080',
  'localhost:8080',
  'gateway.corp:8443',
  'gateway.corp:443',
  '10.1.2.3:80',
  '[::1]:8080',
];

test.each([
  ['https://acme.openai.azure.com', 'https://acme.openai.azure.com', 'public'],
  ['https://acme.openai.azure.com/', 'https://acme.openai.azure.com', 'public'],
  [' HTTPS://Acme-2.OpenAI.Azure.com ', 'https://acme-2.openai.azure.com', 'public'],
  ['https://acme.cognitiveservices.azure.com', 'https://acme.cognitiveservices.azure.com', 'public'],
  ['https://acme.services.ai.azure.com/', 'https://acme.services.ai.azure.com', 'public'],
  ['https://gateway.corp:8443', 'https://gateway.corp:8443', 'any'],
  ['https://gateway.corp', 'https://gateway.corp', 'any'],
  ['https://gateway.corp:443/', 'https://gateway.corp', 'any'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080', 'loopback'],
  ['http://localhost:8080/', 'http://localhost:8080', 'loopback'],
  ['http://[::1]:8080', 'http://[::1]:8080', 'loopback'],
])('the endpoint %s may be called', (written, endpoint, reach) => {
  expect(readDeployment(`${written}|gate`, LISTED)).toEqual({
    kind: 'deployment',
    endpoint,
    name: 'gate',
    reach,
  });
});

describe('endpoints that may not', () => {
  test.each(HOSTILE_ENDPOINTS)('%j', async (endpoint) => {
    const refused = readDeployment(`${endpoint}|gate`, LISTED);
    expect(refused).toMatchObject({ kind: 'refused', code: 'ENDPOINT_NOT_ALLOWED' });
    const resolve = () => Promise.reject(new Error('nobody may ask'));
    const { outcome, trace } = await judgeOnce(
      { provider: 'azure_openai', model: `${endpoint}|gate` },
      {},
      { resolve },
    );
    expect(outcome).toMatchObject({ kind: 'error', code: 'ENDPOINT_NOT_ALLOWED' });
    expect(trace.slots.taken).toBe(0);
    expect(providers.calls).toHaveLength(0);
  });

  test('refuses every host outside the suffixes', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string(), (url, name) => {
        const read = readDeployment(`${url}|${name}`, LISTED);
        expect(read.kind).toBe('refused');
      }),
    );
  });
});

test.each(NO_DEPLOYMENTS)('the model %j names no deployment', async (model) => {
  const { outcome, trace } = await judgeOnce({ provider: 'azure_openai', model });
  expect(outcome).toMatchObject({ kind: 'error', code: 'MODEL_NOT_CONFIGURED' });
  expect(trace.slots.taken).toBe(0);
});

test('the default model of Azure is the deployment of the environment', async () => {
  const JUDGE_MODEL_AZURE_OPENAI = providers.azureModel('by-default');
  const { defaultModels } = judgeSettingsFromEnv({ JUDGE_MODEL_AZURE_OPENAI });
  const { outcome } = await judgeOnce({ provider: 'azure_openai', model: undefined }, {}, { defaultModels });
  expect(outcome.kind).toBe('verdict');
  expect(providers.calls[0]?.model).toBe('by-default');
  const none = await judgeOnce({ provider: 'azure_openai', model: undefined });
  expect(none.outcome).toMatchObject({ kind: 'error', code: 'MODEL_NOT_CONFIGURED' });
});

test('the providers themselves by default', () => {
  expect(judgeSettingsFromEnv({ OPENAI_BASE_URL: ' ' })).toMatchObject({
    baseUrls: {
      openai: 'https://api.openai.com/v1',
      anthropic: 'https://api.anthropic.com',
      google: 'https://generativelanguage.googleapis.com/v1beta/openai',
    },
    endpointAllowlist: [],
    callTimeoutMs: 45_000,
    caseTimeoutMs: 273_000,
  });
  expect(judgeSettingsFromEnv({}).defaultModels.azure_openai).toBeUndefined();
});

test.each([
  ['http://127.0.0.1:9', 'http://127.0.0.1:9/v1beta/openai'],
  ['http://127.0.0.1:9/', 'http://127.0.0.1:9/v1beta/openai'],
  ['http://127.0.0.1:9/proxy/', 'http://127.0.0.1:9/proxy'],
])('a Gemini base URL %s', (GOOGLE_GEMINI_BASE_URL, google) => {
  expect(judgeSettingsFromEnv({ GOOGLE_GEMINI_BASE_URL }).baseUrls.google).toBe(google);
});

test('the allow-list is read leniently', () => {
  const JUDGE_ENDPOINT_ALLOWLIST = ' Gateway.corp:8443, 127.0.0.1:80 ,,[::1]:8080';
  const expected = ['gateway.corp:8443', '127.0.0.1:80', '[::1]:8080'];
  expect(judgeSettingsFromEnv({ JUDGE_ENDPOINT_ALLOWLIST }).endpointAllowlist).toEqual(expected);
});

test.each([
  { JUDGE_ENDPOINT_ALLOWLIST: 'gateway.corp' },
  { JUDGE_ENDPOINT_ALLOWLIST: 'https://gateway.corp:443' },
  { JUDGE_ENDPOINT_ALLOWLIST: '*:443' },
  { OPENAI_BASE_URL: 'api.openai.com' },
  { ANTHROPIC_BASE_URL: 'file:///x' },
  { JUDGE_CALL_TIMEOUT_MS: '0' },
])('%j fails the start', (env) => {
  expect(() => judgeSettingsFromEnv(env)).toThrow(Object.keys(env)[0]);
});
