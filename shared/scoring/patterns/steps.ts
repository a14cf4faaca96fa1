/** A character, an escape that is one, or a class, and how often it may be repeated. No group and no alternative. */
const PART =
  /(?:\\[bBdDsSwWtnrfv]|\\[^\w\s]|\[\^?(?:\\[dDsSwWtnrfv]|\\[^\w\s]|[^\\\]])+\]|[^\\()[\]{}*+?|])([*+?]|\{\d{1,2}(?:,\d{0,2})?\})?(\??)/y;
/** Letters that stand for others, and characters of two units, make a pattern longer than it is written. */
const PLAIN_FLAGS = /^[gms]*$/;

/**
 * The most steps in which a pattern is searched in a text of this length: infinite where that is not plain to see. Of a
 * pattern without groups of which one part is repeated, each beginning of a match has at most as many ends as the text has
 * characters, and at each end the parts after it are tried.
 */
export function patternSteps(pattern: string, flags: string, length: number): number {
  if (!PLAIN_FLAGS.test(flags)) return Number.POSITIVE_INFINITY;
  let parts = 0;
  let partsAfter = 0;
  let areRepeated = 0;
  PART.lastIndex = 0;
  for (let index = 0; index < pattern.length; index = PART.lastIndex) {
    PART.lastIndex = index;
    const part = PART.exec(pattern);
    if (part === null) return Number.POSITIVE_INFINITY;
    parts++;
    partsAfter++;
    if (part[1] === undefined) continue;
    areRepeated++;
    partsAfter = 0;
  }
  if (areRepeated > 1) return Number.POSITIVE_INFINITY;
  const oneBeginning = areRepeated === 0 ? parts : parts + length * (1 + partsAfter);
  return (length + 1) * oneBeginning;
}
