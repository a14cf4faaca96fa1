import { test } from '@jest/globals';

/** Set by `npm run soak`, which takes every row and every size. */
export const isSoak = process.env.EVALGATE_SOAK === '1';

/** The first rows of a table, of which each shows the same guarantee on another input; all of them in `npm run soak`. */
export const firstOf = <const T>(count: number, rows: readonly T[]): readonly T[] =>
  isSoak ? rows : rows.slice(0, count);

/** A size or a number of draws: the first in `npm test`, the second in `npm run soak`. */
export const sized = (size: number, soakSize: number): number => (isSoak ? soakSize : size);

/** A test that only `npm run soak` has. */
export const testInSoak = (title: string, run: () => Promise<void>): void => {
  if (isSoak) test(title, run);
};
