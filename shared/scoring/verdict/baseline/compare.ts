import type { GatedCase, GateSettings } from '../gatedCase.ts';
import { reaches } from '../tolerance.ts';
import type { Against } from './baseline.ts';
import { classed } from './classes.ts';
import {
  type CaseClass,
  type ClassedCase,
  type Comparison,
  type ComparisonCounts,
  LISTED_CLASSES,
  MIN_COMPARABLE,
} from './comparison.ts';
import { comparedRates, detectableDrop } from './difference.ts';
import { passesBefore } from './newlyFailing.ts';
import { type PairedCase, pairedCases } from './pairing.ts';
import { leastPValue, type PairedOutcome, worseTest } from './worseTest.ts';

interface Classed {
  readonly paired: PairedCase;
  readonly classedCase: ClassedCase;
}

/**
 * A run beside its baseline: `cases` are all of the run, in the order of its bar, each in one state. `assumesFailed`:
 * those that passed, fail now and cannot be compared are taken as compared.
 */
export function compare(
  cases: readonly GatedCase[],
  { gates }: Pick<GateSettings, 'gates'>,
  against: Against,
  assumesFailed = false,
): Comparison {
  const { baseline, runKind } = against;
  const { runs } = baseline;
  const terms = { runs, isOtherKind: runKind !== baseline.kind, assumesFailed };
  const paired = pairedCases(cases, against);
  const all = paired.flatMap((pair): Classed[] => {
    const classedCase = classed(pair, terms);
    return classedCase === undefined ? [] : [{ paired: pair, classedCase }];
  });
  const counts = countsOf(all);
  const outcomesOf = (some: readonly Classed[]) => some.flatMap((entry) => outcomeOf(entry, runs));
  const compared = outcomesOf(all.filter(({ classedCase }) => isCompared(classedCase)));
  const tested = outcomesOf(
    all.filter(({ classedCase }) => isCompared(classedCase) && classedCase.class !== 'unstable'),
  );
  const coverage = coverageOf(paired, compared);
  const flips = { newlyFailing: counts.newly_failing, newlyPassing: counts.newly_passing };
  return {
    cases: all.map(({ classedCase }) => classedCase),
    counts,
    coverage,
    comparable: counts.compared > 0 && reaches(coverage, gates.min_comparable ?? MIN_COMPARABLE),
    rates: comparedRates(compared, runs),
    test: worseTest(tested, runs),
    leastPValue: leastPValue(tested, runs),
    detectableDrop: detectableDrop(compared, runs, flips),
  };
}

const COMPARED: ReadonlySet<CaseClass> = new Set(['newly_failing', 'newly_passing', 'unstable', 'alike']);
/** Undefined: it gates on neither side. */
export const isCompared = (one: ClassedCase | undefined): boolean =>
  one !== undefined && COMPARED.has(one.class);

function countsOf(all: readonly Classed[]): ComparisonCounts {
  const countOf = (counts: (entry: Classed) => boolean) => all.filter(counts).length;
  const listed = LISTED_CLASSES.map(
    (name) => [name, countOf(({ classedCase }) => classedCase.class === name)] as const,
  );
  return {
    ...Object.fromEntries(listed),
    compared: countOf(({ classedCase }) => isCompared(classedCase)),
  } as ComparisonCounts;
}

const outcomeOf = ({ paired: { run, baseline } }: Classed, runs: number): PairedOutcome[] =>
  run === undefined || baseline === undefined
    ? []
    : [{ weight: run.weight, passedRuns: passesBefore(baseline, runs), passes: run.passed }];

/** Of the greater of both gating weights. Weights that are all 0 are equal. */
function coverageOf(paired: readonly PairedCase[], compared: readonly PairedOutcome[]): number {
  const ofRun = paired.flatMap(({ run }) => (run === undefined || run.advisory ? [] : [run.weight]));
  const ofBaseline = paired.flatMap(({ baseline, baselineWeight }) =>
    baseline === undefined || baseline.advisory === 'all' ? [] : [baselineWeight],
  );
  const total = Math.max(sumOf(ofRun), sumOf(ofBaseline));
  const part = sumOf(compared.map(({ weight }) => weight));
  const count = Math.max(ofRun.length, ofBaseline.length);
  if (total === 0) return count === 0 ? 0 : compared.length / count;
  return Math.min(1, part / total);
}

const sumOf = (weights: readonly number[]): number => weights.reduce((sum, weight) => sum + weight, 0);
