import { diffWordsWithSpace } from 'diff';
import { exactly } from '../../kit/json.ts';

/** A stretch of one side: whether the other side has it, too. */
export interface Piece {
  readonly text: string;
  readonly isSame: boolean;
}

export interface Compared {
  readonly expected: readonly Piece[];
  readonly output: readonly Piece[];
  /** They differ in nothing that is seen: blanks, line ends, characters that look alike. */
  readonly isUnseen: boolean;
}

export interface Field {
  readonly path: string;
  /** As JSON; undefined where this side lacks it. */
  readonly expected: string | undefined;
  readonly output: string | undefined;
}

const LENGTH_MAX = 20_000;
/** The time of a comparison grows with the square of it. Texts that differ in more have little in common. */
const EDITS_MAX = 1_000;

/** Letters of other alphabets, quotes and dashes that look like these of ASCII. */
const ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  ['aа', 'eеε', 'oоο', 'pрρ', 'cсϲ', 'xхχ', 'yуγ', 'iіι', 'sѕ', 'jј', 'hһ', 'AАΑ', 'BВΒ', 'EЕΕ', 'HНΗ', 'KКΚ']
    .concat(['MМΜ', 'OОΟ', 'PРΡ', 'CСϹ', 'TТΤ', 'XХΧ', 'YҮΥ', 'IІΙ', 'vν', "'’‘ʼ", '"“”„', '-‐‑‒–—−'])
    .flatMap(([plain = '', ...forms]) => forms.map((other) => [other, plain])),
);

/** What remains of a text when what cannot be seen is left away. */
const seen = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[^\0-\x7f]/gu, (character) => ALIKE[character] ?? character)
    .replace(/\s+/g, ' ')
    .trim();

const PICTURES: Readonly<Record<string, string>> = { ' ': '·', '\t': '→', '\n': '⏎\n', '\r': '␍' };

/** Blanks and line ends as pictures, other characters than those of ASCII by their names. */
const revealed = (text: string): string =>
  text.replace(
    /[^\x21-\x7e]/gu,
    (character) =>
      PICTURES[character] ??
      `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
  );

/** Both sides in stretches; undefined where they are too long, or too different, to compare. */
export function compareTexts(expected: string, output: string): Compared | undefined {
  if (expected.length + output.length > LENGTH_MAX) return undefined;
  const isUnseen = expected !== output && seen(expected) === seen(output);
  const changes = diffWordsWithSpace(expected, output, { maxEditLength: EDITS_MAX });
  if (changes === undefined) return undefined;
  const sides: { expected: Piece[]; output: Piece[] } = { expected: [], output: [] };
  for (const { value, added, removed } of changes) {
    const isSame = !added && !removed;
    const piece = { text: isUnseen && !isSame ? revealed(value) : value, isSame };
    if (!added) sides.expected.push(piece);
    if (!removed) sides.output.push(piece);
  }
  return { ...sides, isUnseen };
}

/** The share of the shorter side that both have: below some of it, marks only distract. */
export function likeness({ expected, output }: Compared): number {
  const lengthOf = (pieces: readonly Piece[]): number =>
    pieces.reduce((sum, { text }) => sum + text.length, 0);
  const common = lengthOf(expected.filter(({ isSame }) => isSame));
  return common / Math.max(1, Math.min(lengthOf(expected), lengthOf(output)));
}

const TEXTS_AND_NAMES = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** Undefined where reading it would lose something: digits of a number, or a name that stands twice. */
function parsed(text: string): unknown {
  // The whole value is read as a field, too.
  let names = -1;
  try {
    const value: unknown = JSON.parse(text, function (this: unknown, name, inner, context?: object) {
      if (!Array.isArray(this)) names += 1;
      return exactly(name, inner, context);
    });
    const written = [...text.matchAll(TEXTS_AND_NAMES)].filter(([, colon]) => colon !== undefined);
    return written.length === names ? value : undefined;
  } catch {
    return undefined;
  }
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

const PLAIN_NAME = /^[\p{L}\p{N}_$-]+$/u;

function stepTo(name: string, isItem: boolean, path: string): string {
  if (isItem) return `[${name}]`;
  return PLAIN_NAME.test(name) ? `${path && '.'}${name}` : `[${JSON.stringify(name)}]`;
}

/** `total`, `items[0].price`, `["a.b"]`: each value that holds no others. */
function leavesOf(value: unknown, path: string, into: Map<string, string>): void {
  if (!isStructure(value) || Object.keys(value).length === 0) {
    into.set(path || '(all)', JSON.stringify(value));
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    leavesOf(inner, path + stepTo(name, Array.isArray(value), path), into);
  }
}

/** The fields in which two JSON structures differ, and how many are equal; undefined where one side is none. */
export function compareJson(
  expected: string,
  output: string,
): { readonly fields: readonly Field[]; readonly equal: number } | undefined {
  const sides = [parsed(expected), parsed(output)] as const;
  if (!sides.every(isStructure)) return undefined;
  const [left, right] = sides.map((side) => {
    const leaves = new Map<string, string>();
    leavesOf(side, '', leaves);
    return leaves;
  }) as [Map<string, string>, Map<string, string>];
  const paths = [...new Set([...left.keys(), ...right.keys()])].sort();
  const fields = paths
    .map((path): Field => ({ path, expected: left.get(path), output: right.get(path) }))
    .filter(({ expected: one, output: other }) => one !== other);
  return { fields, equal: paths.length - fields.length };
}
