import type { GatedCase } from '../gatedCase.ts';
import type { Against } from './baseline.ts';
import { classed } from './classes.ts';
import { isCompared } from './compare.ts';
import { passesBefore } from './newlyFailing.ts';
import { type PairedCase, pairedCases } from './pairing.ts';

/**
 * The difference of the pass rates over all cases that gated in the baseline, by their weights there. A case that cannot
 * be compared never makes up for another one: it has fallen if it fails or is gone, and so has a case that fails and did
 * not gate in the baseline.
 */
export function worstDifference(cases: readonly GatedCase[], against: Against): number {
  const { runKind, baseline } = against;
  const terms = { runs: baseline.runs, isOtherKind: runKind !== baseline.kind, assumesFailed: false };
  const all = pairedCases(cases, against).map((pair) => ({ pair, gated: gatedBefore(pair) }));
  const totalWeight = all.reduce((sum, { pair, gated }) => sum + (gated ? pair.baselineWeight : 0), 0);
  const weightOf = (weight: number): number => (totalWeight === 0 ? 1 : weight);
  const count = all.filter(({ gated }) => gated).length;
  const sum = all.reduce((total, { pair, gated }) => {
    const { run, baseline: before } = pair;
    if (!gated || before === undefined) {
      const hasFallen = run !== undefined && !run.advisory && !run.passed;
      return total - (hasFallen ? weightOf(run.weight) : 0);
    }
    const difference = Number(run?.passed ?? false) - passesBefore(before, terms.runs) / terms.runs;
    const counted = isCompared(classed(pair, terms)) ? difference : Math.min(0, difference);
    return total + weightOf(pair.baselineWeight) * counted;
  }, 0);
  return count === 0 ? -1 : sum / (totalWeight === 0 ? count : totalWeight);
}

const gatedBefore = ({ baseline }: PairedCase): boolean =>
  baseline !== undefined && baseline.advisory !== 'all';
