/** Where a text occurs, overlapping itself as well. Knuth, Morris and Pratt: linear, whatever both texts are. */
export class Pattern {
  readonly text: string;
  /** For each start of the text, how long a start of it is also its end. */
  readonly #borders: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#borders = new Uint32Array(text.length);
    for (let at = 1; at < text.length; at++) {
      this.#borders[at] = this.#extended(this.#borders[at - 1] ?? 0, text.charCodeAt(at));
    }
  }

  /** Calls back with the end of each occurrence, in their order. */
  eachEnd(within: string, found: (end: number) => void): void {
    const { length } = this.text;
    let matched = 0;
    for (let at = 0; at < within.length; at++) {
      if (matched === length) matched = this.#borders[length - 1] ?? 0;
      matched = this.#extended(matched, within.charCodeAt(at));
      if (matched === length) found(at + 1);
    }
  }

  #extended(matched: number, code: number): number {
    let length = matched;
    while (length > 0 && this.text.charCodeAt(length) !== code) length = this.#borders[length - 1] ?? 0;
    return this.text.charCodeAt(length) === code ? length + 1 : length;
  }
}

/** A 1 for each character that belongs to an occurrence that counts; undefined where there is none. */
export function occurrences(
  within: string,
  patterns: readonly Pattern[],
  counts: (start: number, end: number) => boolean,
): Uint8Array | undefined {
  let covered: Uint8Array | undefined;
  for (const pattern of patterns) {
    if (pattern.text.length > within.length) continue;
    let coveredTo = 0;
    pattern.eachEnd(within, (end) => {
      const start = end - pattern.text.length;
      if (!counts(start, end)) return;
      covered ??= new Uint8Array(within.length);
      covered.fill(1, Math.max(start, coveredTo), end);
      coveredTo = end;
    });
  }
  return covered;
}
