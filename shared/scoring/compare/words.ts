import { eachBetween, isBlankOrComma } from './blanks.ts';

/** Where something lies in a text: [start, end). */
export type Range = readonly [start: number, end: number];

/**
 * The words of a text: what blanks and commas separate, bare of the punctuation around it, as SQuAD compares answers. Of
 * scripts that are written without blanks, the words that `Intl.Segmenter` finds. What is nothing but punctuation is no
 * word, unless the text has no other: then `?` and `!` differ.
 */
export function wordRanges(text: string): readonly Range[] {
  const isUnspaced = UNSPACED.test(text);
  const words: Range[] = [];
  eachBetween(text, isBlankOrComma, (start, end) => {
    const bare = bareOf(text, start, end);
    if (isUnspaced) words.push(...spacedOut(text, bare));
    else if (bare[0] < bare[1]) words.push(bare);
  });
  if (words.length === 0) eachBetween(text, isBlankOrComma, (...range) => words.push(range));
  return words;
}

export function wordsOf(text: string): string[] {
  return wordRanges(text).map(([start, end]) => text.slice(start, end));
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

function isPunctuation(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit < 0x80 ? isAsciiPunctuation[unit] === 1 : isAt(PUNCTUATION_HERE, text, at);
}

const lengthAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** Where the last character before `end` begins. */
const startOfLast = (text: string, end: number): number =>
  end > 1 && isLow(text.charCodeAt(end - 1)) && lengthAt(text, end - 2) === 2 ? end - 2 : end - 1;

function isAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const LETTER = `[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;
const UNSPACED = new RegExp(LETTER, 'u');
const UNSPACED_RUN = new RegExp(`(?:(?!\\p{P})${LETTER})+`, 'gu');
/** The segmenter cannot be interrupted: it gets as much as it reads in a millisecond. No sentence is as long. */
const RUN_LENGTH_MAX = 1_000;

let segmenter: Intl.Segmenter | undefined;

/** The words of a part without blanks: those of scripts that have none, and what lies between them. */
function* spacedOut(text: string, [from, to]: Range): Generator<Range> {
  if (typeof Intl === 'undefined' || Intl.Segmenter === undefined) return yield [from, to];
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  let end = from;
  for (const run of text.slice(from, to).matchAll(UNSPACED_RUN)) {
    const start = from + run.index;
    yield* between(text, end, start);
    end = start + run[0].length;
    for (let at = start; at < end; ) {
      let next = Math.min(end, at + RUN_LENGTH_MAX);
      if (next < end && isLow(text.charCodeAt(next))) next--;
      for (const { index, segment } of segmenter.segment(text.slice(at, next)))
        yield [at + index, at + index + segment.length];
      at = next;
    }
  }
  yield* between(text, end, to);
}

function* between(text: string, from: number, to: number): Generator<Range> {
  const bare = bareOf(text, from, to);
  if (bare[0] < bare[1]) yield bare;
}
