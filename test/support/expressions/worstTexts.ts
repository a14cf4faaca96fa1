import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { sized } from '../soak.ts';

/** A text of any length: `start`, repetitions of `unit`, and `end`. */
export interface TextShape {
  readonly start: string;
  readonly unit: string;
  readonly end: string;
}

const CHARACTERS = [
  ...Array.from({ length: 0x7f }, (_, code) => String.fromCharCode(code)),
  '\u00e9',
  '\u00df',
  '\u0301',
  '\u200b',
  '\u2014',
  '\u2022',
  '\u2026',
  '\u201c',
  '\u2028',
  '\u4e2d',
  '\ufe0f',
  '\ufeff',
  '\ud800',
  '\u{1f600}',
];
const ALPHABET_MAX = sized(6, 10);

/** Texts that may be slow for an expression, made of characters that its parts distinguish. */
export function* textShapes(source: string, flags: string): Generator<TextShape> {
  const ast = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: flags.includes('u'),
    unicodeSets: flags.includes('v'),
  });
  const letters = alphabetOf(ast, flags);
  const repeated = repetitionsOf(ast, letters);
  const starts = new Set(['', ...letters, ...repeated.map(({ before }) => before)]);
  const units = new Set([...letters, ...repeated.map(({ sample }) => sample)].filter((unit) => unit !== ''));
  const pairs = letters.flatMap((one) => letters.map((two) => one + two));
  const [shortEnds, ends] = [
    ['', ...letters],
    ['', ...letters, ...pairs],
  ];
  for (const start of starts) {
    for (const unit of units) for (const end of ends) yield { start, unit, end };
    for (const unit of pairs) for (const end of shortEnds) yield { start, unit, end };
  }
}

export const textOf = ({ start, unit, end }: TextShape, length: number): string =>
  start + unit.repeat(Math.max(1, Math.floor((length - start.length - end.length) / unit.length))) + end;

/** One character for each class that the parts of the expression distinguish. */
function alphabetOf(ast: AST.Pattern, flags: string): string[] {
  const sets: string[] = [];
  const single: string[] = [];
  visitRegExpAST(ast, {
    onCharacterClassEnter: ({ raw }) => void sets.push(raw),
    onCharacterSetEnter: ({ raw, parent }) => void (parent.type !== 'CharacterClass' && sets.push(raw)),
    onCharacterEnter: ({ raw, parent }) =>
      void (parent.type !== 'CharacterClass' && parent.type !== 'CharacterClassRange' && single.push(raw)),
  });
  const of = (parts: readonly string[]) => {
    const matchers = parts.map((raw) => new RegExp(`^(?:${raw})$`, flags.replace(/[gyd]/g, '')));
    return Map.groupBy(CHARACTERS, (letter) =>
      matchers.map((matcher) => Number(matcher.test(letter))).join(''),
    );
  };
  const bySets = [...of(sets).values()].map(([first = '']) => first);
  const bySingle = [...of(single).entries()].map(([, [first = '']]) => first);
  return [...new Set([...bySets, ...bySingle])].slice(0, ALPHABET_MAX);
}

interface Repetition {
  /** The shortest text before it. */
  readonly before: string;
  /** A text that it repeats. */
  readonly sample: string;
}

function repetitionsOf(ast: AST.Pattern, letters: readonly string[]): Repetition[] {
  const found: Repetition[] = [];
  visitRegExpAST(ast, {
    onQuantifierEnter(node) {
      if (node.max > 1)
        found.push({ before: leadingTo(node, letters), sample: sampleOf(node.element, letters) });
    },
  });
  return found;
}

function leadingTo(node: AST.Node, letters: readonly string[]): string {
  const { parent } = node;
  if (parent === null) return '';
  if (parent.type !== 'Alternative') return leadingTo(parent, letters);
  const index = parent.elements.indexOf(node as AST.Element);
  const here = parent.elements.slice(0, index).map((element) => sampleOf(element, letters));
  return leadingTo(parent, letters) + here.join('');
}

/** A short text that the element probably matches, with one character for each set. */
function sampleOf(element: AST.Element, letters: readonly string[]): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterClass':
    case 'CharacterSet':
      return (
        letters.find((letter) => new RegExp(`^(?:${element.raw})$`, 'u').test(letter)) ?? letters[0] ?? ''
      );
    case 'Quantifier':
      return sampleOf(element.element, letters).repeat(Math.min(element.min, 64));
    case 'Group':
    case 'CapturingGroup':
      return (element.alternatives[0]?.elements ?? []).map((inner) => sampleOf(inner, letters)).join('');
    default:
      return '';
  }
}
