import type { Outcome, ScorerError } from './definition.ts';
import { toReason } from './text.ts';
import type { CaseResult } from './types.ts';

export const EXPECTED_MISSING: ScorerError = {
  code: 'EXPECTED_MISSING',
  fault: 'bar',
  reason: 'the scorer compares with `expected`, and the case has none: set `expected` on the case',
};
export const RUN_TIMEOUT: ScorerError = {
  code: 'RUN_TIMEOUT',
  fault: 'candidate',
  reason:
    'too many patterns, schemas or values for the time a run has, and this one was not done: use fewer or simpler ones, a shorter output, or several suites',
};
export const SCORER_CONFIG_INVALID: ScorerError = {
  code: 'SCORER_CONFIG_INVALID',
  fault: 'bar',
  reason: 'the scorer cannot be used: correct its config',
};
export const SCORER_NOT_FOUND: ScorerError = {
  code: 'SCORER_NOT_FOUND',
  fault: 'bar',
  reason: 'the scorer of this case was deleted: give the case another scorer',
};
export const BYOK_KEY_MISSING: ScorerError = {
  code: 'BYOK_KEY_MISSING',
  fault: 'bar',
  reason: 'no model provider key is stored for this scorer: add a BYOK key for its provider',
};

export const OUTPUT_ERROR: ScorerError = {
  code: 'OUTPUT_ERROR',
  fault: 'candidate',
  reason: 'the request has an error in place of an output: see its message, and run the gate again',
};
export const SAMPLES_UNDECIDED: ScorerError = {
  code: 'SAMPLES_UNDECIDED',
  fault: 'candidate',
  reason: 'it depends on samples that ended in an error whether the case passes: run the gate again',
};
export const EVALUATION_FAILED: ScorerError = {
  code: 'EVALUATION_FAILED',
  fault: 'service',
  reason:
    'the run could not be evaluated to its end, so this case has no verdict: run the gate again; this run is not counted',
};

/** A scorer that could not do its work. Not a verdict on the output, but the gate stays closed. */
export function erroredOutcome({ code, fault, reason }: ScorerError): Outcome {
  return { score: 0, reason: toReason(reason), output: { error: code }, errored: true, fault };
}

export function configInvalid(why: string): Outcome {
  return erroredOutcome({
    ...SCORER_CONFIG_INVALID,
    reason: `the scorer cannot be used: ${why}; correct its config`,
  });
}

export const noSides = (type: string): string =>
  `${type} measures no precision and no recall: leave dual_sided out`;

export function failedByError(
  evalCase: { readonly id: string; readonly name: string; readonly threshold: number },
  { code, fault, reason }: ScorerError,
): CaseResult {
  return {
    case_id: evalCase.id,
    case_name: evalCase.name,
    passed: false,
    score: 0,
    threshold: evalCase.threshold,
    reason: toReason(reason),
    scorer_output: { error: code },
    duration_ms: 0,
    errored: true,
    fault,
  };
}
