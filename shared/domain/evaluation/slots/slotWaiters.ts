import type { Provider } from '../../byok/providers.ts';
import { SEATS_MAX, SHARE_LOOK_MS, SLOT_WAIT_MS_MAX, SLOT_WAITERS_MAX, SLOTS_MAX } from '../limits.ts';
import type { Slotted, SlottedCall } from './ports.ts';
import { type Lease, type LeaseDeps, SlotLeases } from './slotLeases.ts';

const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 1_000;
const OTHERS_FIRST_MS = 1_000;
const FAIR_SHARE = SLOTS_MAX / SEATS_MAX;

export interface SlotDeps extends LeaseDeps {
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

interface Waiter {
  readonly sinceMs: number;
  readonly resolve: (lease: Lease | 'no_slot') => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One function's calls to a provider for an organisation. One query looks for slots for all waiters; a call that ends
 * hands its slot to the next, until its lease is due. Then the slot is released: functions without a seat at the
 * provider, whose chunks have a judge there, too, would wait for ever behind two backlogs.
 */
export class SlotWaiters {
  readonly #deps: SlotDeps;
  readonly #orgId: string;
  readonly #provider: Provider;
  readonly #leases: SlotLeases;
  readonly #waiters: Waiter[] = [];
  #isLooking = false;
  #share = SLOTS_MAX;
  #shareAskedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: SlotDeps, orgId: string, provider: Provider) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#provider = provider;
    this.#leases = new SlotLeases(deps, orgId, provider);
  }

  get idle(): boolean {
    return this.#leases.held === 0 && this.#waiters.length === 0;
  }

  get hasSpare(): boolean {
    return this.#waiters.length === 0 && this.#leases.held < this.#share;
  }

  async withSlot<T>({ beforeCall, call }: SlottedCall<T>): Promise<Slotted<T>> {
    const lease = await this.#acquire();
    if (lease === 'no_slot') return { kind: 'not_made', why: lease };
    try {
      for (const check of beforeCall) {
        const why = await check();
        if (why !== undefined) return { kind: 'not_made', why };
      }
      await this.#leases.ensureFresh(lease);
      return { kind: 'made', value: await call() };
    } finally {
      await this.#passOn(lease);
    }
  }

  #acquire(): Promise<Lease | 'no_slot'> {
    // One organisation's backlog must not fill a function that evaluates other organisations' runs, too.
    if (this.#waiters.length >= SLOT_WAITERS_MAX) return Promise.resolve('no_slot');
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject, sinceMs: this.#deps.now() });
      // Those before this waiter have looked already, or are looking.
      if (this.#waiters.length === 1) void this.#look();
    });
  }

  async #passOn(lease: Lease): Promise<void> {
    if (this.#waiters.length > 0) await this.#learnShare();
    const isNeeded = this.#waiters.length > 0 && this.#leases.held <= this.#share;
    this.#dismissLate();
    const isYoung = this.#leases.isYoung(lease);
    if (!(isNeeded && isYoung && this.#handOn(lease))) await this.#leases.release(lease);
    // Other functions may have freed slots meanwhile, and a slot that was used for long is theirs first.
    void this.#look(isYoung ? 0 : OTHERS_FIRST_MS);
  }

  /** Functions with a seat here have equal shares of the slots; a lone one has all. */
  async #learnShare(): Promise<void> {
    const { slots, now } = this.#deps;
    const least = Math.min(this.#share, FAIR_SHARE);
    if (this.#leases.held < least || now() - this.#shareAskedAtMs < SHARE_LOOK_MS) return;
    this.#shareAskedAtMs = now();
    const seats = await slots.countTaken(this.#orgId, `seats:${this.#provider}`).catch(() => undefined);
    if (seats !== undefined) this.#share = Math.floor(SLOTS_MAX / Math.max(1, seats));
  }

  /** While a call waits, another call is under way that will end, or this loop goes on. */
  async #look(afterMs = 0): Promise<void> {
    if (this.#isLooking) return;
    const { sleep, random } = this.#deps;
    this.#isLooking = true;
    // Calls that begin together are looked for together.
    await (afterMs > 0 ? sleep(afterMs) : Promise.resolve());
    for (let retry = 0; ; retry++) {
      const failure = await this.#takeForAll();
      if (this.#leases.held > 0 || this.#waiters.length === 0) break;
      if (retry === RETRIES_MAX) {
        this.#dismissAll(failure);
        break;
      }
      await sleep(FIRST_WAIT_MS * 2 ** retry * (0.5 + random() / 2));
    }
    this.#isLooking = false;
  }

  /** Takes free slots for all waiters. Answers the error when the table failed. */
  async #takeForAll(): Promise<unknown> {
    for (;;) {
      const leaseCount = Math.min(this.#share - this.#leases.held, this.#waiters.length);
      if (leaseCount <= 0) return undefined;
      let failure: unknown;
      const leases = await this.#leases.take(leaseCount).catch((error: unknown) => {
        failure = error;
        return [];
      });
      for (const lease of leases) if (!this.#handOn(lease)) await this.#leases.release(lease);
      if (leases.length < leaseCount) return failure;
    }
  }

  #handOn(lease: Lease): boolean {
    const next = this.#waiters.shift();
    next?.resolve(lease);
    return next !== undefined;
  }

  #dismissAll(failure: unknown): void {
    for (const waiter of this.#waiters.splice(0)) {
      if (failure === undefined) waiter.resolve('no_slot');
      else waiter.reject(failure);
    }
  }

  #dismissLate(): void {
    const longest = () => this.#deps.now() - (this.#waiters[0]?.sinceMs ?? Number.POSITIVE_INFINITY);
    while (longest() > SLOT_WAIT_MS_MAX) this.#waiters.shift()?.resolve('no_slot');
  }
}
