import { logLine } from '../log.ts';
import { reasonOf } from '../startupError.ts';
import type { Event } from './resources/objects.ts';
import type { PaymentStore, StoredEvent } from './resources/store.ts';
import { callWebhook } from './webhook.ts';

export interface DeliveryOptions {
  readonly store: PaymentStore;
  readonly webhookUrl: string;
  readonly now: () => number;
}

const FIRST_RETRY_MS = 1_000;
const RETRY_MAX_MS = 60_000;
const GIVE_UP_AFTER_MS = 3 * 86_400_000;

/** Delivers events to the webhook until it answers 2xx, across restarts of this process. */
export class Deliveries {
  readonly #options: DeliveryOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #stopping = new AbortController();

  constructor(options: DeliveryOptions) {
    this.#options = options;
    const { store, now } = options;
    // Events that the last process would have repeated later are tried at once.
    store.change(({ events }) => {
      for (const stored of events) stored.nextAttemptAtMs = Math.min(stored.nextAttemptAtMs, now());
    });
    this.wake();
  }

  /** Delivers the due events and sets timers for the others. */
  wake(): void {
    for (const stored of this.#options.store.read().events) {
      if (stored.state === 'pending' && !this.#underWay.has(stored.event.id)) this.#schedule(stored);
    }
  }

  /** Settles when the current attempts have ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay.values());
  }

  /** Delivers an event once more, in any state. Returns the webhook's status, or 0 without an answer. */
  async deliverAgain(eventId: string): Promise<number> {
    const stored = this.#options.store.read().events.find(({ event }) => event.id === eventId);
    if (stored === undefined) return 0;
    const status = await this.#deliver(stored.event);
    if (isTaken(status)) settle(this.#options, eventId, status);
    return status;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await this.settled();
  }

  #isHeld(): boolean {
    return this.#stopping.signal.aborted || this.#options.store.read().deliveriesHeld;
  }

  #schedule({ event, nextAttemptAtMs }: StoredEvent): void {
    clearTimeout(this.#timers.get(event.id));
    const wait = nextAttemptAtMs - this.#options.now();
    const begin = (): void => this.#begin(event);
    if (wait <= 0) begin();
    else this.#timers.set(event.id, setTimeout(begin, wait).unref());
  }

  #begin(event: Event): void {
    this.#timers.delete(event.id);
    if (this.#isHeld()) return;
    const attempt = this.#deliver(event).then((status) => {
      this.#underWay.delete(event.id);
      if (this.#stopping.signal.aborted) return;
      settle(this.#options, event.id, status);
      this.wake();
    });
    this.#underWay.set(event.id, attempt);
  }

  async #deliver(event: Event): Promise<number> {
    const { store, webhookUrl: url, now } = this.#options;
    const { signal } = this.#stopping;
    const secret = store.read().webhookSecret;
    try {
      const status = await callWebhook({ url, secret, event, nowMs: now(), signal });
      if (!isTaken(status)) logLine('warn', 'payment_event_undelivered', { event_type: event.type, status });
      return status;
    } catch (error) {
      const reason = reasonOf(error instanceof Error ? (error.cause ?? error) : error);
      if (!signal.aborted) logLine('warn', 'payment_event_undelivered', { event_type: event.type, reason });
      return 0;
    }
  }
}

const isTaken = (status: number): boolean => status >= 200 && status < 300;

function settle({ store, now }: DeliveryOptions, id: string, status: number): void {
  store.change(({ events }) => {
    const stored = events.find(({ event }) => event.id === id);
    if (stored === undefined) return;
    stored.attempts++;
    if (isTaken(status)) stored.state = 'delivered';
    else if (now() > stored.event.created * 1_000 + GIVE_UP_AFTER_MS) stored.state = 'given_up';
    else stored.nextAttemptAtMs = now() + Math.min(FIRST_RETRY_MS * 2 ** (stored.attempts - 1), RETRY_MAX_MS);
  });
}
