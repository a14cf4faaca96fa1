import type { Provider } from '../../byok/providers.ts';
import { RetainMessage } from '../../messages.ts';
import { HEARTBEAT_MS, SLOT_FRESH_MS } from '../limits.ts';
import type { SlotLease, SlotStore } from './ports.ts';

export interface LeaseDeps {
  readonly now: () => number;
  readonly slots: SlotStore;
  readonly newId: () => string;
  /** How many slots at a provider were taken, or released: then it is negative. */
  readonly onChange?: (provider: Provider, change: number) => void;
}

export interface Lease extends SlotLease {
  readonly renewedAtMs: number;
}

export class SlotLeases {
  readonly #deps: LeaseDeps;
  readonly #orgId: string;
  readonly #provider: Provider;
  #held = 0;

  constructor(deps: LeaseDeps, orgId: string, provider: Provider) {
    this.#deps = deps;
    this.#orgId = orgId;
    this.#provider = provider;
  }

  get held(): number {
    return this.#held;
  }

  async take(count: number): Promise<Lease[]> {
    const { slots, newId, now } = this.#deps;
    const renewedAtMs = now();
    const holders = Array.from({ length: count }, newId);
    const taken = await slots.take(this.#orgId, this.#provider, holders);
    this.#count(taken.length);
    return taken.map((lease) => ({ ...lease, renewedAtMs }));
  }

  #count(change: number): void {
    this.#held += change;
    if (change !== 0) this.#deps.onChange?.(this.#provider, change);
  }

  /** Whether the next call may have it as it is. */
  isYoung(lease: Lease): boolean {
    return this.#deps.now() - lease.renewedAtMs < HEARTBEAT_MS;
  }

  /** Writes can be slow: a call that outlasts its lease would be one more than may be under way. */
  async ensureFresh(lease: Lease): Promise<void> {
    const { slots, now } = this.#deps;
    if (now() - lease.renewedAtMs <= SLOT_FRESH_MS) return;
    if (await slots.renew(this.#orgId, this.#provider, lease.slot, lease.holder).catch(() => false)) return;
    throw new RetainMessage('The lease on a judge slot ran out before the call was made');
  }

  async release({ slot, holder }: Lease): Promise<void> {
    this.#count(-1);
    await this.#deps.slots.release(this.#orgId, this.#provider, slot, holder).catch(() => undefined);
  }
}
