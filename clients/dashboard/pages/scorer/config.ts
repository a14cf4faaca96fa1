import type { Scorer } from '../../../sdk/index.ts';
import { jsonOf, type Typed, type Values } from '../../parts/Form.tsx';
import { type ConfigField, type ScorerType, TYPES } from './types.ts';

type Config = Scorer['config'];

/** What a form has of a config: a value for each field that it knows, and all the others as JSON. */
export const OTHERS = 'config';
export const fieldName = ({ name }: ConfigField): string => `config.${name}`;

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes('\n'));

type Kind = ConfigField['kind'];

/** As it is typed; undefined: the field cannot show it. */
const TYPED: Readonly<Record<Kind, (value: unknown) => string | undefined>> = {
  json: (value) => JSON.stringify(value, null, 2),
  check: (value) => (typeof value === 'boolean' ? (value ? 'on' : '') : undefined),
  lines: (value) => (isTexts(value) ? value.join('\n') : undefined),
  number: (value) => (typeof value === 'number' ? `${value}` : undefined),
  text: (value) => (typeof value === 'string' ? value : undefined),
  area: (value) => (typeof value === 'string' ? value : undefined),
  select: (value) => (typeof value === 'string' ? value : undefined),
};

/** `config` undefined: of a scorer that is not there yet. */
export function typedConfig(type: ScorerType, config?: Config): Values {
  const values: Record<string, string> = {};
  const others = { ...config };
  for (const field of TYPES[type].fields) {
    const value = config?.[field.name];
    // A sample is for who makes one.
    const initial = config !== undefined && field.kind === 'json' ? '' : (field.initial ?? '');
    const shown = value === undefined ? initial : TYPED[field.kind](value);
    if (shown === undefined) continue;
    values[fieldName(field)] = shown;
    delete others[field.name];
  }
  return { ...values, [OTHERS]: Object.keys(others).length === 0 ? '' : JSON.stringify(others, null, 2) };
}

function readField(form: Typed, field: ConfigField): unknown {
  const { kind, initial = '', isRequired = false, label } = field;
  const name = fieldName(field);
  const text = form.text(name);
  if (kind === 'check') return text === initial ? undefined : text === 'on';
  if (text === '' || (kind === 'select' && text === initial && !isRequired)) return undefined;
  if (kind === 'json') return jsonOf(form, name, label);
  if (kind === 'lines') return text.split('\n').filter((line) => line !== '');
  return kind === 'number' ? Number(text) : text;
}

export function configOf(form: Typed, type: ScorerType): Config {
  const fields = TYPES[type].fields.flatMap((field): [string, unknown][] => {
    const value = readField(form, field);
    return value === undefined ? [] : [[field.name, value]];
  });
  const others = form.text(OTHERS).trim() === '' ? {} : (jsonOf(form, OTHERS, 'Other fields') as object);
  return { ...others, ...Object.fromEntries(fields) };
}
