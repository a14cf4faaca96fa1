import { equalJson } from '../../compare/equality.ts';
import { canonicalJson } from '../../kit/json.ts';

export function oneOfValues(allowed: readonly unknown[]): (value: unknown) => boolean {
  const plain = new Set(allowed.filter((value) => !isCompound(value)));
  const compound = allowed.filter(isCompound);
  return (value) => (isCompound(value) ? compound.some((one) => equalJson(one, value)) : plain.has(value));
}

/** The places of the first item that is there already and of the item that it equals. */
export function firstTwins(items: readonly unknown[]): readonly [number, number] | null {
  const plain = new Map<unknown, number>();
  const compound = new Map<unknown, number>();
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    const seen = isCompound(item) ? compound : plain;
    const key = isCompound(item) ? canonicalJson(item) : item;
    const before = seen.get(key);
    if (before !== undefined) return [before, index];
    seen.set(key, index);
  }
  return null;
}

function isCompound(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
