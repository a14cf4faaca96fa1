import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type PaymentProvider, startPaymentProvider } from '../../support/paymentProvider.ts';
import { deliver, eventOf, signatureOf, WEBHOOK_SECRETS } from '../../support/webhookEvents.ts';
import { type Buyer, newBuyer } from './buyer.ts';

let stripe: PaymentProvider;
let service: OwnService;
beforeAll(async () => {
  stripe = await startPaymentProvider();
  service = await startOwnService(stripe.env);
});
afterAll(async () => {
  await service.stop();
  await stripe.stop();
});
describe('what the provider did not sign just now', () => {
  let buyer: Buyer;
  let body: string;
  let signature: string;
  beforeAll(async () => {
    buyer = await newBuyer(service, stripe);
    buyer.subscribe('price_pro');
    body = eventOf('invoice.paid', { customer: buyer.customer, name: 'Zoë' });
    signature = signatureOf(body);
  });

  const ago = (seconds: number) => Date.now() - seconds * 1_000;
  const signed = (text = body, options = {}) => ({ 'stripe-signature': signatureOf(text, options) });

  /** The SDK takes such a time for the number that it ends with. */
  const disguised = (prefix: string) => {
    const future = signatureOf(body, { at: ago(-600) });
    return { 'stripe-signature': future.replace('t=', `t=${prefix}`) };
  };

  test.each<[string, () => [string, Record<string, string>]]>([
    ['no signature', () => [body, {}]],
    ['an empty signature', () => [body, { 'stripe-signature': '' }]],
    ['a signature of something else', () => [body, signed('{}')]],
    ['a signature by another secret', () => [body, signed(body, { secret: 'whsec_forged' })]],
    ['a signature by no secret', () => [body, signed(body, { secret: '' })]],
    ['a signature without its time', () => [body, { 'stripe-signature': signature.replace(/t=\d+,/, '') }]],
    ['a signature of another scheme', () => [body, { 'stripe-signature': signature.replace('v1=', 'v0=') }]],
    ['a signature cut short', () => [body, { 'stripe-signature': signature.slice(0, -2) }]],
    [
      'a later time beside an old signature',
      () => [body, { 'stripe-signature': signature.replace(/t=\d+/, 't=1') }],
    ],
    ['a body cut short', () => [body.slice(0, -1), { 'stripe-signature': signature }]],
    [
      'a body written anew',
      () => [JSON.stringify(JSON.parse(body), null, 1), { 'stripe-signature': signature }],
    ],
    ['a body with a blank behind it', () => [`${body} `, { 'stripe-signature': signature }]],
    ['a body with a byte order mark', () => [`\ufeff${body}`, { 'stripe-signature': signature }]],
    ['a body in another Unicode form', () => [body.normalize('NFD'), { 'stripe-signature': signature }]],
    ['an empty body', () => ['', signed('')]],
    ['an event of ten minutes ago', () => [body, signed(body, { at: ago(600) })]],
    ['an event of in ten minutes', () => [body, signed(body, { at: ago(-600) })]],
    ['an event of the future, its time with a plus', () => [body, disguised('+')]],
    ['an event of the future, its time with a blank', () => [body, disguised(' ')]],
    [
      'an event of the future beside a second time',
      () => [body, disguised(`${Math.floor(ago(0) / 1_000)},t=`)],
    ],
    ['an event of no time', () => [body, { 'stripe-signature': signature.replace(/t=\d+/, 't=soon') }]],
    ['what is signed and no JSON', () => ['{', signed('{')]],
  ])('%s is refused in the same words, and nothing is changed', async (_, made) => {
    const [text, headers] = made();
    const calls = stripe.calls.length;
    const answer = await deliver(service.baseUrl, text, headers);
    expect(answer).toEqual({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          message: 'This is no event that the payment provider signed just now.',
        },
      },
    });
    expect(stripe.calls.length).toBe(calls);
    expect(await buyer.plan()).toBe('free');
  });

  test('is, however it is signed, no body of more than 256 kB', async () => {
    const large = body.padEnd(262_145);
    const { status, body: refusal } = await deliver(service.baseUrl, large, signed(large));
    expect({ status, said: JSON.stringify(refusal) }).toMatchObject({
      status: 400,
      said: expect.stringContaining('must not be larger than 256 kB'),
    });
    expect(await buyer.plan()).toBe('free');
    const largest = body.padEnd(262_144 - Buffer.byteLength(body) + body.length);
    expect((await deliver(service.baseUrl, largest, signed(largest))).status).toBe(200);
  });

  test('differs from what it signed with either secret, up to five minutes before or after now', async () => {
    for (const secret of WEBHOOK_SECRETS) {
      for (const seconds of [240, -240]) {
        const answer = await deliver(service.baseUrl, body, signed(body, { secret, at: ago(seconds) }));
        expect(answer.status).toBe(200);
      }
    }
    const at = Date.now();
    const [old, current] = ['whsec_forged', WEBHOOK_SECRETS[0]].map((secret) =>
      signatureOf(body, { secret, at }),
    );
    const both = `${old},${current?.split(',')[1]}`;
    expect((await deliver(service.baseUrl, body, { 'stripe-signature': both })).status).toBe(200);
    expect(await buyer.plan()).toBe('pro');
  });

  test('is as well a signed body of bytes that are no text', async () => {
    const bytes = Buffer.concat([Buffer.from(body.slice(0, -2)), Buffer.from([0xff]), Buffer.from('}}')]);
    const response = await fetch(`${service.baseUrl}/v1/billing/webhook`, {
      method: 'POST',
      headers: { 'stripe-signature': signatureOf(bytes) },
      body: bytes,
    });
    expect(response.status).toBe(400);
  });
});
