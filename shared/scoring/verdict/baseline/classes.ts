import type { GatedCase } from '../gatedCase.ts';
import type { BaselineOutcome, JudgedOutcome } from './baseline.ts';
import type { CaseClass, Change, ClassedCase } from './comparison.ts';
import { isNewlyFailing, isNewlyPassing, passesBefore } from './newlyFailing.ts';
import type { PairedCase } from './pairing.ts';

/** What is equal for all cases of a comparison. */
export interface Terms {
  /** Of the baseline. */
  readonly runs: number;
  readonly isOtherKind: boolean;
  /** A case that passed, fails now and cannot be compared is taken as compared. */
  readonly assumesFailed: boolean;
}

/** How a paired case is listed: the first class that fits. Undefined for one that gates on neither side. */
export function classed(paired: PairedCase, terms: Terms): ClassedCase | undefined {
  const { place, run, baselinePlace, baseline } = paired;
  const places = { place, baselinePlace };
  if (run === undefined) return { class: 'missing', ...places };
  if (baseline === undefined) return { class: 'added', ...places };
  if (run.advisory && baseline.advisory === 'all') return undefined;
  const why = changeOf(run, baseline, { ...terms, isSameBar: paired.isSameBar });
  const isUnjudged = run.errored || baseline.errored;
  if (why === undefined && !isUnjudged) return { class: comparedClass(run, baseline, terms.runs), ...places };
  const hasFallen = !run.passed && !run.advisory && passesBefore(baseline, terms.runs) > 0;
  if (terms.assumesFailed && hasFallen)
    return { class: passClass(run, baseline, terms.runs), isAssumed: true, ...places };
  return why === undefined ? { class: 'unjudged', ...places } : { class: 'changed', why, ...places };
}

function changeOf(
  run: GatedCase,
  baseline: BaselineOutcome,
  { isOtherKind, isSameBar }: Terms & Pick<PairedCase, 'isSameBar'>,
): Change | undefined {
  if (isOtherKind) return 'KIND';
  if (!isSameBar) return 'BAR';
  if (run.advisory || baseline.advisory !== 'none') return 'ADVISORY';
  return haveDrifted(run.judged, baseline.judged) ? 'JUDGE_DRIFT' : undefined;
}

/** Where no model was asked on one side, such as for a missing output, there is none that could be another one. */
function haveDrifted(run: JudgedOutcome | undefined, baseline: JudgedOutcome | undefined): boolean {
  const [runModels = [], baselineModels = []] = [run?.models, baseline?.models];
  if (runModels.length === 0 || baselineModels.length === 0) return false;
  return runModels.length > 1 || baselineModels.length > 1 || runModels[0] !== baselineModels[0];
}

function comparedClass(run: GatedCase, baseline: BaselineOutcome, runs: number): CaseClass {
  const isAlike = baseline.passedRuns === (run.passed ? runs : 0);
  if (!isAlike && isSameOutput(run.judged, baseline.judged)) return 'unstable';
  return passClass(run, baseline, runs);
}

function passClass(run: GatedCase, baseline: BaselineOutcome, runs: number): CaseClass {
  if (isNewlyFailing(run, baseline, runs)) return 'newly_failing';
  return isNewlyPassing(run, baseline, runs) ? 'newly_passing' : 'alike';
}

/** The judge then differs, not the candidate. */
function isSameOutput(run: JudgedOutcome | undefined, baseline: JudgedOutcome | undefined): boolean {
  const [runDigest, baselineDigest] = [run?.outputDigest ?? null, baseline?.outputDigest ?? null];
  return runDigest !== null && runDigest === baselineDigest;
}
