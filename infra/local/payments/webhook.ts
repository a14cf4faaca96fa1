import { createHmac } from 'node:crypto';
import { seconds } from './resources/change.ts';
import type { Event } from './resources/objects.ts';

export interface WebhookCall {
  readonly url: string;
  readonly secret: string;
  readonly event: Event;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 10_000;

export async function callWebhook({ url, secret, event, nowMs, signal }: WebhookCall): Promise<number> {
  const body = JSON.stringify(event);
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'stripe-signature': sign(secret, seconds(nowMs), body),
    },
    body,
    redirect: 'manual',
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  await response.body?.cancel();
  return response.status;
}

/** `Stripe-Signature`: the time in seconds, and an HMAC over it and the body. */
export function sign(secret: string, timestamp: number, body: string | Buffer): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
