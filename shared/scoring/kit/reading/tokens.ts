import { canonicalJson, isJsonObject, pointerStep } from '../json.ts';
import { eachBetween, isLineBreak } from './blanks.ts';
import { type Ranges, wordRanges } from './words.ts';

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
  /** Where each item lies in `text`. */
  readonly ranges: Ranges;
}

/** No well-formed string holds a lone surrogate, so no searched value can reach across it. */
const ITEM_SEPARATOR = '\ud800';

/** The items of an output: the elements of a JSON array, else its lines, else its words. */
export function itemsOf(text: string, parsed: unknown): Items {
  if (Array.isArray(parsed)) return arrayItems(parsed);
  const lines: number[] = [];
  eachBetween(text, isLineBreak, (start, end) => lines.push(start, end));
  return { text, ranges: lines.length > 2 ? lines : wordRanges(text) };
}

function arrayItems(elements: readonly unknown[]): Items {
  const texts = elements.map((element) => asText(element).toWellFormed());
  const ranges: number[] = [];
  let start = 0;
  for (const text of texts) {
    ranges.push(start, start + text.length);
    start += text.length + ITEM_SEPARATOR.length;
  }
  return { text: texts.join(ITEM_SEPARATOR), ranges };
}
