import { diffWordsWithSpace } from 'diff';

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

/** Letters of other alphabets, quotes and dashes that look like these of ASCII. */
const ALIKE: Readonly<Record<string, string>> = Object.fromEntries(
  ['aа', 'eеε', 'oоο', 'pрρ', 'cсϲ', 'xхχ', 'yуγ', 'iіι', 'sѕ', 'jј', 'hһ', 'AАΑ', 'BВΒ', 'EЕΕ', 'HНΗ', 'KКΚ']
    .concat(['MМΜ', 'OОΟ', 'PРΡ', 'CСϹ', 'TТΤ', 'XХΧ', 'YҮΥ', 'IІΙ', 'vν', "'’‘ʼ", '"“”„', '-‐‑‒–—−'])
    .flatMap(([plain = '', ...others]) => others.map((other) => [other, plain])),
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

/** Both sides in stretches; undefined where they are too long to compare. */
export function compareTexts(expected: string, output: string): Compared | undefined {
  if (expected.length + output.length > LENGTH_MAX) return undefined;
  const isUnseen = expected !== output && seen(expected) === seen(output);
  const sides: { expected: Piece[]; output: Piece[] } = { expected: [], output: [] };
  for (const { value, added, removed } of diffWordsWithSpace(expected, output)) {
    const piece = {
      text: isUnseen && (added || removed) ? revealed(value) : value,
      isSame: !added && !removed,
    };
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** `total`, `items[0].price`: each value that holds no others. */
function leavesOf(value: unknown, path: string, into: Map<string, string>): void {
  if (!isStructure(value) || Object.keys(value).length === 0) {
    into.set(path || '(all)', JSON.stringify(value));
    return;
  }
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? `[${name}]` : `${path && '.'}${name}`;
    leavesOf(inner, path + step, into);
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
