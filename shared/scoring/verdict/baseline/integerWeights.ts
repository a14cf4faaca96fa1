/** Weights as whole numbers on a grid, so that sums of them are equal exactly when they are. */

/** Sums up to it are added up step by step. */
const COARSE_SUM_MAX = 20_000;

export interface Grid {
  /** Sums up to it are taken as they are. */
  readonly exactMax: number;
  /** The sum of rounded weights. */
  readonly stepsOf: (count: number) => number;
}

const COARSE: Grid = {
  exactMax: COARSE_SUM_MAX,
  stepsOf: (count) => Math.max(COARSE_SUM_MAX, 20 * count ** 1.5),
};

/** As fine as whole numbers are: for sums that are listed one by one. */
export const FINE: Grid = { exactMax: Number.MAX_SAFE_INTEGER, stepsOf: () => 2 ** 52 };

export interface IntegerWeights {
  readonly weights: readonly number[];
  /** Sums that differ by no more steps than this count as equal; 0 where nothing was rounded. */
  readonly tolerance: number;
  readonly isRounded: boolean;
}

/** Of weights above 0. Decimals of any length are scaled and divided by what they have in common. */
export function integerWeights(weights: readonly number[], grid: Grid = COARSE): IntegerWeights {
  const integers = new Map<number, bigint>(wholeNumbers([...new Set(weights)]));
  const sum = weights.reduce((total, weight) => total + (integers.get(weight) ?? 0n), 0n);
  if (sum <= BigInt(grid.exactMax)) {
    return { weights: weights.map((weight) => Number(integers.get(weight))), tolerance: 0, isRounded: false };
  }
  const steps = grid.stepsOf(weights.length);
  const total = weights.reduce((all, weight) => all + weight, 0);
  return {
    weights: weights.map((weight) => Math.round((weight / total) * steps)),
    tolerance: Math.floor(weights.length / 2),
    isRounded: true,
  };
}

function wholeNumbers(weights: readonly number[]): (readonly [number, bigint])[] {
  const decimals = weights.map(decimalOf);
  const least = Math.min(...decimals.map(({ exponent }) => exponent));
  const scaled = decimals.map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least));
  const divisor = scaled.reduce(greatestCommonDivisor, 0n);
  return weights.map((weight, index) => [weight, (scaled[index] ?? 0n) / divisor]);
}

/** `digits` · 10^`exponent`, as the number is written. */
function decimalOf(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [written = '0', power = '0'] = String(value).split('e');
  const [integer = '0', fraction = ''] = written.split('.');
  return { digits: BigInt(integer + fraction), exponent: Number(power) - fraction.length };
}

function greatestCommonDivisor(left: bigint, right: bigint): bigint {
  let [greater, smaller] = [left, right];
  while (smaller > 0n) [greater, smaller] = [smaller, greater % smaller];
  return greater;
}
