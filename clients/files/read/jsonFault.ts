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
  let offset = endOf(BLANKS, text, 0);
  while (offset < text.length) {
    const token = text.slice(offset, endOfToken(text, offset));
    const depth = open.length;
    const next = stateAfter(token, state, open);
    if (next === undefined) return { offset, depth };
    state = next;
    offset = endOf(BLANKS, text, offset + token.length);
  }
  return { offset: text.length, depth: open.length };
}

function endOfToken(text: string, offset: number): number {
  const character = text[offset] ?? '';
  if (PUNCTUATION.includes(character)) return offset + 1;
  return character === '"' ? endOfString(text, offset) + 1 : endOf(WORD, text, offset);
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

function endOf(expression: RegExp, text: string, offset: number): number {
  expression.lastIndex = offset;
  return expression.test(text) ? expression.lastIndex : offset;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
