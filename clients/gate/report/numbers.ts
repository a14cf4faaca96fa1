const DIGITS_MAX = 12;

/** Both with as many digits as it takes to see that they differ. */
function distinct(left: number, right: number, digits: number): readonly [string, string] {
  const both = (count: number): [string, string] => [left.toFixed(count), right.toFixed(count)];
  let count = digits;
  while (left !== right && both(count)[0] === both(count)[1] && count < DIGITS_MAX) count++;
  return both(count);
}

const sign = (one: number, other: number): string => (one < other ? '<' : '≥');

/** `84.6 % < 90.0 %`. `unit`: behind the first of them. */
export function comparedShares(observed: number, required: number, unit = ''): string {
  const [observedShare, requiredShare] = distinct(observed * 100, required * 100, 1);
  return `${observedShare} %${unit} ${sign(observed, required)} ${requiredShare} %`;
}

/** `0.00 < 0.50`. */
export function comparedScores(score: number, threshold: number): string {
  const [shownScore, shownThreshold] = distinct(score, threshold, 2);
  return `${shownScore} ${sign(score, threshold)} ${shownThreshold}`;
}

/** Never rounded to all or nothing. */
export function share(value: number): string {
  const [shown] = distinct(value * 100, value < 0.5 ? 0 : 100, 1);
  return `${shown} %`;
}

/** Three digits are enough to decide by. */
export const shortNumber = (value: number): number => Number(value.toPrecision(3));

/** `6 of 100`: how often chance alone does it. */
export function chances(share: number): string {
  if (share < 0.001) return 'less than 1 of 1,000';
  if (share < 0.01) return `${Math.round(share * 1_000)} of 1,000`;
  const percent = Math.round(share * 100);
  return percent === 100 && share < 1 ? 'more than 99 of 100' : `${percent} of 100`;
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;

/** `1 case`, `2 cases`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
