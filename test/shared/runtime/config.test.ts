import { describe, expect, test } from '@jest/globals';
import { baseUrlFromEnv } from '../../../shared/runtime/baseUrl.ts';
import { readConfig } from '../../../shared/runtime/config.ts';
import { readIssuers } from '../../../shared/runtime/issuersConfig.ts';
import { readPayments } from '../../../shared/runtime/paymentsConfig.ts';

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old',
  STRIPE_PRICE_PRO: 'price_pro,price_pro_2025',
  STRIPE_PRICE_SCALE: 'price_scale',
  STRIPE_PRICE_PRO_OVERAGE: 'price_pro_overage',
  STRIPE_PRICE_SCALE_OVERAGE: 'price_scale_overage',
  STRIPE_METER_EVENT_NAME: 'runs_beyond_plan',
};

const read = (changes: Record<string, string | undefined> = {}) => {
  const env = { TABLE_NAME: 'evalgate', ...STRIPE, ...changes };
  return { ...readConfig(env), ...readIssuers(env), payments: readPayments(env) };
};

describe('the settings of the payment provider', () => {
  test('payments are off without the secret key of the provider', () => {
    expect(read({ STRIPE_SECRET_KEY: undefined }).payments).toBeUndefined();
  });

  test('hold several webhook secrets and, per plan, the price that is sold and those of former sales', () => {
    expect(read().payments).toEqual({
      secretKey: 'sk_test_x',
      apiBase: undefined,
      webhookSecrets: ['whsec_new', 'whsec_old'],
      prices: {
        pro: { monthly: ['price_pro', 'price_pro_2025'], overage: 'price_pro_overage' },
        scale: { monthly: ['price_scale'], overage: 'price_scale_overage' },
      },
      meterEventName: 'runs_beyond_plan',
    });
  });

  test.each(Object.keys(STRIPE).filter((name) => name !== 'STRIPE_SECRET_KEY'))(
    'are not whole without %s, which the error names',
    (name) => {
      expect(() => read({ [name]: undefined })).toThrow(name);
    },
  );

  test.each(['whsec_new,', ' '])('hold no blank webhook secret: %j', (secrets) => {
    expect(() => read({ STRIPE_WEBHOOK_SECRETS: secrets })).toThrow('STRIPE_WEBHOOK_SECRETS');
  });
});

/** Addresses that secrets are sent to, or that are believed. */
describe.each(['STRIPE_API_BASE', 'GITHUB_OIDC_ISSUER'])('%s', (name) => {
  test.each(['https://elsewhere.example', 'http://127.0.0.1:12111', 'http://[::1]:1', 'http://localhost:1'])(
    'may name the address %s',
    (address) => {
      const { payments, githubOidcIssuer } = read({ [name]: address });
      expect([payments?.apiBase?.href, `${githubOidcIssuer}/`]).toContain(`${address}/`);
    },
  );

  test.each([
    'http://elsewhere.example',
    'http://127.0.0.1.example:80',
    'http://10.0.0.1',
    'https://user:secret@elsewhere.example',
    'https://elsewhere.example/?x=1',
    'ftp://elsewhere.example',
    'elsewhere.example',
  ])('may not name %s', (address) => {
    expect(() => read({ [name]: address })).toThrow(name);
  });
});

test('the payment provider has no path', () => {
  expect(() => read({ STRIPE_API_BASE: 'https://stripe.example/v1' })).toThrow('STRIPE_API_BASE');
});

test("the OIDC issuer is GitHub's own unless another is named, which may have a path but no slash at its end", () => {
  const issuerOf = (GITHUB_OIDC_ISSUER?: string) => read({ GITHUB_OIDC_ISSUER }).githubOidcIssuer;
  for (const none of [undefined, '']) {
    expect(issuerOf(none)).toBe('https://token.actions.githubusercontent.com');
  }
  const enterprise = 'https://github.example.com/_services/token';
  expect(issuerOf(enterprise)).toBe(enterprise);
  for (const wrong of [`${enterprise}/`, `${enterprise}#x`]) {
    expect(() => issuerOf(wrong)).toThrow('GITHUB_OIDC_ISSUER');
  }
});

test.each([
  [undefined, undefined],
  [' ', undefined],
  [' https://gate.example/ ', 'https://gate.example'],
  ['http://192.168.1.5:3000', 'http://192.168.1.5:3000'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
])('the base URL %p is %p, without a slash at its end', (BASE_URL, expected) => {
  expect(baseUrlFromEnv({ BASE_URL })).toBe(expected);
});

test.each([
  'gate.example',
  'javascript:alert(1)',
  'https://user@gate.example',
  'https://gate.example/v1',
  'https://gate.example?a=b',
  'https://gate.example#a',
])('the base URL %p is refused by name', (BASE_URL) => {
  expect(() => baseUrlFromEnv({ BASE_URL })).toThrow('BASE_URL');
});
