import { endOfString } from '../../../shared/contracts/json/jsonText.ts';

/** Where a text stops being JSON, and how many brackets are open there. */
export interface JsonFault {
  readonly offset: number;
  readonly depth: number;
}

/** What may stand next: a value, the name of a member, or what lies between these. */
type State = 'value' | 'firstItem' | 'name' | 'firstName' | 'colon' | 'comma';

const CLOSED_BY: ReadonlyMap<string, { readonly opening: string; readonly first: State }> = new Map([
  [']', { opening: '[', first: 'firstItem' }],
  ['}', { opening: '{', first: 'firstName' }],
]);
const PUNCTUATION = ',:[]{}';
const BLANKS = /[\t\n\r ]*/y;
const WORD = /[^\t\n\r ,:[\]{}"]+/y;

/** The first fault of a text that `JSON.parse` refuses: it names no place for many faults. */
export function jsonFault(text: string): JsonFault {
  const open: string[] = [];
  let state: State = 'value';
  let at = endOf(BLANKS, text, 0);
  while (at < text.length) {
    const token = text.slice(at, endOfToken(text, at));
    const depth = open.length;
    const next = stateAfter(token, state, open);
    if (next === undefined) return { offset: at, depth };
    state = next;
    at = endOf(BLANKS, text, at + token.length);
  }
  return { offset: text.length, depth: open.length };
}

function endOfToken(text: string, at: number): number {
  const character = text[at] ?? '';
  if (PUNCTUATION.includes(character)) return at + 1;
  return character === '"' ? endOfString(text, at) + 1 : endOf(WORD, text, at);
}

/** `open` holds the brackets that are open. Undefined where the token may not stand. */
type Step = (token: string, open: string[]) => State | undefined;

const afterName: Step = (token) => (token.startsWith('"') && isJson(token) ? 'colon' : undefined);

const afterValue: Step = (token, open) => {
  if (token !== '[' && token !== '{') return isJson(token) ? 'comma' : undefined;
  open.push(token);
  return token === '[' ? 'firstItem' : 'firstName';
};

const STEPS: Readonly<Record<State, Step>> = {
  value: afterValue,
  firstItem: afterValue,
  name: afterName,
  firstName: afterName,
  colon: (token) => (token === ':' ? 'value' : undefined),
  comma: (token, open) => {
    if (token !== ',' || open.length === 0) return undefined;
    return open.at(-1) === '{' ? 'name' : 'value';
  },
};

function stateAfter(token: string, state: State, open: string[]): State | undefined {
  const closed = CLOSED_BY.get(token);
  if (closed === undefined) return STEPS[state](token, open);
  const isExpected = state === 'comma' || state === closed.first;
  return isExpected && open.pop() === closed.opening ? 'comma' : undefined;
}

function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
