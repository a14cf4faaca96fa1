import { createHmac } from 'node:crypto';
import { logLine } from '../log.ts';
import { reasonOf } from '../startupError.ts';
import { seconds } from './provider.ts';
import type { Event, PaymentStore, PaymentsState } from './store.ts';

export interface Deliveries {
  /** Tries to deliver each waiting event once. */
  deliver(): Promise<void>;
  stop(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const RETRY_MS = 60_000;

/** Delivers events to the webhook until it answers 2xx, across restarts of this process. */
export function startDeliveries(store: PaymentStore, webhookUrl: string, now: () => number): Deliveries {
  const stopping = new AbortController();
  let delivered = Promise.resolve();

  async function deliverOne(secret: string, event: Event): Promise<void> {
    const body = JSON.stringify(event);
    try {
      const {
        ok,
        status,
        body: answer,
      } = await fetch(webhookUrl, {
        method: 'POST',
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': sign(secret, seconds(now()), body),
        },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await answer?.cancel();
      if (ok) store((state) => forget(state, event));
      else logLine('warn', 'payment_event_undelivered', { event_type: event.type, status });
    } catch (error) {
      const reason = reasonOf(error instanceof Error ? (error.cause ?? error) : error);
      if (!stopping.signal.aborted)
        logLine('warn', 'payment_event_undelivered', { event_type: event.type, reason });
    }
  }

  async function deliverAll(): Promise<void> {
    if (stopping.signal.aborted) return;
    const { events, webhookSecret } = store((state) => state);
    await Promise.all(events.map((event) => deliverOne(webhookSecret, event)));
  }

  // One after another, so that none is sent twice at once.
  const deliver = (): Promise<void> => (delivered = delivered.then(deliverAll));
  void deliver();
  const timer = setInterval(() => void deliver(), RETRY_MS).unref();
  return {
    deliver,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await delivered;
    },
  };
}

function forget(state: PaymentsState, { id: delivered }: Event): void {
  state.events = state.events.filter(({ id }) => id !== delivered);
}

/** `Stripe-Signature`: the time in seconds, and an HMAC over it and the body. */
export function sign(secret: string, timestamp: number, body: string | Buffer): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}
