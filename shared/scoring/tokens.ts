import { canonicalJson, isJsonObject, pointerStep } from './json.ts';

const SEPARATORS = /[\s,]+/;
/** Sentence punctuation, quotes and brackets at the edges of a word; signs such as `-5`, `$5` and `5%` stay. */
const LEADING = /^["'“”‘’«»()[\]{}]+/;
const TRAILING = /["'“”‘’«»()[\]{}.;:!?]+$/;

const PUNCTUATED = /^["'“”‘’«»()[\]{}]|["'“”‘’«»()[\]{}.;:!?]$/;

/** The words of a text, compared as SQuAD compares answers: separated by blanks and commas, bare of punctuation. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const token of text.split(SEPARATORS)) {
    const word = token.length > 200 || !PUNCTUATED.test(token) ? token : bareOf(token);
    if (word !== '') words.push(word);
    else if (token !== '') words.push(token);
  }
  return words;
}

function bareOf(token: string): string {
  return token.replace(LEADING, '').replace(TRAILING, '');
}

/**
 * The parts of a JSON document that can be right or wrong: an array's elements, an object's leaves. Written as
 * JSON with sorted keys, so that the text "1" and the number 1 are two things.
 */
export function partsOf(document: unknown): string[] {
  if (Array.isArray(document)) return document.map(canonicalJson);
  if (!isJsonObject(document)) return [canonicalJson(document)];
  const leaves: string[] = [];
  collectLeaves(document, '', leaves);
  return leaves;
}

/** A string as it is, anything else as JSON with sorted keys. */
export function asText(value: unknown): string {
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

/** What an output lists: the elements of a JSON array, else its lines, else its words. */
export function itemsOf(text: string, parsed: unknown): Items {
  if (Array.isArray(parsed)) return arrayItems(parsed);
  const lines = rangesOf(text, /[^\r\n]*\S[^\r\n]*/g);
  return { text, ranges: lines.length > 1 ? lines : rangesOf(text, /[^\s,]+/g) };
}

function arrayItems(elements: readonly unknown[]): Items {
  const texts = elements.map(asText);
  const ranges: [number, number][] = [];
  let start = 0;
  for (const text of texts) {
    ranges.push([start, start + text.length]);
    start += text.length + ITEM_SEPARATOR.length;
  }
  return { text: texts.join(ITEM_SEPARATOR), ranges };
}

function rangesOf(text: string, pattern: RegExp): [number, number][] {
  const ranges: [number, number][] = [];
  for (const match of text.matchAll(pattern)) ranges.push([match.index, match.index + match[0].length]);
  return ranges;
}
