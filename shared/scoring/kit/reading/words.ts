import { eachBetween, isBlankOrComma } from './blanks.ts';

/** Where parts lie in a text, ascending: start, end, start, end, … A text of a megabyte has a million. */
export type Ranges = readonly number[];
type Range = readonly [start: number, end: number];

/**
 * The words of a text: what blanks and commas separate, bare of the punctuation around it, as SQuAD compares answers. Of
 * scripts that are written without blanks, the words that `Intl.Segmenter` finds. What is nothing but punctuation is no
 * word, unless the text has no other: then `?` and `!` differ.
 */
export function wordRanges(text: string): Ranges {
  const segmenter = segmenterFor(text);
  const words: number[] = [];
  eachBetween(text, isBlankOrComma, (start, end) => {
    if (segmenter === null) addBare(text, start, end, words);
    else addSpacedOut(text, bareOf(text, start, end), words, segmenter);
  });
  if (words.length === 0) eachBetween(text, isBlankOrComma, (start, end) => words.push(start, end));
  return words;
}

export function wordsOf(text: string): string[] {
  return textsOf(text, wordRanges(text));
}

export function textsOf(text: string, ranges: Ranges): string[] {
  const texts: string[] = [];
  for (let index = 0; index < ranges.length; index += 2)
    texts.push(text.slice(ranges[index], ranges[index + 1]));
  return texts;
}

/** Unicode's, to which Markdown's `*` and `_` belong, and the backtick. */
const PUNCTUATION = /[\p{P}`]/u;
const PUNCTUATION_HERE = /[\p{P}`]/uy;
const isAsciiPunctuation = Uint8Array.from({ length: 0x80 }, (_, code) =>
  Number(PUNCTUATION.test(String.fromCharCode(code))),
);

/** Signs of numbers are no punctuation: `-5`, `- 5`, `-$5`, `.5`, `5%`, `5 %` and `5″` are not 5. */
const SIGN_BEFORE =
  /(?:[-\u2010-\u2013\ufe58\ufe63\uff0d][\p{P}`]{0,4}\s?(?:\p{Sc}|\p{N}|\.\p{N})|\.\p{N}|[%\u2030\u2031\u066a\ufe6a\uff05](?!\p{L}))/uy;
const SIGN_BEHIND = /(?<!\p{L}\p{M}{0,4})[%\u2030\u2031\u066a\ufe6a\uff05]|(?<=\p{N})[\u2032-\u2034]/uy;

/** Empty for nothing but punctuation. */
function bareOf(text: string, from: number, to: number): Range {
  let start = from;
  while (start < to && isPunctuation(text, start) && !isAt(SIGN_BEFORE, text, start))
    start += lengthAt(text, start);
  const hasSign = start < to && isPunctuation(text, start);
  const least = hasSign ? start + lengthAt(text, start) : start;
  let end = to;
  while (end > least) {
    const last = startOfLast(text, end);
    if (!isPunctuation(text, last) || isAt(SIGN_BEHIND, text, last)) break;
    end = last;
  }
  return [start, end];
}

function isPunctuation(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit < 0x80 ? isAsciiPunctuation[unit] === 1 : isAt(PUNCTUATION_HERE, text, index);
}

const lengthAt = (text: string, index: number): number => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Where the last character before `end` begins. */
const startOfLast = (text: string, end: number): number =>
  end > 1 && isLow(text.charCodeAt(end - 1)) && lengthAt(text, end - 2) === 2 ? end - 2 : end - 1;

function isAt(expression: RegExp, text: string, index: number): boolean {
  expression.lastIndex = index;
  return expression.test(text);
}

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const LETTER = `[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;
const UNSPACED = new RegExp(LETTER, 'u');
const UNSPACED_RUN = new RegExp(`(?:(?!\\p{P})${LETTER})+`, 'gu');
/** Finding the words of a longer text takes too much time: what has no blanks stays whole there. */
const SEGMENTED_LENGTH_MAX = 40_000;
/** The segmenter cannot be interrupted: it gets as much as it reads in a millisecond. No sentence is as long. */
const RUN_LENGTH_MAX = 1_000;

let known: Intl.Segmenter | undefined;

/** Null where a text needs none, or has to do without. */
function segmenterFor(text: string): Intl.Segmenter | null {
  const hasSegmenter = typeof Intl !== 'undefined' && Intl.Segmenter !== undefined;
  if (!hasSegmenter || text.length > SEGMENTED_LENGTH_MAX || !UNSPACED.test(text)) return null;
  known ??= new Intl.Segmenter('en', { granularity: 'word' });
  return known;
}

/** The words of a part without blanks: those of scripts that have none, and what lies between them. */
function addSpacedOut(text: string, [from, to]: Range, words: number[], segmenter: Intl.Segmenter): void {
  let rest = from;
  for (const run of text.slice(from, to).matchAll(UNSPACED_RUN)) {
    const start = from + run.index;
    addBare(text, rest, start, words);
    rest = start + run[0].length;
    addSegments(text, [start, rest], words, segmenter);
  }
  addBare(text, rest, to, words);
}

function addSegments(text: string, [from, to]: Range, words: number[], segmenter: Intl.Segmenter): void {
  for (let start = from; start < to; ) {
    let next = Math.min(to, start + RUN_LENGTH_MAX);
    if (next < to && isLow(text.charCodeAt(next))) next--;
    // One character is one word, and a call takes as long as a hundred characters.
    if (next - start === 1) words.push(start, next);
    else
      for (const { index, segment } of segmenter.segment(text.slice(start, next)))
        words.push(start + index, start + index + segment.length);
    start = next;
  }
}

function addBare(text: string, from: number, to: number, words: number[]): void {
  const bare = bareOf(text, from, to);
  if (bare[0] < bare[1]) words.push(bare[0], bare[1]);
}

/** The items on which nothing lies, be it with one character. `reach`: by where something begins, where it ends. */
export function itemsNotReached(ranges: Ranges, reach: Int32Array): Ranges {
  const missed: number[] = [];
  let furthest = 0;
  let index = 0;
  for (let item = 0; item < ranges.length; item += 2) {
    const [start = 0, end = 0] = [ranges[item], ranges[item + 1]];
    for (; index < end; index++) furthest = Math.max(furthest, reach[index] ?? 0);
    if (furthest <= start) missed.push(start, end);
  }
  return missed;
}
