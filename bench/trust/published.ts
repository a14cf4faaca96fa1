/** Flip rates, in percent. */
export const FLIPS = [2, 5, 10, 15] as const;
export const SIZES = [20, 100, 500] as const;

type Cells = Readonly<Record<(typeof SIZES)[number], readonly [number, number, number, number]>>;

/** Percent caught when 10 % of the good cases break, by runs of the baseline. */
export const CAUGHT: Readonly<Record<1 | 3 | 5, Cells>> = {
  1: { 20: [11, 11, 11, 9], 100: [91, 78, 61, 39], 500: [100, 100, 100, 93] },
  3: { 20: [44, 37, 30, 20], 100: [98, 92, 79, 54], 500: [100, 100, 100, 98] },
  5: { 20: [50, 42, 33, 24], 100: [99, 95, 81, 60], 500: [100, 100, 100, 99] },
};

/** The same with the drop that the gate requires by default, one run; and where 5 % of the good cases break. */
export const CAUGHT_BY_DEFAULT = {
  5: { 100: [51, 37, 28, 17], 500: [99, 94, 77, 51] },
  10: { 100: [90, 79, 61, 39], 500: [100, 100, 100, 92] },
} as const;
