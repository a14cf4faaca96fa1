import { createHmac, randomUUID } from 'node:crypto';

export const WEBHOOK_SECRETS = ['whsec_new', 'whsec_old'] as const;

/** An event as it is sent, with nothing in it that anybody should believe. */
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

export function signatureOf(
  body: string | Buffer,
  { secret = WEBHOOK_SECRETS[0], at = Date.now() }: { secret?: string; at?: number } = {},
): string {
  const seconds = Math.floor(at / 1_000);
  const v1 = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${v1}`;
}

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
  return { status: response.status, body: await response.json() };
}
