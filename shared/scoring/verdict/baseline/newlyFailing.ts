import type { GatedCase } from '../gatedCase.ts';
import type { BaselineOutcome } from './baseline.ts';

/** In how many of the runs it passed. One that was errored may have passed in all. */
export const passesBefore = ({ errored, passedRuns }: BaselineOutcome, runs: number): number =>
  errored ? runs : passedRuns;

/** Newly failing: it fails now, and passed in at least half of the runs of the baseline. */
export function isNewlyFailing(run: GatedCase, baseline: BaselineOutcome, runs: number): boolean {
  const passedRuns = passesBefore(baseline, runs);
  return !run.passed && passedRuns > 0 && 2 * passedRuns >= runs;
}

/** Newly passing: it passes now, and passed in less than half of the runs of the baseline. */
export const isNewlyPassing = (run: GatedCase, baseline: BaselineOutcome, runs: number): boolean =>
  run.passed && 2 * passesBefore(baseline, runs) < runs;
