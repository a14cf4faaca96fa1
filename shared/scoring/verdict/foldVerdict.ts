import type { Fault } from '../../contracts/gates.ts';
import type { Verdict } from '../../contracts/runs.ts';
import type { JudgeProof } from '../judging/proof.ts';
import type { Against } from './baseline/baseline.ts';
import type { KeptComparison } from './baseline/compared.ts';
import { faultOf } from './fault.ts';
import { flipsOf } from './flips.ts';
import { statusLetter } from './gates/gate.ts';
import { gates, isRelative } from './gates/registry.ts';
import { type GatedCase, type GateSettings, type Gating, gatingOf, inOneState } from './gating.ts';
import { type GateResult, type KeptVerdict, NAMED_CASES_MAX, type StatusLetter } from './kept.ts';
import { shortenName } from './shortNames.ts';
import { type RateVerdict, verdictOf } from './verdict.ts';

/** The figures are of gating cases; advisory ones are counted apart. */
export interface FoldedVerdict extends Verdict {
  /** Part of `failed_cases`. */
  readonly missing_cases: number;
  readonly advisory_cases: number;
  /** Advisory cases that did not pass, errored ones included. */
  readonly advisory_failed_cases: number;
  /** Only of an inconclusive run. */
  readonly fault?: Fault;
  readonly kept: KeptVerdict;
  /** Only of a run that is compared with a baseline. */
  readonly compared?: KeptComparison;
}

/**
 * Each gate is evaluated with errored cases as failed, then as passed: it passes if it holds with the first, and fails
 * if it does not hold with the second. A run is cleared if all gates pass. Without `against`, what the run is compared
 * with, a relative gate is inconclusive. Throws without a gating case.
 */
export function foldVerdict(
  cases: readonly GatedCase[],
  settings: GateSettings,
  against?: Against,
  judges?: JudgeProof,
): FoldedVerdict {
  const gating = gatingOf(cases, settings, against, judges);
  const verdict = verdictOf(gating.cases, settings.passThreshold);
  const { dependsOnErrored: _, ...figures } = verdict;
  const [rate, results] = [statusLetter(verdict), gateResults(gating, verdict)];
  const cleared = areOpen(rate, results);
  const failed = rate === 'f' || results.some(([, status]) => status === 'f');
  const inconclusive = !cleared && !failed;
  const advisory = cases.filter((one) => one.advisory);
  return {
    ...figures,
    status: cleared ? 'cleared' : 'aborted',
    inconclusive,
    ...(inconclusive && { fault: faultOfRun(cases, settings, against, judges) }),
    missing_cases: gating.cases.filter(({ missing }) => missing).length,
    advisory_cases: advisory.length,
    advisory_failed_cases: advisory.filter(({ passed, errored }) => !passed || errored).length,
    kept: {
      effectiveCases: gating.effectiveCases,
      flips: results.some(isRelative) ? null : keptFlips(gating, cleared),
      gates: rate === 'i' ? [['rate', rate], ...results] : results,
    },
    ...(gating.compared && { compared: gating.compared.kept }),
  };
}

const gateResults = (gating: Gating, verdict: RateVerdict): GateResult[] =>
  gates.flatMap((gate) => gate.results(gating, verdict));

const areOpen = (rate: StatusLetter, results: readonly GateResult[]): boolean =>
  rate === 'p' && results.every(([, status]) => status === 'p');

/**
 * Whose doing it is that a run is not cleared. A case that failed or got no output is the candidate's, as are errored
 * ones of its own.
 */
export function faultOfRun(
  cases: readonly GatedCase[],
  settings: GateSettings,
  against?: Against,
  judges?: JudgeProof,
): Fault {
  const all = cases.map(inOneState);
  return faultOf((faults) => {
    const isExcused = ({ passed, errored, fault }: GatedCase) =>
      !passed && (errored ? fault !== undefined && faults.has(fault) : faults.has('candidate'));
    const excused = all.map((one) => (isExcused(one) ? { ...one, ...PASSED } : one));
    const without = gatingOf(excused, settings, against, judges);
    const verdict = verdictOf(without.cases, settings.passThreshold);
    return areOpen(statusLetter(verdict), gateResults(without, verdict));
  });
}

const PASSED = { passed: true, errored: false, missing: false } as const;

/** Which cases abort a run when they fail says little, and there may be many such sets. */
function keptFlips(gating: Gating, cleared: boolean): KeptVerdict['flips'] {
  const flips = flipsOf(gating, cleared);
  if (flips === null) return null;
  const named = cleared ? [] : flips.cases.slice(0, NAMED_CASES_MAX);
  return [flips.cases.length, flips.exact ? 1 : 0, ...named.map(({ id }) => shortenName(id))];
}
