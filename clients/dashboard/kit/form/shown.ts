import { share } from '../../../gate/report/numbers.ts';
import { ruleSentence, rulesIn } from '../../../gate/report/rules.ts';
import type { Field } from './description.ts';

type Source = Readonly<Record<string, unknown>>;

/** What is too large for the history is there by its digest. */
const isDigest = (value: object): value is { readonly bytes: number } =>
  'sha256' in value && 'bytes' in value;

/** A value without the signs of JSON; an object that holds one text alone is that text. */
function plainly(value: unknown, separator = '\n'): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map((one) => plainly(one, ', ')).join(separator);
  if (isDigest(value)) return `${value.bytes} bytes`;
  const parts = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  const [[, only] = []] = parts;
  if (parts.length === 1 && typeof only === 'string') return only;
  return parts.map(([name, part]) => `${name}: ${plainly(part, ', ')}`).join(separator);
}

function wordsOf(field: Field, value: unknown, bound = field.bound): string {
  const { name, input, isPercent, options = [] } = field;
  const [, option] = options.find(([option]) => option === value) ?? [];
  if (option !== undefined) return option;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (input === 'date') return String(value).slice(0, 10);
  if (name === 'rules') {
    const rules = rulesIn({ rules: value });
    if (rules.length > 0) return rules.map((rule) => `${rule.name}: ${ruleSentence(rule)}`).join('\n');
  }
  const words =
    isPercent && typeof value === 'number'
      ? share(value)
      : plainly(value, input === 'words' ? ', ' : undefined);
  return bound === undefined ? words : `at ${bound} ${words}`;
}

/** `tag`: of which tag it is. */
type Shown = readonly [name: string, words: string, tag?: string];

/**
 * What the values of an object are called and are; a list has a line for each of its rows: a tag, and what it needs. A group
 * that is always there is its fields.
 */
export function shownFields(fields: readonly Field[], source: Source): readonly Shown[] {
  return fields.flatMap((field): readonly Shown[] => {
    const { name, title, input, isRequired, fields: inner = [] } = field;
    const value = source[name];
    if (value === undefined || value === null) return [];
    if (input === 'group' && isRequired) return shownFields(withUnknown(inner, value), value as Source);
    if (input === 'group') return [[title, inner.map((one) => named(one, value as Source)).join(', ')]];
    const [first, second, ...otherFields] = inner;
    if (input !== 'rows' || first === undefined || second === undefined || !Array.isArray(value)) {
      const words = wordsOf(field, value);
      return words === '' ? [] : [[title, words]];
    }
    return (value as readonly Source[]).map((row) => [
      title,
      [wordsOf(second, row[second.name], second.bound ?? 'least'), ...notUsual(otherFields, row)].join(', '),
      String(row[first.name]),
    ]);
  });
}

/** What no field is for has its name as it is stored. */
function withUnknown(fields: readonly Field[], value: object): readonly Field[] {
  const known = new Set(fields.map(({ name }) => name));
  const unknown = Object.keys(value).filter((name) => !known.has(name));
  return [...fields, ...unknown.map((name): Field => ({ name, input: 'json', label: name, title: name }))];
}

const named = (field: Field, source: Source): string =>
  `${field.title.toLowerCase()} ${wordsOf(field, source[field.name])}`;

/** Values with their names, where they differ from what is so without them. */
const notUsual = (fields: readonly Field[], source: Source): readonly string[] =>
  fields.filter(({ name, absent }) => source[name] !== absent).map((field) => named(field, source));

/** A field that a change leaves otherwise: its name and both values in the words of its form. Foreign, all three. */
export interface Difference {
  readonly name: string;
  /** Undefined where there is none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** With what is so where a field is left out. */
function completed(fields: readonly Field[], source: Source): Source {
  const values = fields.map(({ name, absent, input, isRequired, fields: inner = [] }): [string, unknown] => {
    const value = source[name] ?? absent;
    const isGroup = input === 'group' && isRequired && typeof value === 'object' && value !== null;
    return [name, isGroup ? completed(inner, value as Source) : value];
  });
  return { ...source, ...Object.fromEntries(values) };
}

/** What differs between two objects. No change is silent: values that have the same words are shown as they are. */
export const differences = (fields: readonly Field[], before: Source, after: Source): readonly Difference[] =>
  fields.flatMap((field) => {
    const both = [before, after].map((source) => completed([field], source));
    const [was, is] = both.map(
      (source) =>
        new Map(
          shownFields([field], source).map(([name, words, tag]) => [tag ? `${name} ${tag}` : name, words]),
        ),
    );
    const names = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
    const found = names
      .map((name) => ({ name, from: was?.get(name), to: is?.get(name) }))
      .filter(({ from, to }) => from !== to);
    if (found.length > 0) return found;
    const [from, to] = both.map((source) => plainly(source[field.name] ?? null));
    return from === to ? [] : [{ name: field.title, from, to }];
  });
