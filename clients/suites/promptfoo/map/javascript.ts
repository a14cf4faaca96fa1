import type { Fields } from '../read/values.ts';
import { type Mapped, type Mapping, NOT_NEGATED } from './types.ts';

const OTHER: Mapped = { why: 'a program of another shape than the three that are read' };

/** Programs of three shapes are read, and none is run. */
export const javascript: Mapping = ({ value, isNegated, threshold }) => {
  if (isNegated) return NOT_NEGATED;
  if (typeof value !== 'string') return OTHER;
  if (threshold !== undefined) return { why: 'a program with a threshold' };
  const expression = expressionOf(value.trimEnd());
  if (expression === undefined) return OTHER;
  return lengthOf(expression) ?? inclusion(expression) ?? jsonValue(expression) ?? OTHER;
};

/** Of several lines promptfoo makes a function, of one line its answer. */
function expressionOf(text: string): string | undefined {
  const bare = text.trim();
  if (!text.includes('\n')) {
    let end = bare.length;
    while (bare[end - 1] === ';') end--;
    return bare.slice(0, end).trimEnd();
  }
  if (!/^return\s/.test(bare)) return undefined;
  const returned = bare.slice('return'.length, bare.endsWith(';') ? -1 : undefined).trim();
  return returned.includes('\n') ? undefined : returned;
}

const WHOLE = '(0|[1-9]\\d{0,4})';
export const LENGTH = new RegExp(`^output\\.length\\s*(<=?|>=?|===?)\\s*${WHOLE}$`);

/** Without the flag `u` a pattern counts as `length` does. */
function lengthOf(expression: string): Mapped | undefined {
  const [, operator, digits] = LENGTH.exec(expression) ?? [];
  if (operator === undefined) return undefined;
  const range = rangeOf(operator, Number(digits));
  if (range === undefined) return { why: 'no output has such a length' };
  return { scorer: { type: 'regex', config: { pattern: `^[^]{${range}}$` } } };
}

function rangeOf(operator: string, length: number): string | undefined {
  if (operator === '<') return length === 0 ? undefined : `0,${length - 1}`;
  if (operator === '<=') return `0,${length}`;
  if (operator === '>') return `${length + 1},`;
  return operator === '>=' ? `${length},` : `${length}`;
}

const TEXT = `'(?:[^'\\\\\\n]|\\\\['"\\\\nrt])*'|"(?:[^"\\\\\\n]|\\\\['"\\\\nrt])*"`;
export const INCLUSION = new RegExp(`^(!?)output\\.includes\\(\\s*(${TEXT})\\s*\\)$`);

function inclusion(expression: string): Mapped | undefined {
  const [, not, literal] = INCLUSION.exec(expression) ?? [];
  if (literal === undefined) return undefined;
  const text = textOfLiteral(literal);
  if (text === '') return { why: 'holds an empty text, which every output has' };
  const mode = not === '!' ? { mode: 'none' } : {};
  return { scorer: { type: 'contains', config: { values: [text], ...mode } } };
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const textOfLiteral = (literal: string): string =>
  literal.slice(1, -1).replace(/\\(.)/g, (_, character: string) => ESCAPES[character] ?? character);

const NUMBER = '-?(?:0|[1-9]\\d{0,14})(?:\\.\\d{1,15})?';
const MEMBER = '(?:\\.[A-Za-z_$][\\w$]*|\\[\\d{1,6}\\])';
export const VALUE = new RegExp(
  `^JSON\\.parse\\(\\s*output\\s*\\)(${MEMBER}+)\\s*(===|<=?|>=?)\\s*(true|false|null|${NUMBER}|${TEXT})$`,
);

function jsonValue(expression: string): Mapped | undefined {
  const [, members = '', operator = '', literal = ''] = VALUE.exec(expression) ?? [];
  if (members === '') return undefined;
  const value = /^['"]/.test(literal) ? textOfLiteral(literal) : (JSON.parse(literal) as unknown);
  if (operator !== '===' && typeof value !== 'number') return OTHER;
  if (members.endsWith('.length'))
    return lengthInJson(pathOf(members.slice(0, -'.length'.length)), operator, value);
  const path = pathOf(members);
  const differences = operator === '===' ? [] : [NUMBERS_ONLY];
  return {
    scorer: { type: 'json_path', config: { assertions: comparisons(path, operator, value) } },
    differences,
  };
}

const NUMBERS_ONLY = 'there a text that reads as a number is compared, too';
const COUNTED =
  'there `length` counts UTF-16 units of a text, here characters, and members of an object, too';

/** `$` with each member as a name or an index. */
const pathOf = (members: string): string =>
  `$${members.replace(/\.([\w$]+)/g, (_, name: string) => `['${name}']`)}`;

function comparisons(path: string, operator: string, value: unknown): Fields[] {
  if (operator === '===') return [{ path, op: 'equals', value }];
  const bound = { path, op: operator.startsWith('<') ? 'lte' : 'gte', value };
  return operator.endsWith('=') ? [bound] : [bound, { path, op: 'not_equals', value }];
}

function lengthInJson(path: string, operator: string, value: unknown): Mapped {
  if (typeof value !== 'number' || !Number.isInteger(value)) return OTHER;
  const least = { '>': value + 1, '>=': value, '===': value }[operator];
  const most = { '<': value - 1, '<=': value, '===': value }[operator];
  if ((least ?? 0) < 0 || (most ?? 0) < 0) return OTHER;
  const assertions = [
    ...(least === undefined ? [] : [{ path, op: 'length_gte', value: least }]),
    ...(most === undefined ? [] : [{ path, op: 'length_lte', value: most }]),
  ];
  return { scorer: { type: 'json_path', config: { assertions } }, differences: [COUNTED] };
}
