import { ownOf } from './parts.ts';

/** Where the parts of an entry begin, as offsets. In a list the name is the value. */
export interface Entry {
  readonly name: number;
  readonly value: number;
}

type Entries = ReadonlyMap<PropertyKey, Entry>;

/** Where the entries of lists and maps stand. */
export class YamlEntries {
  readonly #kept = new WeakMap<object, Entries>();

  keep(container: object, entries: Entries): void {
    this.#kept.set(container, entries);
  }

  of(container: unknown): Entries | undefined {
    return typeof container === 'object' && container !== null ? this.#kept.get(container) : undefined;
  }

  /** Gives a map what another one holds; what stands there already stays. Answers how many entries it gave. */
  merge(source: object, map: Record<string, unknown>, entries: Map<PropertyKey, Entry>): number {
    const before = entries.size;
    for (const [name, entry] of this.of(source) ?? []) {
      if (entries.has(name)) continue;
      entries.set(name, entry);
      map[String(name)] = ownOf(source, name);
    }
    return entries.size - before;
  }
}
