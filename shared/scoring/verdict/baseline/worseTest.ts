import type { WorseTest } from './comparison.ts';
import { FINE, type IntegerWeights, integerWeights } from './integerWeights.ts';
import { massBySum, type WeighedChance } from './sums.ts';

/** A compared case: in how many of the baseline's runs it passed, and whether it passes now. */
export interface PairedOutcome {
  readonly weight: number;
  readonly passedRuns: number;
  readonly passes: boolean;
}

interface Informative extends WeighedChance {
  readonly passes: boolean;
}

/** With more of them, a rounded grid is not added up. */
const ADDED_UP_MAX = 500;
/** The share that one case may have of the variance where it is approximated. */
const VARIANCE_SHARE_MAX = 0.01;
/** The probability that may count as that of equal sums on a rounded grid: more of it hides what light cases say. */
const ROUNDED_EQUAL_MAX = 0.05;

/**
 * Whether the run is worse, by weight. If nothing changed, it could be any of the runs: a case that k of the m + 1 runs
 * passed, the run passes with the probability k / (m + 1). The p-value is that of as little passing weight or less, of
 * as much by half.
 */
export function worseTest(cases: readonly PairedOutcome[], runs: number): WorseTest {
  const informative = informativeCases(cases, runs);
  const informativeCount = { informativeCases: informative.length };
  if (informative.length === 0) return { pValue: 1, pValueExact: 1, isTooUneven: false, ...informativeCount };
  const grid = integerWeights(informative.map(({ weight }) => weight));
  if (grid.isRounded && informative.length > ADDED_UP_MAX) {
    const pValue = approximated(informative);
    return { pValue, pValueExact: null, isTooUneven: isTooUneven(informative), ...informativeCount };
  }
  const test = grid.isRounded
    ? (listedUp(informative) ?? roundedUp(informative, grid))
    : { ...addedUp(onGrid(informative, grid), 0), isTooUneven: false };
  return { ...test, ...informativeCount };
}

/** The p-value if every case failed: no run of these cases has a lower one. */
export function leastPValue(cases: readonly PairedOutcome[], runs: number): number {
  const failed = cases.map((one) => ({ ...one, passes: false }));
  return informativeCases(failed, runs).reduce(
    (product, { probability }) => product * (1 - probability),
    0.5,
  );
}

const onGrid = (cases: readonly Informative[], { weights }: IntegerWeights): Informative[] =>
  cases.map((one, index) => ({ ...one, weight: weights[index] ?? 0 }));

/** A case that all runs passed, or none, says nothing, and so does one that weighs nothing. */
function informativeCases(cases: readonly PairedOutcome[], runs: number): Informative[] {
  const areEqual = cases.every(({ weight }) => weight === 0);
  const all = cases.map(({ weight, passedRuns, passes }) => ({
    weight: areEqual ? 1 : weight,
    probability: (passedRuns + Number(passes)) / (runs + 1),
    passes,
  }));
  return all.filter(({ weight, probability }) => weight > 0 && probability > 0 && probability < 1);
}

interface PValues extends Pick<WorseTest, 'pValue'> {
  readonly pValueExact: number;
}
type Judged = Pick<WorseTest, 'pValue' | 'pValueExact' | 'isTooUneven'>;

const passingWeight = (cases: readonly Informative[]): number =>
  cases.reduce((sum, { weight, passes }) => sum + (passes ? weight : 0), 0);

/** Sums the probabilities of all passing weights up to the run's own. `sums`: undefined where they are the places. */
function pValuesOf(shares: Float64Array, least: number, sums?: Float64Array): PValues {
  let [below, equal] = [0, 0];
  for (const [place, share] of shares.entries()) {
    if ((sums?.[place] ?? place) < least) below += share;
    else equal += share;
  }
  return { pValue: Math.min(1, below + equal / 2), pValueExact: Math.min(1, below + equal) };
}

function addedUp(cases: readonly Informative[], tolerance: number): PValues {
  const passing = passingWeight(cases);
  return pValuesOf(massUpTo(cases, passing + tolerance), passing - tolerance);
}

/** As fine as numbers are. Undefined where there are too many sums to list them. */
function listedUp(informative: readonly Informative[]): Judged | undefined {
  const grid = integerWeights(
    informative.map(({ weight }) => weight),
    FINE,
  );
  const cases = onGrid(informative, grid);
  const passing = passingWeight(cases);
  const mass = massBySum(cases, passing + grid.tolerance);
  if (mass === undefined) return undefined;
  const isTooUneven = cases.some(({ weight }) => weight <= 2 * grid.tolerance);
  return { ...pValuesOf(mass.shares, passing - grid.tolerance, mass.sums), isTooUneven };
}

/** What light cases say may be lost beside a heavy one: the sums that count as equal then have much of the probability. */
function roundedUp(cases: readonly Informative[], grid: IntegerWeights): Judged {
  const { pValue, pValueExact } = addedUp(onGrid(cases, grid), grid.tolerance);
  const isTooUneven = 2 * (pValueExact - pValue) > ROUNDED_EQUAL_MAX;
  return { pValue, pValueExact: null, isTooUneven };
}

/** The probability of each passing weight up to the greatest one that is asked for. */
function massUpTo(cases: readonly Informative[], top: number): Float64Array {
  const mass = new Float64Array(top + 1);
  mass[0] = 1;
  let reached = 0;
  // Light ones first: the sums that can be reached stay few for longer.
  for (const { weight, probability } of cases.toSorted((one, other) => one.weight - other.weight)) {
    reached = Math.min(top, reached + weight);
    const rest = 1 - probability;
    for (let sum = reached; sum >= weight; sum--) {
      mass[sum] = (mass[sum] ?? 0) * rest + (mass[sum - weight] ?? 0) * probability;
    }
    for (let sum = Math.min(reached, weight - 1); sum >= 0; sum--) mass[sum] = (mass[sum] ?? 0) * rest;
  }
  return mass;
}

/** Among so many sums hardly one is equal to the run's own. */
function approximated(cases: readonly Informative[]): number {
  const greatest = greatestOf(cases);
  let [distance, variance] = [0, 0];
  for (const { weight, probability, passes } of cases) {
    const share = weight / greatest;
    distance += share * (Number(passes) - probability);
    variance += share ** 2 * probability * (1 - probability);
  }
  return normalBelow(distance / Math.sqrt(variance));
}

function isTooUneven(cases: readonly Informative[]): boolean {
  const greatest = greatestOf(cases);
  const squares = cases.reduce((sum, { weight }) => sum + (weight / greatest) ** 2, 0);
  return 1 > VARIANCE_SHARE_MAX * squares;
}

const greatestOf = (cases: readonly Informative[]): number =>
  cases.reduce((most, { weight }) => Math.max(most, weight), 0);

/** Coefficients of Numerical Recipes' `erfcc`: its relative error is below 1.2e-7. */
const ERFC = [
  0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196,
  1.00002368, -1.26551223,
];

/** The probability that a standard normal variable is below. */
function normalBelow(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const tail = (t * Math.exp(ERFC.reduce((sum, coefficient) => sum * t + coefficient, 0) - x * x)) / 2;
  return z < 0 ? tail : 1 - tail;
}
