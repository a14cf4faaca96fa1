import { outlineOf } from '../../contracts/json/outline.ts';

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
       * Plain words in square brackets, such as `[1]` or `[sic]`, the first two at most: nothing beside an object, and
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
  const found: Answer[] = [];
  const notes: Answer[] = [];
  for (let at = nextBracket(text, 0); at !== -1 && found.length < 2; ) {
    if (!OPENING.has(text[at])) return fault(`closes a bracket at character ${at + 1} that it does not open`);
    const pair = plainPair(text, at);
    const { end, depth } = pair ?? outlineOf(text, at);
    if (end === 0) return fault(`holds an object or array from character ${at + 1} on that is not closed`);
    if (pair === null) found.push({ start: at, end, depth });
    else if (pair.isNote && notes.length < 2) notes.push({ start: at, end, depth });
    at = nextBracket(text, end);
  }
  return { ok: true, found, notes };
}

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
const TEXT_IN_BRACKETS = /\[(?!\s*[`\p{Quotation_Mark}])([^{}[\]]*)\](\(?)/uy;
/** One thing, as opposed to a list. A colon ends no name that begins with a figure: it is a time. */
const PLAIN = /^\s*(?:\d[^,;，；]*|[^\s\d,:;，：；][^,:;，：；]*)$/;
const WHOLE_NUMBER = /^\s*\d+\s*$/;
const JSON_VALUE = /^\s*(?:(?:true|false|null|-?\d[\d.eE+-]*)\s*)?$/;

interface Pair {
  readonly end: number;
  readonly depth: number;
  readonly isNote: boolean;
}

/** Brackets that close before anything looks like JSON, and links of Markdown. */
function plainPair(text: string, start: number): Pair | null {
  if (text[start] === '{') {
    WORDS_IN_BRACES.lastIndex = start;
    const end = WORDS_IN_BRACES.test(text) ? WORDS_IN_BRACES.lastIndex : 0;
    return end === 0 ? null : { end, depth: 1, isNote: false };
  }
  TEXT_IN_BRACKETS.lastIndex = start;
  const [, content, paren = ''] = TEXT_IN_BRACKETS.exec(text) ?? [];
  if (content === undefined) return null;
  const end = TEXT_IN_BRACKETS.lastIndex - paren.length;
  if (WHOLE_NUMBER.test(content)) return { end, depth: 1, isNote: true };
  const [isLink, isPlain] = [paren !== '', PLAIN.test(content)];
  if (JSON_VALUE.test(content) || !(isLink || isPlain)) return null;
  return { end, depth: 1, isNote: !(isLink && isPlain) };
}
