import { parsePath } from '../../../shared/scoring/jsonPath/parser.ts';
import { walk } from '../../../shared/scoring/jsonPath/walk.ts';
import { isRecord } from '../read/parts.ts';
import { type Entry, figures, said, textOf } from './entry.ts';

const AMOUNTS = ['latency_ms', 'input_tokens', 'output_tokens', 'cost_usd'] as const;
const FIELDS = ['case', 'output', 'error', ...AMOUNTS] as const;
type Field = (typeof FIELDS)[number];

/** Where an item of another form has what a line of outputs has. */
export type Mapping = ReadonlyMap<Field, (item: unknown) => readonly unknown[]>;

/** Commas may stand in a path: only those before a field part two. */
export const BETWEEN = new RegExp(`,\\s*(?=(?:${FIELDS.join('|')})=)`);

/** Of `case=$.id,output=$.response.text`: JSONPath, or the name of a column. A text says what is wrong. */
export function mappingOf(given: string): Mapping | string {
  const mapping = new Map<Field, (item: unknown) => readonly unknown[]>();
  for (const pair of given.split(BETWEEN)) {
    const at = pair.indexOf('=');
    const [name, path] = [pair.slice(0, at).trim() as Field, pair.slice(at + 1).trim()];
    if (at < 1 || !FIELDS.includes(name) || path === '')
      return `${pair} is none of ${FIELDS.join(', ')} = path`;
    const reader = readerOf(path);
    if (typeof reader === 'string') return `the path ${path} ${reader}`;
    if (mapping.has(name)) return `${name} stands there twice`;
    mapping.set(name, reader);
  }
  const missing = missingIn(mapping);
  return missing === undefined ? mapping : `${missing} is missing`;
}

function missingIn(mapping: Mapping): Field | undefined {
  if (!mapping.has('case')) return 'case';
  return mapping.has('output') || mapping.has('error') ? undefined : 'output';
}

function readerOf(path: string): ((item: unknown) => readonly unknown[]) | string {
  if (!path.startsWith('$'))
    return (item) => (isRecord(item) && Object.hasOwn(item, path) ? [item[path]] : []);
  try {
    const query = parsePath(path);
    return (item) => {
      const found: unknown[] = [];
      walk(query, item, ({ value }) => found.push(value) >= FOUND_MAX);
      return found;
    };
  } catch (error) {
    return (error as Error).message;
  }
}

const FOUND_MAX = 20_000;

/** Several cases may share one output. A text says what is wrong: no item says which of several outputs is the one. */
export function mapped(mapping: Mapping, item: unknown): Entry | string {
  const found = (name: Field): readonly unknown[] => mapping.get(name)?.(item) ?? [];
  const several = [...mapping.keys()].find((name) => name !== 'case' && found(name).length > 1);
  if (several !== undefined) return `has several values where --map finds ${several}: let its path find one`;
  const error = found('error')[0];
  const [first] = found('output');
  const hasFailed = error !== false && textOf(error) !== '';
  const names = found('case')
    .flat()
    .map((name) => textOf(name));
  const amounts = AMOUNTS.map((name) => [name, amountOf(found(name)[0])]);
  return {
    case: names.length === 1 ? (names[0] ?? '') : names,
    ...(hasFailed || first !== undefined ? said(hasFailed ? undefined : first, error) : {}),
    ...figures(Object.fromEntries(amounts)),
  };
}

/** Tables have texts only. */
const amountOf = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
