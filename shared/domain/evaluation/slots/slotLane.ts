import type { Provider } from '../../byok/providers.ts';
import { RetainMessage } from '../../messages.ts';
import { SLOT_FRESH_MS, SLOT_WAIT_MS_MAX, SLOT_WAITERS_MAX, SLOTS_MAX } from '../limits.ts';
import type { SlotLease, SlotStore } from './ports.ts';

const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 1_000;
/** How often a function says that it has too few slots, and asks whether another has. */
const WISH_EVERY_MS = 1_000;
/** As long as a wish is known: after giving way no slot is taken, so that those who wished for it get it. */
const PAUSE_MS = 5_000;

/** All slots stayed taken, by other functions, for as long as a call may wait. */
export class SlotsExceeded extends Error {
  readonly code = 'JUDGE_CONCURRENCY_EXCEEDED';

  constructor() {
    super('All judge slots of the organisation at this provider stayed taken');
    this.name = 'SlotsExceeded';
  }
}

/** `before` is what must be written before the call is made, while the slot is held. */
export interface SlottedCall<T> {
  readonly before: () => Promise<void>;
  readonly call: () => Promise<T>;
}

export interface SlotDeps {
  readonly now: () => number;
  readonly slots: SlotStore;
  readonly newId: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

interface Lease extends SlotLease {
  readonly renewedAtMs: number;
}

interface Waiter {
  readonly sinceMs: number;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The calls of one function to one provider for one organisation. They wait in one line: a finished call hands its
 * slot to the first, and one look at the table is made for all of them. Where another function has fewer slots than
 * this one and wishes for more, some are given back instead.
 */
export class SlotLane {
  readonly #deps: SlotDeps;
  readonly #orgId: string;
  readonly #provider: Provider;
  readonly #waiters: Waiter[] = [];
  #held = 0;
  #isLooking = false;
  #isPausing = false;
  /** How many slots go back to others as soon as their calls end. */
  #owed = 0;
  #wishedAtMs = 0;
  #askedAtMs = 0;

  constructor(deps: SlotDeps, orgId: string, provider: Provider) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#provider = provider;
  }

  get idle(): boolean {
    return this.#held === 0 && this.#waiters.length === 0;
  }

  async withSlot<T>({ before, call }: SlottedCall<T>): Promise<T> {
    const lease = await this.#acquire();
    try {
      await before();
      if (this.#deps.now() - lease.renewedAtMs > SLOT_FRESH_MS) await this.#keep(lease);
      return await call();
    } finally {
      await this.#passOn(lease);
    }
  }

  /** Writes can be slow: a call must not outlive its lease, or it would be one more than there may be. */
  async #keep(lease: Lease): Promise<void> {
    const kept = await this.#renew(lease);
    if (!kept) throw new RetainMessage('The lease on a judge slot ran out before the call was made');
  }

  #acquire(): Promise<Lease> {
    // One organisation's backlog must not hold all the places that a function has for everybody's messages.
    if (this.#waiters.length >= SLOT_WAITERS_MAX) return Promise.reject(new SlotsExceeded());
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject, sinceMs: this.#deps.now() });
      // Behind others there is nothing to find: a look has been made for them, or is being made.
      if (this.#waiters.length === 1) void this.#look();
    });
  }

  async #passOn(lease: Lease): Promise<void> {
    if (this.#waiters.length > 0) await this.#askWhetherOthersWish();
    const givesWay = this.#owed > 0 && this.#owed-- > 0;
    const renewed = { ...lease, renewedAtMs: this.#deps.now() };
    const kept = this.#waiters.length > 0 && !givesWay && (await this.#renew(renewed));
    if (kept && this.#handOn(renewed)) this.#dismissLate();
    else await this.#giveBack(lease);
    // Others may have freed slots meanwhile: under backlog every finished call looks for more.
    void this.#look();
  }

  /** While anybody waits, either a call is under way that will end, or this goes on, or a pause will end. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#isPausing) return;
    const { sleep, random } = this.#deps;
    this.#isLooking = true;
    // Calls that begin together are looked for together.
    await Promise.resolve();
    for (let attempt = 0; ; attempt++) {
      const failure = await this.#takeForAll();
      if (this.#held > 0 || this.#waiters.length === 0) break;
      if (attempt === RETRIES_MAX) {
        for (const waiter of this.#waiters.splice(0)) waiter.reject(failure ?? new SlotsExceeded());
        break;
      }
      await sleep(FIRST_WAIT_MS * 2 ** attempt * (0.5 + random() / 2));
    }
    this.#isLooking = false;
  }

  /** Hands on what is free. Answers why nothing could be taken, if not because all are taken. */
  async #takeForAll(): Promise<unknown> {
    for (;;) {
      const wanted = Math.min(SLOTS_MAX - this.#held, this.#waiters.length);
      if (wanted <= 0) return undefined;
      let failure: unknown;
      const leases = await this.#take(wanted).catch((error: unknown) => {
        failure = error;
        return [];
      });
      for (const lease of leases) if (!this.#handOn(lease)) await this.#giveBack(lease);
      if (leases.length === wanted) continue;
      await this.#wish();
      return failure;
    }
  }

  async #take(count: number): Promise<Lease[]> {
    const { slots, newId, now } = this.#deps;
    const renewedAtMs = now();
    const holders = Array.from({ length: count }, newId);
    const taken = await slots.take(this.#orgId, this.#provider, holders);
    this.#held += taken.length;
    return taken.map((lease) => ({ ...lease, renewedAtMs }));
  }

  /** A lease that can't be kept or given back expires by itself: the call's own outcome is what counts. */
  #renew({ slot, holder }: Lease): Promise<boolean> {
    return this.#deps.slots.renew(this.#orgId, this.#provider, slot, holder).catch(() => false);
  }

  async #giveBack({ slot, holder }: Lease): Promise<void> {
    this.#held--;
    await this.#deps.slots.release(this.#orgId, this.#provider, slot, holder).catch(() => undefined);
  }

  #handOn(lease: Lease): boolean {
    const next = this.#waiters.shift();
    next?.resolve(lease);
    return next !== undefined;
  }

  #dismissLate(): void {
    const longest = () => this.#deps.now() - (this.#waiters[0]?.sinceMs ?? Number.POSITIVE_INFINITY);
    while (longest() > SLOT_WAIT_MS_MAX) this.#waiters.shift()?.reject(new SlotsExceeded());
  }

  /** Without it the others merely give way later. */
  async #wish(): Promise<void> {
    const { slots, now } = this.#deps;
    if (this.#waiters.length === 0 || now() - this.#wishedAtMs < WISH_EVERY_MS) return;
    this.#wishedAtMs = now();
    const wish = { held: this.#held, wanted: this.#waiters.length };
    await slots.wish(this.#orgId, this.#provider, wish).catch(() => undefined);
  }

  /** Half of what this function has more than the one that wishes, so that both have as many then. */
  async #askWhetherOthersWish(): Promise<void> {
    const { slots, now, sleep } = this.#deps;
    if (this.#isPausing || now() - this.#askedAtMs < WISH_EVERY_MS) return;
    this.#askedAtMs = now();
    const wish = await slots.wished(this.#orgId, this.#provider).catch(() => undefined);
    if (wish === undefined || this.#isPausing) return;
    this.#owed = Math.min(wish.wanted, Math.floor((this.#held - wish.held) / 2));
    if (this.#owed <= 0) return;
    this.#isPausing = true;
    const resume = (): Promise<void> => {
      this.#owed = 0;
      this.#isPausing = false;
      return this.#look();
    };
    void sleep(PAUSE_MS).then(resume);
  }
}
