import { ownOf } from './parts.ts';

/** Whether two values are the same JSON; the order of fields says nothing. Documents nest 64 levels. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(ownOf(one, name), ownOf(other, name)))
  );
}
