/** How sure a pass rate is: its 95 % interval by Wilson, with Kish's effective number of cases. */

export const CONFIDENCE_LEVEL = 0.95;
const Z = 1.959964;
const Z_SQUARED = Z * Z;

export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** What a run has for its pass rate. */
export interface Evidence extends Interval {
  readonly effectiveCases: number;
}

/** From 1 to the number of weights, which it is where all are equal. To six places, so that it is stored as it is. */
export function effectiveCases(weights: readonly number[]): number {
  const greatest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  if (greatest === 0) return weights.length;
  let [sum, sumOfSquares] = [0, 0];
  for (const weight of weights) {
    const share = weight / greatest;
    sum += share;
    sumOfSquares += share * share;
  }
  return Math.round((sum ** 2 / sumOfSquares) * 1e6) / 1e6;
}

/** Where the true rate of the uses lies that the cases were drawn from. */
export function wilson(passRate: number, cases: number): Interval {
  const divisor = 1 + Z_SQUARED / cases;
  const centre = (passRate + Z_SQUARED / (2 * cases)) / divisor;
  const variance = (passRate * (1 - passRate)) / cases + Z_SQUARED / (4 * cases ** 2);
  const halfWidth = (Z * Math.sqrt(variance)) / divisor;
  return {
    lower: passRate <= 0 ? 0 : Math.max(0, centre - halfWidth),
    upper: passRate >= 1 ? 1 : Math.min(1, centre + halfWidth),
  };
}

/** The lower bound that so many equal cases prove if all of them pass: no outcome proves more. */
export const provable = (cases: number): number => wilson(1, cases).lower;

/** How many equal cases prove so much; undefined for more than `most`. */
export function casesToProve(bound: number, most: number): number | undefined {
  const cases = Math.ceil((Z_SQUARED * bound) / (1 - bound));
  if (cases > most) return undefined;
  // The quotient may be off by a rounding.
  return provable(cases) >= bound ? cases : cases + 1;
}
