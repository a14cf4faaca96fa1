import type { Provider } from '../byok/providers.ts';
import type { SlotLease, SlotStore } from './ports.ts';
import { RetainMessage } from './retainMessage.ts';

/** As many as there are. */
const SLOTS = 20;
const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 1_000;
/** Who waits longer for the calls before it gives up, so that no function waits for most of its time. */
const WAIT_MS_MAX = 60_000;
/** A slot that was handed on so often goes back, and no other is taken for a moment: others may be waiting. */
const HAND_OVERS_MAX = 8;
const PAUSE_SHARE = 1 / 16;
const PAUSE_MS_MAX = 4_000;
/** A lease this young outlives the call, also by a clock that is some seconds ahead. */
const FRESH_MS = 10_000;

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

interface Deps {
  readonly now: () => number;
  readonly slots: SlotStore;
  readonly newId: () => string;
  readonly sleep: (ms: number) => Promise<void>;
  readonly random: () => number;
}

interface Lease extends SlotLease {
  readonly takenAtMs: number;
  readonly renewedAtMs: number;
  readonly handOvers: number;
}

interface Waiter {
  readonly sinceMs: number;
  readonly resolve: (lease: Lease) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The calls of one function to one provider for one organisation. They wait in one line: a finished call hands its
 * slot to the first, and one look at the table is made for all of them.
 */
class Lane {
  readonly #deps: Deps;
  readonly #orgId: string;
  readonly #provider: Provider;
  readonly #waiters: Waiter[] = [];
  #held = 0;
  #isLooking = false;
  #isPausing = false;

  constructor(deps: Deps, orgId: string, provider: Provider) {
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
      if (this.#deps.now() - lease.renewedAtMs > FRESH_MS) await this.#keep(lease);
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
    return new Promise((resolve, reject) => {
      this.#waiters.push({ resolve, reject, sinceMs: this.#deps.now() });
      // Behind others there is nothing to find: a look has been made for them, or is being made.
      if (this.#waiters.length === 1) void this.#look();
    });
  }

  /** While anybody waits, either a call is under way that will end, or this goes on, or a pause will end. */
  async #look(): Promise<void> {
    if (this.#isLooking || this.#isPausing) return;
    const { sleep, random } = this.#deps;
    this.#isLooking = true;
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
      const wanted = Math.min(SLOTS - this.#held, this.#waiters.length);
      if (wanted <= 0) return undefined;
      let failure: unknown;
      const leases = await this.#take(wanted).catch((error: unknown) => {
        failure = error;
        return [];
      });
      for (const lease of leases) if (!this.#handOn(lease)) await this.#giveBack(lease);
      if (leases.length < wanted) return failure;
    }
  }

  async #take(count: number): Promise<Lease[]> {
    const { slots, newId, now } = this.#deps;
    const takenAtMs = now();
    const holders = Array.from({ length: count }, newId);
    const taken = await slots.take(this.#orgId, this.#provider, holders);
    this.#held += taken.length;
    return taken.map((lease) => ({ ...lease, takenAtMs, renewedAtMs: takenAtMs, handOvers: 0 }));
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
    while (longest() > WAIT_MS_MAX) this.#waiters.shift()?.reject(new SlotsExceeded());
  }

  async #passOn(lease: Lease): Promise<void> {
    const hasTurn = lease.handOvers < HAND_OVERS_MAX;
    const renewedAtMs = this.#deps.now();
    const kept = this.#waiters.length > 0 && hasTurn && (await this.#renew(lease));
    if (kept && this.#handOn({ ...lease, renewedAtMs, handOvers: lease.handOvers + 1 })) {
      this.#dismissLate();
    } else {
      await this.#giveBack(lease);
      if (!hasTurn) return this.#pause(this.#deps.now() - lease.takenAtMs);
    }
    // Others may have freed slots meanwhile: under backlog every finished call looks for more.
    void this.#look();
  }

  /** In proportion to how long the slot was held: a sixteenth of the lane's calls at most. */
  #pause(heldMs: number): void {
    if (this.#isPausing || this.#waiters.length === 0) return void this.#look();
    this.#isPausing = true;
    const resume = (): Promise<void> => {
      this.#isPausing = false;
      return this.#look();
    };
    void this.#deps.sleep(Math.min(PAUSE_MS_MAX, heldMs * PAUSE_SHARE)).then(resume);
  }
}

/** At most 20 judge calls at once for an organisation and provider, here and in all other functions. */
export function createSlots(deps: Deps) {
  const lanes = new Map<string, Lane>();
  return async <T>(orgId: string, provider: Provider, call: SlottedCall<T>): Promise<T> => {
    const key = `${orgId}/${provider}`;
    const lane = lanes.get(key) ?? new Lane(deps, orgId, provider);
    lanes.set(key, lane);
    try {
      return await lane.withSlot(call);
    } finally {
      if (lane.idle) lanes.delete(key);
    }
  };
}

export type WithSlot = ReturnType<typeof createSlots>;
