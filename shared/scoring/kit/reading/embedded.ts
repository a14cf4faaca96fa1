import { outlineOf } from '../../../contracts/json/outline.ts';

/** An object or array to some reader, be it broken. */
interface Answer {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

export type Answers =
  | {
      readonly ok: true;
      /** The first two at most. */
      readonly found: readonly Answer[];
      /**
       * Plain words or numbers in square brackets, such as `[sic]` or `[1, 2]`, the first two at most: nothing beside an object, and
       * another array beside an array.
       */
      readonly notes: readonly Answer[];
    }
  | { readonly ok: false; readonly reason: string };

/**
 * Every bracket of a text has to belong to an answer, or to a pair around plain words. So no answer lies within what only
 * lenient readers take for JSON, or beside it. Takes time in proportion to the text.
 */
export function answersIn(text: string): Answers {
  const answers = bracketsOf(text);
  return answers.ok && INSIDE.test(text)
    ? fault('begins with the name of a member, as if an object had begun before it')
    : answers;
}

function bracketsOf(text: string): Answers {
  const found: Answer[] = [];
  const notes: Answer[] = [];
  for (let start = nextBracket(text, 0); start !== -1 && found.length < 2; ) {
    if (!OPENING.has(text[start]))
      return fault(`closes a bracket at character ${start + 1} that it does not open`);
    const pair = plainPair(text, start);
    const { end, depth } = pair ?? outlineOf(text, start);
    if (end === 0) return fault(`holds an object or array from character ${start + 1} on that is not closed`);
    if (pair === null) found.push({ start, end, depth });
    else if (pair.isNote && notes.length < 2) notes.push({ start, end, depth });
    start = nextBracket(text, end);
  }
  return { ok: true, found, notes };
}

/** Where a harness gives the model its first brace, or cuts it off. */
const INSIDE = /^\s*\p{Quotation_Mark}\P{Quotation_Mark}*\p{Quotation_Mark}\s*[:=：＝]/u;

const OPENING: ReadonlySet<string | undefined> = new Set(['{', '[']);

const fault = (what: string): Answers => ({ ok: false, reason: `output ${what}` });

function nextBracket(text: string, from: number): number {
  BRACKET.lastIndex = from;
  return BRACKET.exec(text)?.index ?? -1;
}

const BRACKET = /[[\]{}]/g;
/** A name in braces: nothing that ends a name or a value, and no quote. */
const WORDS_IN_BRACES =
  /\{\s*[^\s{}[\]:,;=：，；＝`\p{Quotation_Mark}][^{}[\]:,;=：，；＝`\p{Quotation_Mark}]*\}/uy;
/** Also dates, ranges, and the box of a task that is not done. */
const NUMBERS = /\[\s*(?:[-\d][\d.eE+-]*\s*(?:,\s*[-\d][\d.eE+-]*\s*)*)?\]/y;
/** One thing that is no JSON, as opposed to a list. A colon ends no name that begins with a figure: it is a time. */
const WORDS_IN_BRACKETS =
  /\[(?!\s*(?:(?:true|false|null|-?\d[\d.eE+-]*)\s*)?\])\s*(?:\d[^{}[\],;，；]*|[^\s\d{}[\]:,;：，；`\p{Quotation_Mark}][^{}[\]:,;：，；]*)\]/uy;
const LINK =
  /\[\s*(?!(?:true|false|null|-?\d[\d.eE+-]*)\s*\])[^\s{}[\]`\p{Quotation_Mark}][^{}[\]]*\](?=\()/uy;

interface Pair {
  readonly end: number;
  readonly depth: number;
  readonly isNote: boolean;
}

/** Brackets that close before anything looks like JSON, and links of Markdown. */
function plainPair(text: string, start: number): Pair | null {
  const pair = (end: number, isNote: boolean): Pair | null => (end === 0 ? null : { end, depth: 1, isNote });
  if (text[start] === '{') return pair(endOf(WORDS_IN_BRACES, text, start), false);
  const end = endOf(WORDS_IN_BRACKETS, text, start);
  if (end !== 0) return pair(end, text[end] !== '(');
  return pair(endOf(NUMBERS, text, start) || endOf(LINK, text, start), true);
}

/** 0 where there is none. */
function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : 0;
}
