import { nearestAmong } from './nearest.ts';

const NAMED_MAX = 20;

/** Each name that fits no case beside the key that is nearest to it; for others, the keys that there are. */
export function mismatchedSentences(names: readonly string[], keys: readonly string[]): string[] {
  if (keys.length === 0) return [];
  const nearestOf = nearestAmong(keys);
  const shown = names.slice(0, NAMED_MAX).map((name) => ({ name, nearest: nearestOf(name) }));
  const near = shown.flatMap(({ name, nearest }) =>
    nearest === undefined ? [] : [`${name} is no case of the suite: is it ${nearest}?`],
  );
  const others = shown.filter(({ nearest }) => nearest === undefined).map(({ name }) => name);
  if (others.length === 0) return near;
  const more = keys.length > NAMED_MAX ? `, and ${keys.length - NAMED_MAX} more` : '';
  const known = `${keys.slice(0, NAMED_MAX).join(', ')}${more}`;
  return [...near, `no case of the suite: ${others.join(', ')}. Its cases: ${known}`];
}

/** What the service says where no output fits: it may be another suite, or its keys are others. */
export const namesNoCase = (details: unknown): boolean =>
  JSON.stringify(details ?? '').includes('name no active case');
