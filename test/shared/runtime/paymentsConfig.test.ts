import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../shared/runtime/config.ts';

const STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_x',
  STRIPE_WEBHOOK_SECRETS: 'whsec_new, whsec_old',
  STRIPE_PRICE_PRO: 'price_pro,price_pro_2025',
  STRIPE_PRICE_SCALE: 'price_scale',
  STRIPE_PRICE_PRO_OVERAGE: 'price_pro_overage',
  STRIPE_PRICE_SCALE_OVERAGE: 'price_scale_overage',
  STRIPE_METER_EVENT_NAME: 'runs_beyond_plan',
};

const read = (changes: Record<string, string | undefined> = {}) =>
  readConfig({ TABLE_NAME: 'evalgate', ...STRIPE, ...changes });

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

  test.each(['whsec_new,', ',', ' ', 'whsec_new,,whsec_old'])(
    'hold no blank webhook secret: %j',
    (secrets) => {
      expect(() => read({ STRIPE_WEBHOOK_SECRETS: secrets })).toThrow('STRIPE_WEBHOOK_SECRETS');
    },
  );

  test.each([
    'https://stripe.example',
    'https://stripe.example:8443/',
    'http://127.0.0.1:12111',
    'http://[::1]:1',
    'http://localhost:1',
  ])('may name another address: %s', (base) => {
    expect(read({ STRIPE_API_BASE: base }).payments?.apiBase?.href).toBe(new URL(base).href);
  });

  test.each([
    'http://stripe.example',
    'http://127.0.0.1.example:80',
    'http://169.254.169.254',
    'https://user:secret@stripe.example',
    'https://stripe.example/v1',
    'https://stripe.example/?x=1',
    'ftp://stripe.example',
    'stripe.example',
  ])('may not send the secret key to %s', (base) => {
    expect(() => read({ STRIPE_API_BASE: base })).toThrow('STRIPE_API_BASE');
  });
});
