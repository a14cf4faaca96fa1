import { isJsonObject } from '../kit/json.ts';
import { textOf } from './outputs.ts';

export const SLIP_KINDS = ['number', 'word', 'name'] as const;
export type SlipKind = (typeof SLIP_KINDS)[number];

/** What a case expects, with one wrong fact. */
export interface Slip {
  readonly kind: SlipKind;
  readonly output: string;
  /** The text with the slip, and without it: of an object, that of the member. */
  readonly texts: readonly [slipped: string, expected: string];
}

/** An object has more: each member may be a wrong one. */
const MEMBERS_MAX = 20;

/** At most one of each kind; of an object, of each of its members. `otherName` takes the place of a name. */
export function slipsOf(expected: unknown, otherName: string | undefined): Slip[] {
  return leavesOf(expected).flatMap(({ value, withValue }) => {
    const text = textOf(value);
    return slippedTexts(value, text, otherName).flatMap(([kind, slipped]) => {
      const other = typeof value === 'string' ? slipped : JSON.parse(slipped);
      // A number may be written in several ways.
      return other === value
        ? []
        : [{ kind, output: textOf(withValue(other)), texts: [slipped, text] as const }];
    });
  });
}

/** The last name in what a case expects. */
export function nameIn(expected: unknown): string | undefined {
  const names = leavesOf(expected).flatMap(({ value }) =>
    typeof value === 'string' ? (nameAt(value)?.word ?? []) : [],
  );
  return names.at(-1);
}

interface Leaf {
  readonly value: string | number | boolean;
  /** What is expected, with another value in its place. */
  readonly withValue: (other: unknown) => unknown;
}

function leavesOf(expected: unknown, withValue: Leaf['withValue'] = (other) => other): Leaf[] {
  if (typeof expected === 'string' || typeof expected === 'number' || typeof expected === 'boolean')
    return [{ value: expected, withValue }];
  if (!isJsonObject(expected)) return [];
  const entries = Object.entries(expected);
  const members = entries.flatMap(([changed, value]) =>
    leavesOf(value, (other) =>
      withValue(Object.fromEntries(entries.map(([name, value]) => [name, name === changed ? other : value]))),
    ),
  );
  return members.slice(0, MEMBERS_MAX);
}

type Slipped = readonly [kind: SlipKind, text: string | undefined];

function slippedTexts(
  value: Leaf['value'],
  text: string,
  otherName: string | undefined,
): [SlipKind, string][] {
  const all: readonly Slipped[] = [
    ['number', withOtherNumber(text)],
    ['word', withOppositeWord(text)],
    ['name', typeof value === 'string' ? withOtherName(text, otherName) : undefined],
  ];
  return all.flatMap(([kind, slipped]) =>
    slipped === undefined || slipped === text ? [] : [[kind, slipped]],
  );
}

function withOtherNumber(text: string): string | undefined {
  let index = text.length - 1;
  while (index >= 0 && !isDigit(text[index])) index--;
  if (index < 0) return undefined;
  const digit = text[index] === '9' ? '4' : String(Number(text[index]) + 1);
  return text.slice(0, index) + digit + text.slice(index + 1);
}

const isDigit = (character = ''): boolean => character >= '0' && character <= '9';

const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ['yes', 'no'],
  ['no', 'yes'],
  ['true', 'false'],
  ['false', 'true'],
  ['ja', 'nein'],
  ['nein', 'ja'],
  ['oui', 'non'],
  ['non', 'oui'],
]);
/** Words of their own: `no-one` and `can’t` have none. */
const POLAR = /(?<![\p{L}\p{N}_'’-])(?:yes|no|true|false|ja|nein|oui|non)(?![\p{L}\p{N}_'’-])/iu;
const NOT = /(?<![\p{L}\p{N}_'’-])not(?![\p{L}\p{N}_'’-])/iu;

function withOppositeWord(text: string): string | undefined {
  const polar = POLAR.exec(text);
  const match = polar ?? NOT.exec(text);
  if (match === null) return undefined;
  const [before, behind] = [text.slice(0, match.index), text.slice(match.index + match[0].length)];
  return polar === null ? before + behind.replace(/^\s/, '') : before + likeWritten(match[0]) + behind;
}

function likeWritten(word: string): string {
  const opposite = OPPOSITES.get(word.toLowerCase()) ?? '';
  if (word === word.toUpperCase()) return opposite.toUpperCase();
  return word[0] === word[0]?.toUpperCase() ? opposite[0]?.toUpperCase() + opposite.slice(1) : opposite;
}

function withOtherName(text: string, otherName: string | undefined): string | undefined {
  const name = nameAt(text);
  if (name === undefined) return undefined;
  const [before, behind] = [text.slice(0, name.index), text.slice(name.index + name.word.length)];
  return otherName === undefined ? before.trimEnd() + behind : before + otherName + behind;
}

/** Capitals alone are more often a unit or a currency. */
const NAME = /^\p{P}*(?!\p{Lu}+(?!\p{L}))(\p{Lu}[\p{L}\p{M}]+)(?![\p{L}\p{M}\p{N}])/u;
const ENDS_SENTENCE = /[.!?:;…]["'”’)\]]*$/u;

/** The last word that is capitalised within a sentence. */
function nameAt(text: string): { readonly word: string; readonly index: number } | undefined {
  let last: { readonly word: string; readonly index: number } | undefined;
  let isWithin = false;
  for (const { 0: token, index } of text.matchAll(/\S+/g)) {
    const [head = '', word = ''] = (isWithin && NAME.exec(token)) || [];
    if (word !== '') last = { word, index: index + head.length - word.length };
    isWithin = !ENDS_SENTENCE.test(token);
  }
  return last;
}
