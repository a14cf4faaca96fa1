/** Values and characters of a document with its aliases replaced: they may name a large part many times. */
const EXPANDED_MAX = 16_000_000;

interface Anchored {
  readonly value: unknown;
  readonly size: number;
}

type Aliased = { readonly value: unknown } | { readonly why: string };

/** What anchors name, and how large the document is with its aliases replaced. */
export class YamlAnchors {
  /** Undefined while the value is being read: it names itself. */
  readonly #anchored = new Map<string, Anchored | undefined>();
  #size = 0;

  add(size: number): void {
    this.#size += size;
  }

  /** The value that `read` answers, under this name. */
  named(name: string, read: () => unknown): unknown {
    this.#anchored.set(name, undefined);
    const before = this.#size;
    const value = read();
    this.#anchored.set(name, { value, size: this.#size - before });
    return value;
  }

  /** Null where the document became too large, which is reported once. */
  aliased(name: string): Aliased {
    const known = this.#anchored.get(name);
    if (known === undefined) {
      const why = this.#anchored.has(name) ? 'names a value that holds it' : 'names nothing above it';
      return { why: `the alias *${name.slice(0, 100)} ${why}` };
    }
    const before = this.#size;
    this.#size += known.size;
    if (this.#size <= EXPANDED_MAX) return known;
    return before > EXPANDED_MAX
      ? { value: null }
      : { why: 'aliases make the document larger than 16 MB: write less of it by aliases' };
  }
}
