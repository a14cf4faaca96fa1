import { randomUUID } from 'node:crypto';
import { sign } from '../../infra/local/payments/deliveries.ts';
import { expectDocumented } from './documented.ts';

export const WEBHOOK_SECRETS = ['whsec_new', 'whsec_old'] as const;

/** An event as it is sent: the body of a delivery. The service may believe nothing of it but the customer's id. */
export const eventOf = (type: string, object: object, fields: object = {}): string =>
  JSON.stringify({
    id: `evt_${randomUUID()}`,
    object: 'event',
    api_version: '2026-10-28.endive',
    type,
    livemode: false,
    data: { object },
    ...fields,
  });

export const signatureOf = (
  body: string | Buffer,
  { secret = WEBHOOK_SECRETS[0], at = Date.now() }: { secret?: string; at?: number } = {},
): string => sign(secret, Math.floor(at / 1_000), body);

export async function deliver(
  baseUrl: string,
  body: string,
  headers: Record<string, string> = { 'stripe-signature': signatureOf(body) },
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${baseUrl}/v1/billing/webhook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  const { status } = response;
  const answer = { status, headers: response.headers, body: await response.json() };
  expectDocumented({ method: 'POST', path: '/v1/billing/webhook', ...answer });
  return { status, body: answer.body };
}
