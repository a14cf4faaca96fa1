import { COUNTED, type Condition, check, jsonCheck } from './checks.ts';
import { joined } from './joined.ts';
import type { Value } from './scope.ts';

const LENGTH_MAX = 99_999;

/** The least and the greatest whole number that `operator` allows. */
export function rangeOf(operator: string, bound: number): readonly [number, number] | undefined {
  if (!Number.isInteger(bound)) return undefined;
  if (operator === '<') return [0, bound - 1];
  if (operator === '<=') return [0, bound];
  if (operator === '>') return [bound + 1, Number.POSITIVE_INFINITY];
  if (operator === '>=') return [bound, Number.POSITIVE_INFINITY];
  return ['===', '=='].includes(operator) ? [bound, bound] : undefined;
}

/** `….length < 100`. */
export function lengthOf(of: Value, operator: string, bound: number): Condition | undefined {
  const range = rangeOf(operator, bound);
  if (range === undefined || bound > LENGTH_MAX) return undefined;
  const [least, most] = [Math.max(range[0], 0), range[1]];
  if (most < 0) return { always: false };
  if (of.kind === 'text') return lengthOfText(of, least, most);
  if (of.kind !== 'json' || of.isLower) return undefined;
  const options = { differences: [COUNTED] };
  return joined('all', [
    ...(least === 0 && most !== Number.POSITIVE_INFINITY
      ? []
      : [jsonCheck(of, { op: 'length_gte', value: least }, options)]),
    ...(most === Number.POSITIVE_INFINITY ? [] : [jsonCheck(of, { op: 'length_lte', value: most }, options)]),
  ]);
}

/** Without the flag `u` a pattern counts as `length` does. */
function lengthOfText(
  { isLower, isTrimmed }: Extract<Value, { readonly kind: 'text' }>,
  least: number,
  most: number,
): Condition | undefined {
  if (least === 0 && most === Number.POSITIVE_INFINITY) return { always: true };
  if (isTrimmed && least === 1 && most === Number.POSITIVE_INFINITY)
    return check({ pattern: '\\S', flags: '' });
  if (isLower || isTrimmed) return undefined;
  const range = most === least ? `${least}` : `${least},${most === Number.POSITIVE_INFINITY ? '' : most}`;
  return check({ pattern: `^[^]{${range}}$`, flags: '' });
}
