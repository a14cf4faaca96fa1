import type { Process } from './processes.ts';
import type { Simulation } from './simulation.ts';

/** The prefix of every stored key, which must appear nowhere in plain text. */
export const SECRET = 'sk-proj-harness-Zx81kQ0vTn37LmYwRb52';

/** A key of an organisation, stored or to be stored. */
interface KnownKey {
  readonly orgId: string;
  readonly provider: string;
  /** When the owner got the answer. */
  storedAtMs?: number;
  isToBeRevoked?: boolean;
  revokedAtMs?: number;
}

/** The owners of all keys, and the answers that the owners got about them. */
export class KnownKeys {
  readonly #sim: Simulation;
  readonly #keys = new Map<string, KnownKey>();
  /** Keys that the provider rejects. */
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

  /** Records that the owner knows it is stored. */
  stored(apiKey: string): void {
    this.#of(apiKey).storedAtMs = this.#sim.now();
  }

  /** Records that the owner asks to revoke it. */
  revoking(apiKey: string): void {
    this.#of(apiKey).isToBeRevoked = true;
  }

  /** Records that the owner knows it is revoked: no later invocation may use it. */
  revoked(apiKey: string, id: string): void {
    this.revokedIds.add(id);
    this.#of(apiKey).revokedAtMs = this.#sim.now();
  }

  /** The start of the time with an unrevoked key of the organisation. */
  heldSinceMs(orgId: string): number {
    const kept = [...this.#keys.values()].filter((key) => key.orgId === orgId && !key.isToBeRevoked);
    return Math.min(...kept.map(({ storedAtMs = Number.POSITIVE_INFINITY }) => storedAtMs));
  }

  rejectsOneOf(orgId: string): boolean {
    return [...this.rejected].some((apiKey) => this.#of(apiKey).orgId === orgId);
  }

  /** Checks whether a process may send this key to this provider, for this organisation's run if given. */
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
