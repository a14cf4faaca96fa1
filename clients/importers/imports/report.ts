import type { Place } from '../../files/read/problems.ts';
import type { Note } from './types.ts';

/** Entries of one type at one place. An assertion of a config's defaults is one of each test. */
interface Occurrence {
  readonly file: string;
  readonly line: number;
  readonly type: string;
  readonly assertions: number;
}

export interface Group {
  readonly reason: string;
  readonly assertions: number;
  readonly places: readonly Occurrence[];
}

/** What is read: `source` as people call it, each of its entries a `unit`. */
export type Source = 'promptfoo' | 'OpenAI Evals' | 'JSONL' | 'CSV' | 'traces';

const UNITS: Readonly<Record<Source, string>> = {
  promptfoo: 'assertion',
  'OpenAI Evals': 'check',
  JSONL: 'row',
  CSV: 'row',
  traces: 'trace',
};

/** What became of a config. Every assertion is in one of the three counts. */
export interface ImportReport {
  readonly source: Source;
  /** One of what is counted. */
  readonly unit: string;
  readonly config: string;
  readonly assertions: number;
  readonly mapped: number;
  readonly mapped_with_difference: number;
  readonly not_mapped: number;
  /** An assertion that differs in two ways is in two groups. */
  readonly differences: readonly Group[];
  /** Each assertion that is not mapped is in one group. */
  readonly missing: readonly Group[];
  /** What may hold tests or assertions that are in no count: nothing reads it. */
  readonly unread: readonly (Place & { readonly message: string })[];
  readonly notes: readonly (Place & { readonly message: string })[];
}

interface Read {
  readonly source: Source;
  readonly config: string;
  readonly unread: readonly Note[];
  readonly notes: readonly Note[];
}

interface Counted {
  readonly place: Place;
  readonly type: string;
}

/** By what an entry differs there. `type`: of the part of it that does. */
export interface Difference {
  readonly reason: string;
  readonly type: string;
}

/** Counts assertions by what became of them, in the order in which they come. */
export class Tally {
  readonly #differences = new Groups();
  readonly #missing = new Groups();
  #mapped = 0;
  #different = 0;
  #notMapped = 0;

  mapped(assertion: Counted, differences: readonly (string | Difference)[]): void {
    if (differences.length === 0) this.#mapped++;
    else this.#different++;
    for (const difference of new Set(differences)) {
      if (typeof difference === 'string') this.#differences.add(difference, assertion);
      else this.#differences.add(difference.reason, { ...assertion, type: difference.type });
    }
  }

  notMapped(assertion: Counted, why: string): void {
    this.#notMapped++;
    this.#missing.add(why, assertion);
  }

  get count(): number {
    return this.#mapped + this.#different + this.#notMapped;
  }

  report({ source, config, unread, notes }: Read): ImportReport {
    return {
      source,
      unit: UNITS[source],
      config,
      assertions: this.count,
      mapped: this.#mapped,
      mapped_with_difference: this.#different,
      not_mapped: this.#notMapped,
      differences: this.#differences.all(),
      missing: this.#missing.all(),
      unread: once(unread),
      notes: once(notes),
    };
  }
}

class Groups {
  readonly #reasons = new Map<string, Map<string, Occurrence>>();

  add(reason: string, { place: { file, line }, type }: Counted): void {
    const places = this.#reasons.get(reason) ?? new Map<string, Occurrence>();
    const id = `${file}\0${line}\0${type}`;
    const assertions = (places.get(id)?.assertions ?? 0) + 1;
    this.#reasons.set(reason, places.set(id, { file, line, type, assertions }));
  }

  /** The largest first. */
  all(): Group[] {
    const groups = [...this.#reasons].map(([reason, places]) => {
      const all = [...places.values()];
      return { reason, assertions: all.reduce((sum, { assertions }) => sum + assertions, 0), places: all };
    });
    return groups.sort((one, other) => other.assertions - one.assertions);
  }
}

const once = (notes: readonly Note[]): (Place & { message: string })[] => [
  ...new Map(
    notes.map(({ place, message }) => [`${place.file}\0${place.line}\0${message}`, { ...place, message }]),
  ).values(),
];
