import { escaped, foldedPattern } from '../../../imports/escaped.ts';
import { type Condition, check } from './checks.ts';
import { negated } from './joined.ts';
import { comparedJson, comparedNumber, differing, equalString, isThere, typed } from './jsonComparisons.ts';
import { lengthOf } from './lengths.ts';
import type { Value } from './scope.ts';

type Of<Kind> = Extract<Value, { readonly kind: Kind }>;
type Plain = Of<'literal'>['value'];

const FLIPPED: ReadonlyMap<string, string> = new Map(
  Object.entries({ '<': '>', '<=': '>=', '>': '<', '>=': '<=' }),
);
const EQUALS = ['===', '=='];
const DIFFERS = ['!==', '!='];

/** `left operator right`, where one of them is written in the program. */
export function comparison(operator: string, left: Value, right: Value): Condition | undefined {
  if (left.kind === 'literal')
    return right.kind === 'literal'
      ? constant(operator, left.value, right.value)
      : compared(FLIPPED.get(operator) ?? operator, right, left.value);
  return right.kind === 'literal' ? compared(operator, left, right.value) : undefined;
}

function compared(operator: string, of: Value, value: Plain): Condition | undefined {
  if (DIFFERS.includes(operator)) return unlike(operator, of, value);
  if (of.kind === 'json') return comparedJson(of, operator, value);
  if (EQUALS.includes(operator) && of.kind !== 'length' && of.kind !== 'number') return equal(of, value);
  if (typeof value !== 'number') return undefined;
  if (of.kind === 'length') return lengthOf(of.of, operator, value);
  return of.kind === 'number' ? comparedNumber(of, operator, value) : undefined;
}

function unlike(operator: string, of: Value, value: Plain): Condition | undefined {
  if (of.kind === 'json') return differing(of, value, operator);
  if (of.kind === 'type' && value === 'undefined') return isThere(of.of);
  const alike = compared(operator.replace('!', '='), of, value);
  return alike && negated(alike);
}

function equal(of: Value, value: Plain): Condition | undefined {
  switch (of.kind) {
    case 'text':
      return typeof value === 'string' ? equalText(of, value) : undefined;
    case 'string':
      return equalString(of.of, value);
    case 'type':
      return typed(of.of, value);
    default:
      return undefined;
  }
}

function constant(operator: string, left: Plain, right: Plain): Condition | undefined {
  if (typeof left !== typeof right) return undefined;
  if (EQUALS.includes(operator)) return { always: left === right };
  return DIFFERS.includes(operator) ? { always: left !== right } : undefined;
}

function equalText({ isLower, isTrimmed }: Of<'text'>, value: string): Condition | undefined {
  if ((isLower && value !== value.toLowerCase()) || (isTrimmed && value !== value.trim()))
    return { always: false };
  if (!isLower && !isTrimmed) return check({ equals: value });
  const text = isLower ? foldedPattern(value) : escaped(value);
  const blank = isTrimmed ? '\\s*' : '';
  return text === undefined ? undefined : check({ pattern: `^${blank}${text}${blank}$`, flags: '' });
}
