import { BoundedCache } from '../../domain/caches/boundedCache.ts';
import type { Key } from '../table/keys.ts';

export interface Sized<T> {
  readonly value: T;
  readonly size: number;
}

interface Life {
  readonly keptMs: number;
  readonly now: () => number;
}

/** What has a name that is never used twice is kept as long as there is room, or for its life. What is not there is not. */
export class ByName<T> {
  readonly #cache: BoundedCache<Sized<T> & { readonly untilMs: number }>;
  readonly #life: Life;

  constructor(maxSize: number, life: Life = { keptMs: Number.POSITIVE_INFINITY, now: () => 0 }) {
    this.#cache = new BoundedCache({ maxSize, sizeOf: ({ size }) => size });
    this.#life = life;
  }

  /** In the order of the keys. `read` is called with those that are not known, and answers each. */
  async all(
    keys: readonly Key[],
    read: (missing: readonly Key[]) => Promise<readonly Sized<T>[]>,
  ): Promise<readonly T[]> {
    const nowMs = this.#life.now();
    const untilMs = nowMs + this.#life.keptMs;
    const known = keys.map(({ pk, sk }) => {
      const cached = this.#cache.get(`${pk} ${sk}`);
      return cached !== undefined && nowMs < cached.untilMs ? cached : undefined;
    });
    const missing = keys.filter((_, index) => known[index] === undefined);
    const readValues = (missing.length > 0 ? await read(missing) : []).values();
    return keys.map(({ pk, sk }, index) => {
      const sized = known[index] ?? (readValues.next().value as Sized<T>);
      if (known[index] === undefined && sized.value !== undefined)
        this.#cache.set(`${pk} ${sk}`, { ...sized, untilMs });
      return sized.value;
    });
  }
}
