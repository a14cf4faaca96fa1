import { parsePath } from '../../../shared/scoring/jsonPath/parser.ts';
import { walk } from '../../../shared/scoring/jsonPath/walk.ts';
import { isRecord } from '../../files/read/parts.ts';
import { answerFields, type Entry, figures, textOf } from './entry.ts';

const AMOUNTS = ['latency_ms', 'input_tokens', 'output_tokens', 'cost_usd'] as const;
const FIELDS = ['case', 'output', 'error', ...AMOUNTS] as const;
type Field = (typeof FIELDS)[number];

interface Reader {
  /** As it was given. */
  readonly path: string;
  find(item: unknown): readonly unknown[];
}

/** Where an item of another form has what a line of outputs has. */
export type Mapping = ReadonlyMap<Field, Reader>;

/** Commas may stand in a path: only those before a field part two. */
export const BETWEEN = new RegExp(`,\\s*(?=(?:${FIELDS.join('|')})=)`);

/** Of `case=$.id,output=$.response.text`: JSONPath, or the name of a column. A text says what is wrong. */
export function mappingOf(given: string): Mapping | string {
  const mapping = new Map<Field, Reader>();
  for (const pair of given.split(BETWEEN)) {
    const separator = pair.indexOf('=');
    const [name, path] = [pair.slice(0, separator).trim() as Field, pair.slice(separator + 1).trim()];
    if (separator < 1 || !FIELDS.includes(name) || path === '')
      return `${pair} is none of ${FIELDS.join(', ')} = path`;
    const find = finderOf(path);
    if (typeof find === 'string') return `the path ${path} ${find}`;
    if (mapping.has(name)) return `${name} is there twice`;
    mapping.set(name, { path, find });
  }
  const missing = missingIn(mapping);
  return missing === undefined ? mapping : `${missing} is missing`;
}

function missingIn(mapping: Mapping): Field | undefined {
  if (!mapping.has('case')) return 'case';
  return mapping.has('output') || mapping.has('error') ? undefined : 'output';
}

function finderOf(path: string): Reader['find'] | string {
  if (!path.startsWith('$'))
    return (item) => (isRecord(item) && Object.hasOwn(item, path) ? [item[path]] : []);
  try {
    const query = parsePath(path);
    return (item) => {
      const values: unknown[] = [];
      walk(query, item, ({ value }) => values.push(value) >= FOUND_MAX);
      return values;
    };
  } catch (error) {
    return (error as Error).message;
  }
}

const FOUND_MAX = 20_000;

/** Several cases may share one output. A text says what is wrong: no item says which of several outputs is the one. */
export function mapped(mapping: Mapping, item: unknown): Entry | string {
  const valuesByField = new Map([...mapping].map(([name, { find }]) => [name, find(item)]));
  const several = [...valuesByField].find(([name, values]) => name !== 'case' && values.length > 1);
  if (several !== undefined)
    return `has several values where --map finds ${several[0]}: let its path find one`;
  const [error, output] = [valuesByField.get('error')?.[0], valuesByField.get('output')?.[0]];
  const hasFailed = error !== false && textOf(error) !== '';
  const names = (valuesByField.get('case') ?? []).flat().map((name) => textOf(name));
  if (names.length === 0) return nothingAt(mapping, 'case');
  if (!hasFailed && output === undefined) return nothingAt(mapping, 'output', 'error');
  const amounts = AMOUNTS.map((name) => [name, amountOf(valuesByField.get(name)?.[0])] as const);
  const wrong = amounts.find(([, amount]) => amount !== undefined && !isAmount(amount));
  if (wrong !== undefined) return `has no number of at least 0 where --map finds ${wrong[0]}`;
  return {
    case: names.length === 1 ? (names[0] ?? '') : names,
    ...answerFields(hasFailed ? undefined : output, error),
    ...figures(Object.fromEntries(amounts)),
  };
}

function nothingAt(mapping: Mapping, ...names: readonly Field[]): string {
  const paths = names.flatMap((name) => {
    const path = mapping.get(name)?.path;
    return path === undefined ? [] : [`${path} (${name})`];
  });
  return `has nothing at ${paths.join(', nor at ')}: correct --map, or the line`;
}

/** Figures that no item has: a path that is misspelt finds none. */
export function neverFound(mapping: Mapping, foundFields: ReadonlySet<string>): readonly string[] {
  return AMOUNTS.flatMap((name) => {
    const path = mapping.get(name)?.path;
    return path === undefined || foundFields.has(name) ? [] : [`${name}=${path}`];
  });
}

const isAmount = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** Tables have texts only. What is empty is none. */
function amountOf(value: unknown): unknown {
  if (value === null || (typeof value === 'string' && value.trim() === '')) return undefined;
  return typeof value === 'string' ? Number(value) : value;
}
