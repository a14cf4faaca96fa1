import type { PairedOutcome } from '../../shared/scoring/verdict/baseline/worseTest.ts';
import type { Random } from '../../test/faults/random.ts';

/** A system under test: 90 % of its cases are good, and 30 % of all flip from run to run. */

const GOOD = 0.9;
const FLAKY = 0.3;
/** Of the baselines that are simulated. */
export const BASELINE_RUNS = [1, 3, 5] as const;
const SIMULATED: readonly number[] = BASELINE_RUNS;
const RUNS_MAX = 5;

export interface SystemLike {
  readonly cases: number;
  /** The probability that two runs of one system disagree on a case. */
  readonly flips: number;
  /** How many of the good cases the candidate has broken. */
  readonly broken: number;
  readonly weightAt?: (place: number) => number;
  /** Of a case alone, in place of `broken`. */
  readonly brokenAt?: (place: number) => number;
}

interface SimulatedCase {
  /** That it passes in a run of the system, and of the candidate. */
  readonly passes: number;
  readonly passesNow: number;
  readonly weight: number;
}

export function drawCases(like: SystemLike, random: Random): SimulatedCase[] {
  // Two runs of a flaky case disagree with the probability 2e(1 - e).
  const deviation = (1 - Math.sqrt(Math.max(0, 1 - (2 * like.flips) / FLAKY))) / 2;
  return Array.from({ length: like.cases }, (_, place) => {
    const flaky = random.chance(FLAKY) ? deviation : 0;
    const isGood = place < GOOD * like.cases;
    const isBroken = isGood && random.chance(like.brokenAt?.(place) ?? like.broken);
    return {
      passes: isGood ? 1 - flaky : flaky,
      passesNow: isGood && !isBroken ? 1 - flaky : flaky,
      weight: like.weightAt?.(place) ?? 1,
    };
  });
}

/** One run of the candidate beside baselines of 1, 3 and 5 runs, each of which begins with the smaller one. */
export function drawTrial(cases: readonly SimulatedCase[], random: Random): PairedOutcome[][] {
  const trial: PairedOutcome[][] = BASELINE_RUNS.map(() => []);
  for (const { passes: probability, passesNow, weight } of cases) {
    const passes = random.chance(passesNow);
    let passedRuns = 0;
    for (let run = 1; run <= RUNS_MAX; run++) {
      if (random.chance(probability)) passedRuns++;
      const place = SIMULATED.indexOf(run);
      trial[place]?.push({ weight, passedRuns, passes });
    }
  }
  return trial;
}

export const trueDifference = (cases: readonly SimulatedCase[]): number =>
  cases.reduce((sum, { passes, passesNow }) => sum + passesNow - passes, 0) / cases.length;
