import { firstMisread, firstRounded } from '../../../contracts/json/roundedNumbers.ts';
import { completeOrNull, type Shown, show, showParsed } from '../debugOutput.ts';
import { type Parsed, parseOutput } from '../json.ts';
import type { Trace } from '../trace.ts';
import { type CaseTwins, caseTwins, whyAmbiguous } from './caseTwins.ts';
import { type Extract, extracted } from './extract.ts';
import { type NormalForm, normalized, normalizedTexts } from './normalize.ts';
import { countOutputParts, folded, type PartCounts, type PartsKind } from './parts.ts';
import { withoutReasoning } from './reasoning.ts';

/** Values are computed at most once, and assigned only when complete: an interrupt leaves none half done. */
export class Subject {
  readonly text: string;
  /** What the harness says about the output, such as its latency. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What its agent did; undefined where the harness did not say. */
  readonly trace: Trace | undefined;
  #parsed: Parsed | undefined;
  #depth: number | undefined;
  #lowerCase: string | undefined;
  #rounded: string | null | undefined;
  #misread: string | null | undefined;
  #twins: CaseTwins | undefined;
  #shownText: Shown | undefined;
  #shownJson: Shown | undefined;
  #shownDocument: Shown | undefined;
  readonly #parts = new Map<PartsKind, PartCounts>();
  readonly #foldedParts = new Map<PartsKind, PartCounts>();
  #bare: string | undefined;
  #bareLowerCase: string | undefined;
  #extracted: Map<Extract, Subject> | undefined;
  #normalized: Map<NormalForm, Subject> | undefined;
  #answer: Subject | undefined;
  readonly #keys = new WeakMap<object, readonly string[]>();

  constructor(text: string, metadata: Readonly<Record<string, unknown>> = {}, trace?: Trace) {
    this.text = text;
    this.metadata = metadata;
    this.trace = trace;
  }

  /** The part of the text that should be JSON, as an output of its own. It does not parse where there is no JSON. */
  extracted(extract: Extract): Subject {
    if (extract === 'whole') return this;
    this.#extracted ??= new Map();
    return keep(this.#extracted, extract, () => {
      const outcome = extracted(this.text, extract);
      const subject = new Subject(outcome.ok ? outcome.text : '', this.metadata);
      if (outcome.ok) subject.#depth = outcome.depth;
      else subject.#parsed = { ...outcome, isJson: false };
      return subject;
    });
  }

  /** Without what its model thought aloud. */
  get answer(): Subject {
    if (this.#answer === undefined) {
      const text = withoutReasoning(this.text);
      this.#answer = text === this.text ? this : new Subject(text, this.metadata);
    }
    return this.#answer;
  }

  normalized(form: NormalForm): Subject {
    this.#normalized ??= new Map();
    return keep(this.#normalized, form, () => new NormalizedSubject(this, form));
  }

  get parsed(): Parsed {
    this.#parsed ??= this.parse();
    return this.#parsed;
  }

  protected parse(): Parsed {
    return parseOutput(this.text, this.#depth);
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

  /** Why the parsed output cannot be used where these names, folded, are read; null where it can. */
  ambiguousName(names: () => ReadonlySet<string>): string | null {
    this.#twins ??= caseTwins(this.parsed.ok ? this.parsed.value : undefined);
    return this.#twins.size === 0 ? null : whyAmbiguous(this.#twins, names());
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
    this.#shownDocument ??= this.parsed.ok ? completeOrNull(this.shownJson) : show(null);
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

/** JSON is read as it was written, and the texts in it are normalized: a quotation mark in one ends none. */
class NormalizedSubject extends Subject {
  readonly #origin: Subject;
  readonly #form: NormalForm;

  constructor(origin: Subject, form: NormalForm) {
    super(normalized(origin.text, form), origin.metadata);
    this.#origin = origin;
    this.#form = form;
  }

  protected override parse(): Parsed {
    const { parsed } = this.#origin;
    return parsed.ok
      ? { ...parsed, value: normalizedTexts(parsed.value, this.#form), mayGrow: true }
      : parsed;
  }

  override get roundedNumber(): string | null {
    return this.#origin.roundedNumber;
  }

  override get misreadNumber(): string | null {
    return this.#origin.misreadNumber;
  }
}

interface Kept<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
}

function keep<K, V>(kept: Kept<K, V>, key: K, make: () => V): V {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const value = make();
  kept.set(key, value);
  return value;
}
