import type { Process } from './processes.ts';
import type { Simulation } from './simulation.ts';

/** Every key that is stored begins so, and is to be read nowhere. */
export const SECRET = 'sk-proj-harness-Zx81kQ0vTn37LmYwRb52';

/** A key that somebody stores, or tries to. */
interface KnownKey {
  readonly orgId: string;
  readonly provider: string;
  /** Since its owner was told so. */
  storedAtMs?: number;
  isToBeRevoked?: boolean;
  revokedAtMs?: number;
}

/** Whose the keys are that a provider is shown, and what their owners were told of them. */
export class KnownKeys {
  readonly #sim: Simulation;
  readonly #keys = new Map<string, KnownKey>();
  /** Keys that the provider does not take. */
  readonly rejected = new Set<string>();
  readonly revokedIds = new Set<string>();

  constructor(sim: Simulation) {
    this.#sim = sim;
  }

  /** A new key of this organisation. */
  issue(orgId: string, provider: string): string {
    const apiKey = `${SECRET}-${this.#keys.size}`;
    this.#keys.set(apiKey, { orgId, provider });
    return apiKey;
  }

  /** Its owner was told that it is stored. */
  stored(apiKey: string): void {
    this.#of(apiKey).storedAtMs = this.#sim.now();
  }

  /** Its owner asks for that. */
  revoking(apiKey: string): void {
    this.#of(apiKey).isToBeRevoked = true;
  }

  /** Its owner was told so: no invocation that begins from now on may use it. */
  revoked(apiKey: string, id: string): void {
    this.revokedIds.add(id);
    this.#of(apiKey).revokedAtMs = this.#sim.now();
  }

  /** Since when an organisation has had a key that it never asked to be revoked. */
  heldSinceMs(orgId: string): number {
    const kept = [...this.#keys.values()].filter((key) => key.orgId === orgId && !key.isToBeRevoked);
    return Math.min(...kept.map(({ storedAtMs = Number.POSITIVE_INFINITY }) => storedAtMs));
  }

  rejectsOneOf(orgId: string): boolean {
    return [...this.rejected].some((apiKey) => this.#of(apiKey).orgId === orgId);
  }

  /** Whether a process may show this key to this provider, for a run of this organisation if it is for any. */
  check(process: Process, apiKey: string, provider: string, orgId: string | undefined): void {
    const { revokedAtMs, ...key } = this.#of(apiKey);
    if (orgId !== undefined && key.orgId !== orgId) {
      this.#sim.violated(`a call for organisation ${orgId} came with the key of ${key.orgId}`);
    }
    if (key.provider !== provider) this.#sim.violated(`a key of ${key.provider} was shown to ${provider}`);
    if (revokedAtMs !== undefined && process.busySinceMs > revokedAtMs) {
      this.#sim.violated(`${process.name} called with a key that was revoked before it began`);
    }
  }

  #of(apiKey: string): KnownKey {
    return this.#keys.get(apiKey) ?? { orgId: 'nobody', provider: 'nobody' };
  }
}
