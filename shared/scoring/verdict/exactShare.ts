/** A share of weights, in whole numbers: every finite double is a multiple of 2^-1074. */
const double = new Float64Array(1);
const bits = new BigUint64Array(double.buffer);

const FRACTION_BITS = 52n;
const FRACTION = (1n << FRACTION_BITS) - 1n;
const UNITS_OF_ONE = 1n << 1074n;
/** 1 / `TOLERANCE` of tolerance.ts. */
const TOLERANCE_DIVISOR = 100_000_000_000n;

function unitsOf(value: number): bigint {
  double[0] = value;
  const [raw = 0n] = bits;
  const exponent = raw >> FRACTION_BITS;
  const fraction = raw & FRACTION;
  return exponent === 0n ? fraction : (fraction | (1n << FRACTION_BITS)) << (exponent - 1n);
}

/** Equal weights in a row are added at once. */
function sumOf(weights: readonly number[]): bigint {
  let [sum, times] = [0n, 0];
  for (const [index, weight] of weights.entries()) {
    times++;
    if (weight === weights[index + 1]) continue;
    sum += unitsOf(weight) * BigInt(times);
    times = 0;
  }
  return sum;
}

/** Whether the part reaches the bar of the whole by the rule of `reaches`, without any rounding. For bars below 1. */
export function exactlyReaches(part: readonly number[], total: readonly number[], bar: number): boolean {
  const floor = unitsOf(bar) * (TOLERANCE_DIVISOR - 1n);
  return sumOf(part) * UNITS_OF_ONE * TOLERANCE_DIVISOR >= sumOf(total) * floor;
}
