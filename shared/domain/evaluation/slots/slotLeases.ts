import type { Provider } from '../../byok/providers.ts';
import { RetainMessage } from '../../messages.ts';
import { HEARTBEAT_MS, SLOT_FRESH_MS } from '../limits.ts';
import type { SlotLease, SlotStore } from './ports.ts';

export interface LeaseDeps {
  readonly now: () => number;
  readonly slots: SlotStore;
  readonly newId: () => string;
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
    this.#held += taken.length;
    return taken.map((lease) => ({ ...lease, renewedAtMs }));
  }

  /** For the next call: renewed if the last time was a heartbeat ago. Undefined when the lease can't be kept. */
  async kept(lease: Lease): Promise<Lease | undefined> {
    return this.#deps.now() - lease.renewedAtMs < HEARTBEAT_MS ? lease : this.#renewed(lease);
  }

  /** A lease that can't be renewed expires by itself, and the ended call's outcome still counts. */
  async #renewed({ slot, holder }: Lease): Promise<Lease | undefined> {
    const renewed = { slot, holder, renewedAtMs: this.#deps.now() };
    const isKept = await this.#deps.slots.renew(this.#orgId, this.#provider, slot, holder).catch(() => false);
    return isKept ? renewed : undefined;
  }

  /** Writes can be slow: a call that outlasts its lease would be one more than may be under way. */
  async ensureFresh(lease: Lease): Promise<void> {
    if (this.#deps.now() - lease.renewedAtMs <= SLOT_FRESH_MS || (await this.#renewed(lease))) return;
    throw new RetainMessage('The lease on a judge slot ran out before the call was made');
  }

  async giveBack({ slot, holder }: Lease): Promise<void> {
    this.#held--;
    await this.#deps.slots.release(this.#orgId, this.#provider, slot, holder).catch(() => undefined);
  }
}
