import type { Provider } from '../../byok/providers.ts';

/** A slot with the name it was taken under: a holder whose lease ran out can't give back the slot of another. */
export interface SlotLease {
  readonly slot: number;
  readonly holder: string;
}

/** What leases are taken of: judge calls at a provider (20), or the seats of evaluators there (2). */
export type Leased = Provider | `seats:${Provider}`;

/** Leases that an organisation's evaluators share across all functions. */
export interface SlotStore {
  /** Takes a free slot for each holder, as far as there are any, until the leases run out. */
  take(orgId: string, leased: Leased, holders: readonly string[]): Promise<readonly SlotLease[]>;
  /** False when the lease ran out and the slot went to another holder. */
  renew(orgId: string, leased: Leased, slot: number, holder: string): Promise<boolean>;
  release(orgId: string, leased: Leased, slot: number, holder: string): Promise<void>;
  countTaken(orgId: string, leased: Leased): Promise<number>;
}

/** Why a call was not made. `no_slot`: the slots stayed taken. The others are answers of the checks before a call. */
export type NotMade = 'no_slot' | 'calls_exhausted' | 'key_revoked';

/** Runs while the slot is held. Undefined: the call may be made. */
export type CallCheck = () => Promise<Exclude<NotMade, 'no_slot'> | undefined>;

export interface SlottedCall<T> {
  /** Run one after the other, up to the first that refuses the call. */
  readonly beforeCall: readonly CallCheck[];
  readonly call: () => Promise<T>;
}

export type Slotted<T> =
  | { readonly kind: 'made'; readonly value: T }
  | { readonly kind: 'not_made'; readonly why: NotMade };
