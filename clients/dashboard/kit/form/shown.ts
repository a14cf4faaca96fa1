import { share } from '../../../gate/report/numbers.ts';
import type { Field } from './description.ts';

type Source = Readonly<Record<string, unknown>>;

function wordsOf(field: Field, value: unknown, bound = field.bound): string {
  const { isPercent, options = [] } = field;
  const [, option] = options.find(([name]) => name === value) ?? [];
  if (option !== undefined) return option;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const words = isPercent && typeof value === 'number' ? share(value) : String(value);
  return bound === undefined ? words : `at ${bound} ${words}`;
}

/** `tag`: of which tag it is. */
type Shown = readonly [name: string, words: string, tag?: string];

/** What the values of an object are called and are; a list has a line for each of its rows: a tag, and what it needs. */
export function shownFields(fields: readonly Field[], source: Source): readonly Shown[] {
  return fields.flatMap((field): Shown[] => {
    const { name, title, input, fields: inner = [] } = field;
    const value = source[name];
    if (value === undefined || value === null) return [];
    if (input === 'group') return [[title, inner.map((one) => named(one, value as Source)).join(', ')]];
    const [first, second, ...otherFields] = inner;
    if (input !== 'rows' || first === undefined || second === undefined)
      return [[title, wordsOf(field, value)]];
    return (value as readonly Source[]).map((row) => [
      title,
      [wordsOf(second, row[second.name], second.bound ?? 'least'), ...notUsual(otherFields, row)].join(', '),
      String(row[first.name]),
    ]);
  });
}

const named = (field: Field, source: Source): string =>
  `${field.title.toLowerCase()} ${wordsOf(field, source[field.name])}`;

/** Values with their names, where they differ from what is so without them. */
const notUsual = (fields: readonly Field[], source: Source): readonly string[] =>
  fields.filter(({ name, absent }) => source[name] !== absent).map((field) => named(field, source));
