import { editDistance, paired } from '../../../shared/scoring/compare/alignment.ts';

/** How many pairs of characters may be compared: some 100 ms. Names and keys are foreign. */
const PAIRS_MAX = 30_000_000;

/** Finds the key that a name may be a slip of, if one is near; what is compared in all is bounded. */
export function nearestAmong(keys: readonly string[]): (name: string) => string | undefined {
  let left = PAIRS_MAX;
  return (name) => {
    const mistakesMax = Math.floor(name.length / 2);
    let [nearest, least]: [string | undefined, number] = [undefined, mistakesMax + 1];
    for (const key of keys) {
      if (Math.abs(key.length - name.length) >= least) continue;
      left -= key.length * name.length;
      if (left < 0) return nearest;
      const distance = editDistance(paired([...name.toLowerCase()], [...key]));
      if (distance < least) [nearest, least] = [key, distance];
    }
    return nearest;
  };
}
