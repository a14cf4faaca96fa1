import { expect, test } from '@jest/globals';
import { judgeSettingsFromEnv } from '../../../shared/judge/settings.ts';

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
