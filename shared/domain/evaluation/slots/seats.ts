import type { Provider } from '../../byok/providers.ts';
import { HEARTBEAT_MS, SEATS_MAX, SLOT_FRESH_MS } from '../limits.ts';
import type { SlotStore } from './ports.ts';

/** The right to judge for an organisation at a provider. */
export interface Seat {
  /** False when a lease was lost: another evaluator may have the seat, and no call may begin. */
  ensureKept(): Promise<boolean>;
  keep(): Promise<void>;
  release(): Promise<void>;
}

export interface Seats {
  /** Undefined while other functions have the seats. */
  take(orgId: string, provider: Provider): Promise<Seat | undefined>;
  /** Whether another evaluator could take a seat. */
  isFree(orgId: string, provider: Provider): Promise<boolean>;
}

interface SeatDeps {
  readonly slots: SlotStore;
  readonly now: () => number;
  readonly newId: () => string;
}

/** A function has one seat at a provider for an organisation, however many of its chunks it evaluates. */
export function createSeats(deps: SeatDeps): Seats {
  const held = new Map<string, SharedSeat>();
  return {
    async take(orgId, provider) {
      const key = `${orgId}/${provider}`;
      const seat = held.get(key) ?? new SharedSeat(deps, orgId, provider, () => held.delete(key));
      held.set(key, seat);
      return (await seat.join()) ? seat : undefined;
    },

    async isFree(orgId, provider) {
      return (await deps.slots.countTaken(orgId, `seats:${provider}`)) < SEATS_MAX;
    },
  };
}

class SharedSeat implements Seat {
  readonly #deps: SeatDeps;
  readonly #orgId: string;
  readonly #leased: `seats:${Provider}`;
  readonly #onEnd: () => void;
  readonly #holder: string;
  #users = 0;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #taken: Promise<number | undefined> | undefined;
  #renewing: Promise<void> | undefined;

  constructor(deps: SeatDeps, orgId: string, provider: Provider, onEnd: () => void) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#leased = `seats:${provider}`;
    this.#onEnd = onEnd;
    this.#holder = deps.newId();
  }

  async join(): Promise<boolean> {
    this.#users++;
    try {
      this.#taken ??= this.#take();
      if ((await this.#taken) !== undefined) return true;
    } catch (error) {
      await this.release();
      throw error;
    }
    await this.release();
    return false;
  }

  async #take(): Promise<number | undefined> {
    const { slots, now } = this.#deps;
    const sinceMs = now();
    const [lease] = await slots.take(this.#orgId, this.#leased, [this.#holder]);
    this.#renewedAtMs = sinceMs;
    return lease?.slot;
  }

  /** As for a slot: a call that begins on a lease this young ends before the lease does. */
  async ensureKept(): Promise<boolean> {
    const isFresh = () => this.#deps.now() - this.#renewedAtMs <= SLOT_FRESH_MS;
    if (!isFresh()) await this.keep().catch(() => undefined);
    return isFresh();
  }

  /** Every chunk has a heartbeat: one of them renews. */
  keep(): Promise<void> {
    const { now } = this.#deps;
    if (now() - this.#renewedAtMs < HEARTBEAT_MS / 2) return Promise.resolve();
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const { slots, now } = this.#deps;
    const sinceMs = now();
    const slot = await this.#taken;
    if (slot === undefined) return;
    if (await slots.renew(this.#orgId, this.#leased, slot, this.#holder)) this.#renewedAtMs = sinceMs;
  }

  async release(): Promise<void> {
    if (--this.#users > 0) return;
    this.#onEnd();
    const slot = await this.#taken?.catch(() => undefined);
    if (slot === undefined) return;
    await this.#deps.slots.release(this.#orgId, this.#leased, slot, this.#holder).catch(() => undefined);
  }
}
