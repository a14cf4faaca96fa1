import { canonicalJson, isJsonObject, pointerStep } from './json.ts';

/** Sentence punctuation, quotes and brackets at the edges of a word; signs such as `-5`, `$5` and `5%` stay. */
const LEADING = unitsOf(`"'“”‘’«»()[]{}`);
const TRAILING = new Set([...LEADING, ...unitsOf('.;:!?')]);

function unitsOf(characters: string): Set<number> {
  return new Set(Array.from(characters, (character) => character.charCodeAt(0)));
}

/** The words of a text, compared as SQuAD compares answers: separated by blanks and commas, bare of punctuation. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  eachBetween(text, isBlankOrComma, (start, end) => words.push(bareOf(text, start, end)));
  return words;
}

/** A word of nothing but punctuation stays as it is. */
function bareOf(text: string, from: number, to: number): string {
  let [start, end] = [from, to];
  while (start < end && LEADING.has(text.charCodeAt(start))) start++;
  while (start < end && TRAILING.has(text.charCodeAt(end - 1))) end--;
  return start < end ? text.slice(start, end) : text.slice(from, to);
}

/** An array's elements, an object's leaves: as JSON, so that the text "1" and the number 1 are two things. */
export function partsOf(document: unknown): string[] {
  if (Array.isArray(document)) return document.map(canonicalJson);
  if (!isJsonObject(document)) return [canonicalJson(document)];
  const leaves: string[] = [];
  collectLeaves(document, '', leaves);
  return leaves;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function collectLeaves(value: unknown, path: string, leaves: string[]): void {
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) {
    leaves.push(`${path}=${canonicalJson(value)}`);
    return;
  }
  const isArray = Array.isArray(value);
  for (const [key, child] of Object.entries(value)) {
    // A name that looks like an index is quoted: [1] and {"0":1} are two things.
    const step = !isArray && /^["\d]/.test(key) ? JSON.stringify(key) : key;
    collectLeaves(child, path + pointerStep(step), leaves);
  }
}

export interface Items {
  readonly text: string;
  /** Where each item lies in `text`, ascending: [start, end) pairs. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** No well-formed string holds a lone surrogate, so no searched value can reach across it. */
const ITEM_SEPARATOR = '\ud800';

/** The items of an output: the elements of a JSON array, else its lines, else its words. */
export function itemsOf(text: string, parsed: unknown): Items {
  if (Array.isArray(parsed)) return arrayItems(parsed);
  const lines = rangesOf(text, isLineBreak);
  return { text, ranges: lines.length > 1 ? lines : rangesOf(text, isBlankOrComma) };
}

function arrayItems(elements: readonly unknown[]): Items {
  const texts = elements.map((element) => asText(element).toWellFormed());
  const ranges: [number, number][] = [];
  let start = 0;
  for (const text of texts) {
    ranges.push([start, start + text.length]);
    start += text.length + ITEM_SEPARATOR.length;
  }
  return { text: texts.join(ITEM_SEPARATOR), ranges };
}

function rangesOf(text: string, separates: (unit: number) => boolean): [number, number][] {
  const ranges: [number, number][] = [];
  eachBetween(text, separates, (start, end) => ranges.push([start, end]));
  return ranges;
}

/** The texts between separators that are not blank. Not a regular expression, since those backtrack on some texts. */
function eachBetween(
  text: string,
  separates: (unit: number) => boolean,
  visit: (start: number, end: number) => void,
): void {
  let start = 0;
  let isEmpty = true;
  for (let at = 0; at <= text.length; at++) {
    const unit = text.charCodeAt(at);
    if (at < text.length && !separates(unit)) {
      if (isEmpty && !isBlank(unit)) isEmpty = false;
      continue;
    }
    if (!isEmpty) visit(start, at);
    start = at + 1;
    isEmpty = true;
  }
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, BLANK, COMMA] = [0x09, 0x0a, 0x0d, 0x20, 0x2c];
const [NO_BREAK_SPACE, OGHAM_SPACE, EN_QUAD] = [0xa0, 0x1680, 0x2000];
const [IDEOGRAPHIC_SPACE, BYTE_ORDER_MARK] = [0x3000, 0xfeff];
const WIDE_BLANKS = new Set([
  ...Array.from({ length: 11 }, (_, at) => EN_QUAD + at),
  ...[0x2028, 0x2029, 0x202f, 0x205f, IDEOGRAPHIC_SPACE],
]);

const isLineBreak = (unit: number): boolean => unit === LINE_FEED || unit === CARRIAGE_RETURN;
const isBlankOrComma = (unit: number): boolean => unit === COMMA || isBlank(unit);

/** The characters that `\s` matches. */
function isBlank(unit: number): boolean {
  if (unit <= BLANK) return unit === BLANK || (unit >= TAB && unit <= CARRIAGE_RETURN);
  if (unit < EN_QUAD) return unit === NO_BREAK_SPACE || unit === OGHAM_SPACE;
  return unit <= IDEOGRAPHIC_SPACE ? WIDE_BLANKS.has(unit) : unit === BYTE_ORDER_MARK;
}
