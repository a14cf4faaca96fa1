import { BoundedCache } from '../../domain/caches/boundedCache.ts';
import type { Key } from '../table/keys.ts';

export interface Sized<T> {
  readonly value: T;
  readonly size: number;
}

/** What has a name that is never used twice is kept as long as there is room. */
export class ByName<T> {
  readonly #cache: BoundedCache<Sized<T>>;

  constructor(maxSize: number) {
    this.#cache = new BoundedCache({ maxSize, sizeOf: ({ size }) => size });
  }

  /** In the order of the keys. `read` is called with those that are not known, and answers each. */
  async all(
    keys: readonly Key[],
    read: (missing: readonly Key[]) => Promise<readonly Sized<T>[]>,
  ): Promise<readonly T[]> {
    const known = keys.map(({ pk, sk }) => this.#cache.get(`${pk} ${sk}`));
    const missing = keys.filter((_, at) => known[at] === undefined);
    const found = (missing.length > 0 ? await read(missing) : []).values();
    return keys.map(({ pk, sk }, at) => {
      const one = known[at] ?? (found.next().value as Sized<T>);
      if (known[at] === undefined) this.#cache.set(`${pk} ${sk}`, one);
      return one.value;
    });
  }
}
