import type { Provider } from '../../byok/providers.ts';
import { HEARTBEAT_MS, SEATS_MAX, SLOT_FRESH_MS } from '../limits.ts';
import type { Leased, SlotStore } from './ports.ts';

/** The right to judge for an organisation. */
export interface Seat {
  /** False when a lease was lost: another evaluator may have the seat, and no call may begin. */
  ensureKept(): Promise<boolean>;
  keep(): Promise<void>;
  giveBack(): Promise<void>;
}

export interface Seats {
  /**
   * At the first of these providers. At the others the evaluator is a guest: nobody keeps it out, and it counts where
   * evaluators share slots. Undefined while others have the seats.
   */
  take(orgId: string, providers: readonly Provider[]): Promise<Seat | undefined>;
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

  async function takeOne(orgId: string, of: Leased): Promise<SharedSeat | undefined> {
    const key = `${orgId}/${of}`;
    const seat = held.get(key) ?? new SharedSeat(deps, orgId, of, () => held.delete(key));
    held.set(key, seat);
    return (await seat.join()) ? seat : undefined;
  }

  return {
    async take(orgId, [first, ...others]) {
      if (first === undefined) return NO_SEAT_NEEDED;
      const own = await takeOne(orgId, `seats:${first}`);
      if (own === undefined) return undefined;
      // Without its place a guest gets slots all the same, only later.
      const asGuest = others.map((provider) => takeOne(orgId, `guests:${provider}`).catch(() => undefined));
      const all = [own, ...(await Promise.all(asGuest)).filter((seat) => seat !== undefined)];
      return {
        ensureKept: () => own.ensureFresh(),
        keep: async () => void (await Promise.all(all.map((one) => one.renew()))),
        giveBack: async () => void (await Promise.all(all.map((one) => one.leave()))),
      };
    },

    async isFree(orgId, provider) {
      return (await deps.slots.countTaken(orgId, `seats:${provider}`)) < SEATS_MAX;
    },
  };
}

const NO_SEAT_NEEDED: Seat = {
  ensureKept: async () => true,
  keep: async () => {},
  giveBack: async () => {},
};

class SharedSeat {
  readonly #deps: SeatDeps;
  readonly #orgId: string;
  readonly #of: Leased;
  readonly #onEnd: () => void;
  readonly #holder: string;
  #users = 0;
  #renewedAtMs = Number.NEGATIVE_INFINITY;
  #taken: Promise<number | undefined> | undefined;
  #renewing: Promise<void> | undefined;

  constructor(deps: SeatDeps, orgId: string, of: Leased, onEnd: () => void) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#of = of;
    this.#onEnd = onEnd;
    this.#holder = deps.newId();
  }

  async join(): Promise<boolean> {
    this.#users++;
    try {
      this.#taken ??= this.#take();
      if ((await this.#taken) !== undefined) return true;
    } catch (error) {
      await this.leave();
      throw error;
    }
    await this.leave();
    return false;
  }

  async #take(): Promise<number | undefined> {
    const { slots, now } = this.#deps;
    const askedAtMs = now();
    const [lease] = await slots.take(this.#orgId, this.#of, [this.#holder]);
    this.#renewedAtMs = askedAtMs;
    return lease?.slot;
  }

  /** As for a slot: a call that begins on a lease this young ends before the lease does. */
  async ensureFresh(): Promise<boolean> {
    const isFresh = () => this.#deps.now() - this.#renewedAtMs <= SLOT_FRESH_MS;
    if (!isFresh()) await this.renew().catch(() => undefined);
    return isFresh();
  }

  /** Every chunk has a heartbeat: one of them renews. */
  renew(): Promise<void> {
    const { now } = this.#deps;
    if (now() - this.#renewedAtMs < HEARTBEAT_MS / 2) return Promise.resolve();
    this.#renewing ??= this.#renew().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    const { slots, now } = this.#deps;
    const askedAtMs = now();
    const slot = await this.#taken;
    if (slot === undefined) return;
    if (await slots.renew(this.#orgId, this.#of, slot, this.#holder)) this.#renewedAtMs = askedAtMs;
  }

  async leave(): Promise<void> {
    if (--this.#users > 0) return;
    this.#onEnd();
    const slot = await this.#taken?.catch(() => undefined);
    if (slot === undefined) return;
    await this.#deps.slots.release(this.#orgId, this.#of, slot, this.#holder).catch(() => undefined);
  }
}
