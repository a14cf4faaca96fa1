/** Finds all occurrences of a text, overlapping ones included, by Knuth, Morris and Pratt: linear for any texts. */
export class Pattern {
  readonly text: string;
  /** For each prefix of the text, the length of its longest proper prefix that is also its suffix. */
  readonly #borders: Uint32Array;

  constructor(text: string) {
    this.text = text;
    this.#borders = new Uint32Array(text.length);
    for (let at = 1; at < text.length; at++) {
      this.#borders[at] = this.#extended(this.#borders[at - 1] ?? 0, text.charCodeAt(at));
    }
  }

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

/** A 1 for each character of an occurrence that counts. Undefined without an occurrence. */
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
