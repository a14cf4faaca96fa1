import { percentOf, shareOf } from '../percent.ts';
import type { Field } from './description.ts';
import { jsonOf, type Typed, type Values } from './form.ts';

type Source = Readonly<Record<string, unknown>>;

/** The name of a field in the form, as the service names it in what is wrong with it. */
export const pathOf = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);

/** Beside the text of what a case expects: whether it is a text, JSON or nothing. */
export const kindOf = (path: string): string => `${path}.kind`;

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const ticked = (isOn: boolean): string => (isOn ? 'on' : '');

const isLine = (value: unknown): value is string => typeof value === 'string' && !value.includes('\n');
const textIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const linesOf = (value: unknown): string | undefined =>
  Array.isArray(value) && value.every(isLine) ? value.join('\n') : undefined;

/** How a value is typed; undefined: the input cannot show it. Groups and rows are made of these. */
const SHOWN: { readonly [Input in Field['input']]?: (value: unknown, field: Field) => string | undefined } = {
  text: textIn,
  area: textIn,
  select: textIn,
  scorer: textIn,
  lines: linesOf,
  words: (value) => linesOf(value)?.replaceAll('\n', ', '),
  json: pretty,
  check: (value) => (typeof value === 'boolean' ? ticked(value) : undefined),
  number: (value, { isPercent }) =>
    typeof value === 'number' ? (isPercent ? percentOf(value) : String(value)) : undefined,
  date: (value) => textIn(value)?.slice(0, 10),
};

const initialOf = ({ sample, absent }: Field): unknown => sample ?? absent;

/** Rows are lines, with tabs between what is typed into each. */
export const rowsOf = (lines: string): readonly (readonly string[])[] =>
  lines === '' ? [] : lines.split('\n').map((line) => line.split('\t'));
export const linesOfRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((text) => text.replace(/[\t\n]/g, ' ')).join('\t')).join('\n');
export const newRow = ({ fields = [] }: Field): readonly string[] =>
  fields.map((field) => typedField(field, undefined, '')?.[field.name] ?? '');

function typedRows({ fields = [] }: Field, value: unknown): string {
  const rows = Array.isArray(value) ? (value as readonly Source[]) : [];
  return linesOfRows(
    rows.map((row) => fields.map((field) => typedField(field, row, '')?.[field.name] ?? '')),
  );
}

function typedExpected(path: string, value: unknown): Values {
  const kind =
    value === null || value === undefined ? 'nothing' : typeof value === 'string' ? 'text' : 'json';
  const text = kind === 'nothing' ? '' : kind === 'text' ? String(value) : pretty(value);
  return { [path]: text, [kindOf(path)]: kind };
}

/** `source` undefined: of an object that is not there yet. */
function typedField(field: Field, source: Source | undefined, prefix: string): Values | undefined {
  const { name, input, fields = [], absent, options, isRequired } = field;
  const path = pathOf(prefix, name);
  const value = source === undefined ? initialOf(field) : (source[name] ?? undefined);
  if (input === 'expected') return typedExpected(path, value);
  if (input === 'rows') return { [path]: typedRows(field, value) };
  if (input === 'group') {
    const isThere = isRequired || (value !== undefined && value !== null);
    const inner = typedFields(fields, isThere ? ((value ?? {}) as Source) : undefined, path);
    return { [path]: ticked(isThere), ...inner };
  }
  // An enumeration that has to be chosen from begins with its first value.
  const known = value ?? absent ?? (isRequired ? options?.[0]?.[0] : undefined);
  if (known === undefined || known === null) return { [path]: '' };
  const shown = SHOWN[input]?.(known, field);
  return shown === undefined ? undefined : { [path]: shown };
}

/** An object as it would be typed. */
export const typedFields = (fields: readonly Field[], source?: Source, prefix = ''): Values =>
  Object.assign({}, ...fields.map((field) => typedField(field, source, prefix) ?? {}));

/** The fields of an object that the inputs cannot show, and what no field is for. */
export const leftOut = (fields: readonly Field[], source: Source): Source => {
  const shown = new Set(
    fields.filter((field) => typedField(field, source, '') !== undefined).map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(source).filter(([name]) => !shown.has(name)));
};

const split = (text: string, separator: RegExp): readonly string[] =>
  text.split(separator).filter((part) => part !== '');

function readExpected(form: Typed, { label }: Field, path: string): unknown {
  const kind = form.text(kindOf(path));
  const text = form.text(path);
  if (kind === 'json') return jsonOf(form, path, label);
  return kind === 'text' && text !== '' ? text : null;
}

function readRows({ fields = [] }: Field, lines: string): unknown {
  const rows = rowsOf(lines).map((row) => {
    const values = Object.fromEntries(fields.map(({ name }, index) => [name, row[index] ?? '']));
    const typed: Typed = {
      values,
      saved: {},
      text: (name) => values[name] ?? '',
      isOn: (name) => values[name] === 'on',
    };
    return readFields(fields, typed);
  });
  return rows.length === 0 ? undefined : rows;
}

/** What is typed into a field. Undefined: nothing, and null where that is its value for nothing. */
function readField(form: Typed, field: Field, prefix: string): unknown {
  const { input, name, label, fields = [], isNullable, isPercent, isRequired, isTrimmed } = field;
  const path = pathOf(prefix, name);
  const text = isTrimmed ? form.text(path).trim() : form.text(path);
  const nothing = isNullable ? null : undefined;
  if (input === 'check') return text === 'on';
  if (input === 'expected') return readExpected(form, field, path);
  if (input === 'rows') return readRows(field, text);
  if (input === 'group') return isRequired || text === 'on' ? readFields(fields, form, path) : nothing;
  if (input === 'words') return split(text.trim(), /\s*,\s*/);
  if (text === '' && !(input === 'json' && isRequired)) return nothing;
  if (input === 'json') return jsonOf(form, path, label);
  if (input === 'lines') return split(text, /\n/);
  if (input === 'date') return `${text}T00:00:00Z`;
  if (input === 'number') return isPercent ? shareOf(text) : Number(text);
  return text;
}

/** All that is typed, without what is left out. */
export function readFields(fields: readonly Field[], form: Typed, prefix = ''): Record<string, unknown> {
  const read = fields.map((field): [string, unknown] => [field.name, readField(form, field, prefix)]);
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** The same without fields that say what is so without them. */
export function readWithoutDefaults(fields: readonly Field[], form: Typed, prefix: string) {
  const isDefault = (name: string, value: unknown): boolean =>
    fields.some((field) => field.name === name && JSON.stringify(field.absent) === JSON.stringify(value));
  const read = Object.entries(readFields(fields, form, prefix));
  return Object.fromEntries(read.filter(([name, value]) => !isDefault(name, value)));
}

const isOf = (path: string, name: string): boolean => path === name || path.startsWith(`${name}.`);

/**
 * Only what was changed: no other change of another field is undone, and no number that was only shown is rounded.
 */
export function readChanged(fields: readonly Field[], form: Typed): Record<string, unknown> {
  const changed = Object.keys({ ...form.saved, ...form.values }).filter(
    (path) => form.text(path) !== (form.saved[path] ?? ''),
  );
  return readFields(
    fields.filter(({ name }) => changed.some((path) => isOf(path, name))),
    form,
  );
}

/** What a field is called where both sides of a conflict are shown. */
export const labelsOf = (fields: readonly Field[], prefix = ''): Values =>
  Object.assign(
    {},
    ...fields.map(({ name, label, input, fields: inner = [] }) => {
      const path = pathOf(prefix, name);
      return {
        [path]: label,
        ...(input === 'expected' && { [kindOf(path)]: `${label} is` }),
        ...(input === 'group' && labelsOf(inner, path)),
      };
    }),
  );
