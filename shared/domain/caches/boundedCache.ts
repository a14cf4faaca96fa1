interface Bounds<V> {
  readonly maxSize: number;
  /** In the unit of `maxSize`; 1 unless given, so that `maxSize` is a number of entries. */
  readonly sizeOf?: (value: V) => number;
}

interface Entry<V> {
  readonly value: V;
  readonly size: number;
}

/** Keeps the entries that were used last, as far as they fit. What is larger than the whole is not kept. */
export class BoundedCache<V> {
  /** The least recently used one first: a `Map` keeps the order of insertion. */
  readonly #entries = new Map<string, Entry<V>>();
  readonly #bounds: Bounds<V>;
  #size = 0;

  constructor(bounds: Bounds<V>) {
    this.#bounds = bounds;
  }

  get(key: string): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    this.delete(key);
    const { maxSize, sizeOf } = this.#bounds;
    const size = sizeOf?.(value) ?? 1;
    if (size > maxSize) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= maxSize) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#size -= entry.size;
  }
}
