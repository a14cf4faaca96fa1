import { editDistance, paired } from '../../../shared/scoring/compare/alignment.ts';

/** The key that a name may be a slip of, if one is near. */
export function nearestOf(name: string, keys: readonly string[]): string | undefined {
  const mistakesMax = Math.floor(name.length / 2);
  let [nearest, least]: [string | undefined, number] = [undefined, mistakesMax + 1];
  for (const key of keys) {
    if (Math.abs(key.length - name.length) >= least) continue;
    const distance = editDistance(paired([...name.toLowerCase()], [...key]));
    if (distance < least) [nearest, least] = [key, distance];
  }
  return nearest;
}
