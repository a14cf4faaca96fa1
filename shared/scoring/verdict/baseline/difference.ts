import { effectiveCases } from '../confidence.ts';
import type { ComparedRates } from './comparison.ts';
import type { PairedOutcome } from './worseTest.ts';

const Z = 1.959964;
/** Of a test at 5 %, one-sided, that sees a drop four times in five. */
const Z_DETECTED = 1.6449 + 0.8416;

const NOTHING_COMPARED: ComparedRates = { baseline: 0, run: 0, difference: 0, lower: -1, upper: 1 };

/** So that 0.9 - 0.8 is 0.1. */
const rounded = (share: number): number => Math.round(share * 1e12) / 1e12;

/** The greatest is 1, which keeps sums of squares finite. Weights that are all 0 are equal. */
function relativeWeights(cases: readonly PairedOutcome[]): number[] {
  const greatest = cases.reduce((most, { weight }) => Math.max(most, weight), 0);
  return cases.map(({ weight }) => (greatest === 0 ? 1 : weight / greatest));
}

/**
 * Both pass rates over the compared cases, and the 95 % interval of their difference. Two cases more, of which one gets
 * better and one worse, keep the interval from being too short where few cases differ.
 */
export function comparedRates(cases: readonly PairedOutcome[], runs: number): ComparedRates {
  if (cases.length === 0) return NOTHING_COMPARED;
  const weights = relativeWeights(cases);
  let [sum, squares, ofBaseline, ofRun] = [0, 0, 0, 0];
  for (const [index, { passedRuns, passes }] of cases.entries()) {
    const weight = weights[index] ?? 0;
    sum += weight;
    squares += weight ** 2;
    ofBaseline += (weight * passedRuns) / runs;
    ofRun += passes ? weight : 0;
  }
  const added = squares / sum;
  const total = sum + 2 * added;
  const mean = (ofRun - ofBaseline) / total;
  let deviations = added ** 2 * ((1 - mean) ** 2 + (-1 - mean) ** 2);
  for (const [index, { passedRuns, passes }] of cases.entries()) {
    deviations += ((weights[index] ?? 0) * (Number(passes) - passedRuns / runs - mean)) ** 2;
  }
  const half = (Z * Math.sqrt(deviations)) / total;
  return {
    baseline: rounded(ofBaseline / sum),
    run: rounded(ofRun / sum),
    difference: rounded((ofRun - ofBaseline) / sum),
    lower: Math.max(-1, mean - half),
    upper: Math.min(1, mean + half),
  };
}

/** How far the pass rate would have to fall for the test to see it four times in five. */
export function detectableDrop(
  cases: readonly PairedOutcome[],
  runs: number,
  { newlyFailing, newlyPassing }: { readonly newlyFailing: number; readonly newlyPassing: number },
): number {
  if (cases.length === 0) return 1;
  const flips = (2 * Math.min(newlyFailing, newlyPassing) + 1) / (cases.length + 2);
  const noise = (flips * (1 + 1 / runs)) / 2;
  const leastVariance = Z_DETECTED ** 2 / effectiveCases(cases.map(({ weight }) => weight));
  return Math.min(1, (leastVariance + Math.sqrt(leastVariance ** 2 + 4 * leastVariance * noise)) / 2);
}
