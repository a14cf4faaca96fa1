import type { Provider } from '../byok/providers.ts';
import type { SlotStore } from './ports.ts';
import { RetainMessage } from './retainMessage.ts';

const RETRIES_MAX = 3;
const FIRST_WAIT_MS = 1_000;
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

/** A slot under the name it was taken by: whoever outlived its lease can't give back another's. */
interface Lease {
  readonly slot: number;
  readonly holder: string;
}

/** Called with a slot that another call of this function is done with, or with none: then look again. */
type Waiter = (lease: Lease | undefined) => void;

/** The calls of one function to one provider for one organisation. */
class Lane {
  readonly #deps: Deps;
  readonly #orgId: string;
  readonly #provider: Provider;
  readonly #waiters: Waiter[] = [];
  #held = 0;

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
    const takenAtMs = this.#deps.now();
    try {
      await before();
      if (this.#deps.now() - takenAtMs > FRESH_MS) await this.#keep(lease);
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

  async #acquire(): Promise<Lease> {
    const { sleep, random } = this.#deps;
    for (let attempt = 0; ; ) {
      const lease = this.#waiters.length === 0 ? await this.#take() : undefined;
      if (lease !== undefined) return lease;
      if (this.#held > 0) {
        // A call of our own under way will hand its slot on: waiting for it is certain to end.
        const handed = await new Promise<Lease | undefined>((resolve) => this.#waiters.push(resolve));
        if (handed !== undefined) return handed;
        continue;
      }
      if (attempt >= RETRIES_MAX) throw new SlotsExceeded();
      await sleep(FIRST_WAIT_MS * 2 ** attempt++ * (0.5 + random() / 2));
    }
  }

  async #take(): Promise<Lease | undefined> {
    const holder = this.#deps.newId();
    const slot = await this.#deps.slots.take(this.#orgId, this.#provider, holder);
    if (slot === undefined) return undefined;
    this.#held++;
    return { slot, holder };
  }

  #renew({ slot, holder }: Lease): Promise<boolean> {
    return this.#deps.slots.renew(this.#orgId, this.#provider, slot, holder);
  }

  async #passOn(lease: Lease): Promise<void> {
    const kept = this.#waiters.length > 0 && (await this.#settled(this.#renew(lease)));
    const next = kept ? this.#waiters.shift() : undefined;
    if (next !== undefined) {
      next(lease);
      return this.#growForWaiters();
    }
    this.#held--;
    // With no call left that would hand on a slot, nobody may go on waiting for one.
    if (this.#held === 0) for (const waiter of this.#waiters.splice(0)) waiter(undefined);
    await this.#settled(this.#deps.slots.release(this.#orgId, this.#provider, lease.slot, lease.holder));
  }

  /** Others may have freed slots meanwhile: under backlog every finished call looks for one more. */
  async #growForWaiters(): Promise<void> {
    if (this.#waiters.length === 0) return;
    const lease = await this.#take().catch(() => undefined);
    if (lease === undefined) return;
    const next = this.#waiters.shift();
    if (next !== undefined) next(lease);
    else await this.#passOn(lease);
  }

  /** A lease that could not be given back expires by itself: the call's own outcome is what counts. */
  async #settled(write: Promise<unknown>): Promise<boolean> {
    return write.then(
      (kept) => kept === true,
      () => false,
    );
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
