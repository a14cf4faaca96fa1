import { ownOf } from './parts.ts';

/** Whether two values are the same JSON; the order of fields says nothing. Documents nest 64 levels. */
export function isSameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSameJson(ownOf(left, name), ownOf(right, name)))
  );
}
