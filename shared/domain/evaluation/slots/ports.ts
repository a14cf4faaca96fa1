import type { Provider } from '../../byok/providers.ts';

/** A slot under the name it was taken by: whoever outlived its lease can't give back another's. */
export interface SlotLease {
  readonly slot: number;
  readonly holder: string;
}

/** How many slots a function holds, and how many more its calls wait for. */
export interface SlotWish {
  readonly held: number;
  readonly wanted: number;
}

/** Leases on the judge calls that an organisation may have under way at a provider, across all functions. */
export interface SlotStore {
  /** Free slots, one for each holder as far as there are any, taken until they expire. */
  take(orgId: string, provider: Provider, holders: readonly string[]): Promise<readonly SlotLease[]>;
  /** False when it expired and went to another. */
  renew(orgId: string, provider: Provider, slot: number, holder: string): Promise<boolean>;
  release(orgId: string, provider: Provider, slot: number, holder: string): Promise<void>;
  /** Says that a function found too few: known for some seconds, in which it looks again. */
  wish(orgId: string, provider: Provider, wish: SlotWish): Promise<void>;
  /** The latest one. */
  wished(orgId: string, provider: Provider): Promise<SlotWish | undefined>;
}
