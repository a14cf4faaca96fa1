/** A case as a chance to pass with its weight, a whole number. */
export interface WeighedChance {
  readonly weight: number;
  /** That it passes in the run, given in how many of all runs it did. */
  readonly probability: number;
}

/** With more of them a list takes longer than a grid. */
const SUMS_MAX = 2 ** 14;

/** The probability of each sum, at the same place. Sums are in their order. */
export interface Mass {
  readonly sums: Float64Array;
  readonly shares: Float64Array;
}

/**
 * The probability of each passing weight up to `top`. However much weights differ, none is rounded away. Undefined where
 * there are too many sums.
 */
export function massBySum(cases: readonly WeighedChance[], top: number): Mass | undefined {
  let mass: Mass = { sums: Float64Array.of(0), shares: Float64Array.of(1) };
  // Light ones first: the sums that can be reached stay few for longer.
  for (const weighed of cases.toSorted((a, b) => a.weight - b.weight)) {
    mass = withCase(mass, weighed, top);
    if (mass.sums.length > SUMS_MAX) return undefined;
  }
  return mass;
}

/** Merges the sums without the case and those with it. */
function withCase({ sums, shares }: Mass, { weight, probability }: WeighedChance, top: number): Mass {
  const count = sums.length;
  const merged = { sums: new Float64Array(2 * count), shares: new Float64Array(2 * count) };
  let [length, plain, lifted] = [0, 0, 0];
  for (;;) {
    const without = sums[plain] ?? Number.POSITIVE_INFINITY;
    const having = (sums[lifted] ?? Number.POSITIVE_INFINITY) + weight;
    const sum = Math.min(without, having);
    if (sum > top || length === 2 * count) break;
    const [stays, rises] = [without === sum, having === sum];
    merged.sums[length] = sum;
    merged.shares[length++] =
      (stays ? (shares[plain] ?? 0) * (1 - probability) : 0) +
      (rises ? (shares[lifted] ?? 0) * probability : 0);
    plain += Number(stays);
    lifted += Number(rises);
  }
  return { sums: merged.sums.subarray(0, length), shares: merged.shares.subarray(0, length) };
}
