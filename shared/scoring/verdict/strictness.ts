import { canonicalText } from '../digest/documents.ts';

/**
 * What a change does to a bar: `stricter` also where it may be as strict as before. `another answer`: other outputs pass,
 * and neither bar holds up more than the other.
 */
export type Effect = 'stricter' | 'same' | 'weaker' | 'may be weaker' | 'another answer';

const RANK: readonly Effect[] = ['same', 'stricter', 'another answer', 'may be weaker', 'weaker'];

export const gravest = (effects: readonly Effect[]): Effect =>
  RANK[Math.max(0, ...effects.map((effect) => RANK.indexOf(effect)))] ?? 'weaker';

/** A bar that is higher afterwards is stricter. */
export const ofBar = (from: number, to: number): Effect =>
  to === from ? 'same' : to > from ? 'stricter' : 'weaker';

/** A bar that is not there holds nothing up. */
export function ofOptionalBar(before: number | undefined, after: number | undefined): Effect {
  if (before === undefined) return after === undefined ? 'same' : 'stricter';
  return after === undefined ? 'weaker' : ofBar(before, after);
}

/** Lists in which nothing depends on the order, and what is added makes the bar stricter. */
export function ofSets(before: readonly unknown[], after: readonly unknown[]): Effect {
  const [was, is] = [before, after].map((list) => new Set(list.map(canonicalText)));
  const holds = (one: Set<string> | undefined, other: Set<string> | undefined) =>
    [...(other ?? [])].every((text) => one?.has(text));
  const isKept = holds(is, was);
  const isNew = !holds(was, is);
  if (!isKept) return isNew ? 'may be weaker' : 'weaker';
  return isNew ? 'stricter' : 'same';
}
