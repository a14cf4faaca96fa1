import { escaped, foldedPattern } from '../../../imports/escaped.ts';
import { type Condition, check } from './checks.ts';
import { negated } from './joined.ts';
import { comparedJson, comparedNumber, differing, equalString, isThere, typed } from './jsonComparisons.ts';
import { lengthOf } from './lengths.ts';
import type { Value } from './scope.ts';

type Of<Kind> = Extract<Value, { readonly kind: Kind }>;
type Plain = Of<'literal'>['value'];

const FLIPPED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
const EQUALS = ['===', '=='];
const DIFFERS = ['!==', '!='];

/** `left operator right`, where one of them is written in the program. */
export function comparison(operator: string, left: Value, right: Value): Condition | undefined {
  if (left.kind === 'literal' && right.kind === 'literal') return constant(operator, left.value, right.value);
  if (left.kind === 'literal') return comparison(FLIPPED[operator] ?? operator, right, left);
  if (right.kind !== 'literal') return undefined;
  if (DIFFERS.includes(operator)) {
    if (left.kind === 'json') return differing(left, right.value, operator);
    if (left.kind === 'type' && right.value === 'undefined') return isThere(left.of);
    const equal = comparison(operator.replace('!', '='), left, right);
    return equal && negated(equal);
  }
  switch (left.kind) {
    case 'text':
      return EQUALS.includes(operator) && typeof right.value === 'string'
        ? equalText(left, right.value)
        : undefined;
    case 'length':
      return typeof right.value === 'number' ? lengthOf(left.of, operator, right.value) : undefined;
    case 'json':
      return comparedJson(left, operator, right.value);
    case 'number':
      return typeof right.value === 'number' ? comparedNumber(left, operator, right.value) : undefined;
    case 'string':
      return EQUALS.includes(operator) ? equalString(left.of, right.value) : undefined;
    case 'type':
      return EQUALS.includes(operator) ? typed(left.of, right.value) : undefined;
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
