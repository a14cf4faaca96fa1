import { firstMisread, firstRounded } from '../contracts/json/roundedNumbers.ts';
import { type Extract, extracted } from './compare/extract.ts';
import { type Parsed, parseOutput } from './compare/json.ts';
import { countOutputParts, countParts, folded, type PartCounts, type PartsKind } from './compare/parts.ts';
import { type Shown, show, showParsed, wholeOrNull } from './debugOutput.ts';

/** Values are computed at most once, and assigned only when complete: an interrupt leaves none half done. */
export class Subject {
  readonly text: string;
  /** What the harness says about the output, such as its latency. */
  readonly metadata: Readonly<Record<string, unknown>>;
  #parsed: Parsed | undefined;
  #depth: number | undefined;
  #lowerCase: string | undefined;
  #rounded: string | null | undefined;
  #misread: string | null | undefined;
  #shownText: Shown | undefined;
  #shownJson: Shown | undefined;
  #shownDocument: Shown | undefined;
  readonly #parts = new Map<PartsKind, PartCounts>();
  readonly #foldedParts = new Map<PartsKind, PartCounts>();
  #bare: string | undefined;
  #bareLowerCase: string | undefined;
  #extracted: Map<Extract, Subject> | undefined;
  readonly #keys = new WeakMap<object, readonly string[]>();

  constructor(text: string, metadata: Readonly<Record<string, unknown>> = {}) {
    this.text = text;
    this.metadata = metadata;
  }

  /** What of the text is meant to be JSON, as an output of its own: it does not parse where there is none. */
  extracted(extract: Extract): Subject {
    if (extract === 'whole') return this;
    this.#extracted ??= new Map();
    return keep(this.#extracted, extract, () => {
      const found = extracted(this.text, extract);
      const subject = new Subject(found.ok ? found.text : '', this.metadata);
      if (found.ok) subject.#depth = found.depth;
      else subject.#parsed = { ...found, isJson: false };
      return subject;
    });
  }

  get parsed(): Parsed {
    this.#parsed ??= parseOutput(this.text, this.#depth);
    return this.#parsed;
  }

  /** A number of the parsed output that JSON readers round; null if there is none. */
  get roundedNumber(): string | null {
    if (this.#rounded === undefined) this.#rounded = this.#written(firstRounded);
    return this.#rounded;
  }

  /** A number of the parsed output that is not the number that was written; null when there is none. */
  get misreadNumber(): string | null {
    if (this.#misread === undefined) this.#misread = this.#written(firstMisread);
    return this.#misread;
  }

  #written(find: typeof firstMisread): string | null {
    return this.parsed.ok ? (find(this.text)?.written ?? null) : null;
  }

  /** Lower case by Unicode's locale-free rule. Upper case would take `ı` and `i` for the same letter. */
  get lowerCase(): string {
    this.#lowerCase ??= this.text.toLowerCase();
    return this.#lowerCase;
  }

  /** Without leading and trailing whitespace. */
  bare(caseSensitive: boolean): string {
    if (caseSensitive) {
      this.#bare ??= this.text.trim();
      return this.#bare;
    }
    this.#bareLowerCase ??= this.lowerCase.trim();
    return this.#bareLowerCase;
  }

  get shownText(): Shown {
    this.#shownText ??= show(this.text);
    return this.#shownText;
  }

  get shownJson(): Shown {
    this.#shownJson ??= this.parsed.ok ? showParsed(this.parsed, this.text) : this.shownText;
    return this.#shownJson;
  }

  get shownDocument(): Shown {
    this.#shownDocument ??= this.parsed.ok ? wholeOrNull(this.shownJson) : show(null);
    return this.#shownDocument;
  }

  parts(kind: PartsKind, caseSensitive: boolean): PartCounts {
    if (!caseSensitive) return keep(this.#foldedParts, kind, () => folded(this.parts(kind, true)));
    return keep(this.#parts, kind, () => countOutputParts(this.text, this.parsed, kind));
  }

  keysOf(object: object): readonly string[] {
    return keep(this.#keys, object, () => Object.keys(object));
  }
}

/** The expected value of a case, with derived values. It is kept with the prepared suite between runs. */
export class Expected {
  readonly value: unknown;
  #holdsLarge: boolean | undefined;
  #lowerCase: string | undefined;
  #shown: Shown | undefined;
  #parts: PartCounts | undefined;
  #foldedParts: PartCounts | undefined;

  constructor(value: unknown) {
    this.value = value;
  }

  get isMissing(): boolean {
    return this.value === null || this.value === undefined;
  }

  /** Some number is beyond those that JSON readers keep to the last digit. */
  get holdsLarge(): boolean {
    this.#holdsLarge ??= holdsLarge(this.value);
    return this.#holdsLarge;
  }

  get lowerCase(): string {
    this.#lowerCase ??= String(this.value).toLowerCase();
    return this.#lowerCase;
  }

  get shown(): Shown {
    this.#shown ??= show(this.value);
    return this.#shown;
  }

  parts(caseSensitive: boolean): PartCounts {
    this.#parts ??= countParts(this.value);
    if (caseSensitive) return this.#parts;
    this.#foldedParts ??= folded(this.#parts);
    return this.#foldedParts;
  }
}

export function isLargeNumber(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

function holdsLarge(value: unknown): boolean {
  if (typeof value === 'number') return isLargeNumber(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsLarge);
}

interface Kept<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

function keep<K, V>(kept: Kept<K, V>, key: K, make: () => V): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}
