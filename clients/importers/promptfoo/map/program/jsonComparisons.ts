import { foldedPattern } from '../../../imports/escaped.ts';
import {
  type Condition,
  jsonCheck,
  type Kind,
  MUST_BE_THERE,
  NO_NUMBERS,
  NUMBER_READ,
  NUMBERS_ONLY,
} from './checks.ts';
import { joined } from './joined.ts';
import { rangeOf } from './lengths.ts';
import type { Value } from './scope.ts';

type Of<Kind> = Extract<Value, { readonly kind: Kind }>;
type Plain = Of<'literal'>['value'];

const EQUALS = ['===', '=='];

export function comparedJson(of: Of<'json'>, operator: string, value: Plain): Condition | undefined {
  if (of.isLower)
    return EQUALS.includes(operator) && typeof value === 'string' ? equalLower(of, value) : undefined;
  if (operator === '===') return same(of, value);
  if (operator === '==') return equalString(of, value);
  return typeof value === 'number' ? ordered(of, operator, value, [NUMBERS_ONLY]) : undefined;
}

function same(of: Of<'json'>, value: Plain): Condition | undefined {
  if (value === undefined) return isAbsent(of);
  return jsonCheck(of, { op: 'equals', value }, { opposite: { op: 'not_equals', value } });
}

function ordered(
  of: Of<'json'>,
  operator: string,
  value: number,
  differences: readonly string[],
): Condition | undefined {
  if (!/^[<>]=?$/.test(operator)) return undefined;
  const bound = jsonCheck(of, { op: operator.startsWith('<') ? 'lte' : 'gte', value }, { differences });
  if (operator.endsWith('=')) return bound;
  return joined('all', [bound, jsonCheck(of, { op: 'not_equals', value }, { differences })]);
}

/** In JSON nothing is undefined; null may stand there. */
export function differing(of: Of<'json'>, value: Plain, operator: string): Condition | undefined {
  if (of.isLower) return undefined;
  if (value === undefined && operator === '!==') return isThere(of);
  if (value === undefined || (value === null && operator === '!='))
    return jsonCheck(of, { op: 'not_equals', value: null });
  if (operator === '!=') return undefined;
  return jsonCheck(
    of,
    { op: 'not_equals', value },
    { opposite: { op: 'equals', value }, differences: [MUST_BE_THERE] },
  );
}

function equalLower(of: Of<'json'>, value: string): Condition | undefined {
  if (value !== value.toLowerCase()) return { always: false };
  const text = foldedPattern(value);
  return text === undefined ? undefined : jsonCheck(of, { op: 'matches', value: `^${text}$` });
}

export function equalString(of: Value, value: Plain): Condition | undefined {
  if (of.kind !== 'json' || of.isLower || typeof value !== 'string') return undefined;
  return jsonCheck(of, { op: 'equals', value }, { differences: [NO_NUMBERS] });
}

export const isThere = (of: Value): Condition | undefined =>
  of.kind === 'json' && !of.isLower ? jsonCheck(of, { op: 'exists' }) : undefined;

/** Within what is there: to look into what is missing, or null, is an error. */
function isAbsent(of: Of<'json'>): Condition | undefined {
  const within = { ...of, path: of.path.replace(/(?:\['[^']*'\]|\[\d+\])$/, '') };
  if (within.path === of.path) return undefined;
  return joined('all', [
    jsonCheck(within, { op: 'not_equals', value: null }),
    jsonCheck(of, { op: 'absent' }),
  ]);
}

const KINDS: ReadonlyMap<string, Kind> = new Map(Object.entries({ number: 'number', string: 'text' }));

export function typed(of: Value, value: Plain): Condition | undefined {
  if (of.kind !== 'json' || of.isLower) return undefined;
  if (value === 'undefined') return isAbsent(of);
  const is = KINDS.get(String(value));
  return is && jsonCheck(of, { is });
}

/** Numbers that texts begin with. */
export function comparedNumber(
  { of, isComplete }: Of<'number'>,
  operator: string,
  value: number,
): Condition | undefined {
  const json = asJson(of);
  if (json === undefined) return undefined;
  if (isComplete) return comparedWhole(json, operator, value);
  const differences = [NUMBER_READ];
  if (!EQUALS.includes(operator)) return ordered(json, operator, value, differences);
  return jsonCheck(json, { op: 'equals', value }, { differences });
}

function asJson(of: Value): Of<'json'> | undefined {
  if (of.kind === 'text' && !of.isLower) return { kind: 'json', path: '$', isRead: true };
  return of.kind === 'json' && !of.isLower ? of : undefined;
}

/** A whole number is that below, so that only bounds above 0 say the same of all of it. */
function comparedWhole(json: Of<'json'>, operator: string, value: number): Condition | undefined {
  const differences = [NUMBER_READ];
  const range = rangeOf(operator, value);
  if (range === undefined) return undefined;
  const [least, most] = range;
  const isOpen = operator.startsWith('<');
  if ((!isOpen && least < 1) || (most !== Number.POSITIVE_INFINITY && most < 0)) return undefined;
  return joined(
    'all',
    [
      ...(isOpen ? [] : [ordered(json, '>=', least, differences)]),
      ...(most === Number.POSITIVE_INFINITY ? [] : [ordered(json, '<', most + 1, differences)]),
    ].filter((one) => one !== undefined),
  );
}
