import { clip } from '../kit/text.ts';
import { POSIX_CLASSES } from './instead.ts';

/** Expressions for what is read otherwise here. Each is matched at one place, and takes time in proportion to its match. */

export function matchAt(expression: RegExp, text: string, index: number): string | undefined {
  expression.lastIndex = index;
  return expression.exec(text)?.[0];
}

/** As a program has it, with flags: `/secret/i`. */
export const DELIMITED = /^\/(?:\\.|[^/\\])+\/([dgimsuvxy]{1,2}|g[imsuy]{2,5})$/s;

interface Groups {
  readonly count: number;
  readonly areNamed: boolean;
}

const PART = /\\.|\[(?:\\.|[^\]\\])*(?:\]|\\?$)|\((?!\?)|\(\?<(?![=!])/gs;

export function groupsOf(pattern: string): Groups {
  const opened = pattern.match(PART)?.filter((part) => part.startsWith('(')) ?? [];
  return { count: opened.length, areNamed: opened.includes('(?<') };
}

export const BRACED = /\\[a-z]\{[^{}]{0,20}\}/iy;
/** Escapes that are known if they are complete. */
export const COMPLETE = /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|c[a-zA-Z])/y;
export const CODE_POINT = /\\u\{[\da-fA-F]+\}/y;
export const DIGITS = /\d{1,9}/y;
export const POSIX = /\[([:.=])\^?[a-z<>]{1,20}\1\]/iy;
export const INLINE_FLAGS = /\(\?\^?[a-z]*(?:-[a-z]+)?\)/iy;
export const INTERSECTED = /&&(?:[[\\^]|[^\]]-[^\]])/y;
/** Two brackets in a row end it. One that holds nothing but a bracket is none. */
export const INNER_CLASS = /\[(?!\\[[\]]\]\])(?:\\.|[^[\]\\])+\]\]/sy;
export const ASTRAL_IN_CLASS = /[\ud800-\udbff][\udc00-\udfff]/y;
export const ASTRAL_REPEATED = /[\ud800-\udbff][\udc00-\udfff](?:[*+?]|\{\d)/y;

/** On either side, also as the first or the last letter of one of the alternatives in a group. */
const OTHER_LETTER = String.raw`(?=\p{L})\P{ASCII}`;
const ALTERNATIVE = String.raw`(?:\\.|[^()[\]\\|])*`;
export const EDGE_OF_OTHER_LETTERS = new RegExp(
  String.raw`\\b(?:\((?:\?:)?(?:${ALTERNATIVE}\|)*|\[)?${OTHER_LETTER}` +
    String.raw`|(?<=${OTHER_LETTER}(?:(?:\|${ALTERNATIVE})*\))?)\\b`,
  'suy',
);

/** Outside of classes. JavaScript refuses most of these without saying what to write. */
export const FOREIGN: readonly (readonly [RegExp, string])[] = [
  [
    /\{(?!\d+(?:,\d*)?\})[ \t]*(?:\d+[ \t]*(?:,[ \t]*(?:\d+[ \t]*)?)?|,[ \t]*\d+[ \t]*)\}/y,
    'which matches these characters here: write {2}, {2,} or {0,2} without blanks, and \\{ for a brace',
  ],
  [/\x08/y, 'a backspace (U+0008), which JSON and YAML make of \\b between quotes: write \\\\b there'],
  [/\(\?P</y, 'which is not known here: write (?< for a group with a name'],
  [/\(\?P=\w*\)/y, 'which is not known here: write \\k<name> for what a group with a name matched'],
  [/\(\?'\w*'/y, 'which is not known here: write (?<name> for a group with a name'],
  [/\(\?#[^)]{0,20}/y, 'which is not known here: leave the comment out'],
  [/\(\?>/y, 'which is not known here: write (?: for a group that captures nothing'],
  [/\(\?[|&(R\d+]/y, 'which is not known here: write the alternatives out'],
  [/[*+?]\+/y, 'which is not known here: leave the second + out'],
];

export const EMPTY_CLASS =
  'holds [], which no character matches here: write \\] for a bracket at the beginning of a class';
export const NEGATION =
  'holds [^] and a ] after it: write [^\\] for a class without the bracket; where any character is meant, write \\] for the bracket after it';
export const INTERSECTION =
  'holds && within a class, which matches these characters here: write a lookahead such as (?=[a-z])[^aeiou]';

export const innerFault = (written: string): string =>
  `holds ${clip(written.slice(0, -1), 20)} within a class, which ends at the first ] here: write the characters side by side, a lookahead such as (?![aeiou])[a-z] for a class without some, or \\[ for a bracket`;

export function posixFault(written: string): string {
  const [, negation, name = ''] = /^\[.(\^?)(.*).\]$/.exec(written) ?? [];
  const instead = POSIX_CLASSES[name.toLowerCase()];
  const write =
    instead === undefined
      ? 'write the characters out'
      : negation === ''
        ? `write ${instead} within the brackets`
        : `write [^${instead}] in place of the brackets`;
  return `holds ${written}, which matches these characters here: ${'<>'.includes(name) ? 'write \\b in place of the brackets' : write}`;
}
