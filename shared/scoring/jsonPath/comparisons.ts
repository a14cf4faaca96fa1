import { equalJson } from '../compare/equality.ts';
import { isJsonObject } from '../kit/json.ts';
import { asNumber, equalToTool } from '../kit/reading/asTool.ts';
import { characterCount } from '../kit/text.ts';
import type { Comparison } from './syntax.ts';

/** RFC 9535 calls it Nothing: no JSON value, and equal to itself only. */
export const NOTHING = undefined;

/** Of what may be true or false, too. */
export const negated = (value: boolean | undefined): boolean | undefined =>
  value === undefined ? undefined : !value;

/** Of a text in characters, of an array in elements, of an object in members. */
export function lengthOf(value: unknown): number | null {
  if (typeof value === 'string') return characterCount(value);
  if (Array.isArray(value)) return value.length;
  return isJsonObject(value) ? Object.keys(value).length : null;
}

export function compares({ by }: Comparison, left: unknown, right: unknown): boolean {
  if (by === '!=') return !equalJson(left, right);
  if (by.endsWith('=') && equalJson(left, right)) return true;
  if (by.startsWith('<')) return isLess(left, right);
  return by.startsWith('>') && isLess(right, left);
}

/** What is not there is compared as by RFC 9535. */
export function comparesToTool(test: Comparison, left: unknown, right: unknown): boolean | undefined {
  if (left === NOTHING || right === NOTHING) return compares(test, left, right);
  const areEqual = equalToTool(left, right);
  if (test.by === '==') return areEqual;
  if (test.by === '!=') return negated(areEqual);
  if (test.by.endsWith('=') && areEqual) return true;
  const [number, other] = [asNumber(left), asNumber(right)];
  if (number !== undefined && other !== undefined) return compares(test, number, other);
  return typeof left === 'string' && typeof right === 'string' ? compares(test, left, right) : undefined;
}

function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  return typeof left === 'string' && typeof right === 'string' && isTextLess(left, right);
}

const SURROGATE_MIN = 0xd800;
const BEYOND_SURROGATES = 0xe000;

/** By characters: JavaScript compares by UTF-16 units, of which the halves of characters come before U+E000. */
function isTextLess(left: string, right: string): boolean {
  const end = Math.min(left.length, right.length);
  for (let index = 0; index < end; index++) {
    const [leftUnit, rightUnit] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (leftUnit === rightUnit) continue;
    if (leftUnit < SURROGATE_MIN || rightUnit < SURROGATE_MIN) return leftUnit < rightUnit;
    return leftUnit >= BEYOND_SURROGATES === rightUnit >= BEYOND_SURROGATES
      ? leftUnit < rightUnit
      : leftUnit >= BEYOND_SURROGATES;
  }
  return left.length < right.length;
}
