import { asReason } from './text.ts';
import type { CaseResult, Outcome, ScorerErrorCode } from './types.ts';

const REASONS: Record<ScorerErrorCode, string> = {
  EXPECTED_MISSING: 'the scorer compares with `expected`, and the case has none: set `expected` on the case',
  REGEX_TIMEOUT:
    'the pattern did not finish on this output in time: rewrite it without nested or overlapping repetition',
  SCHEMA_TIMEOUT:
    'the schema did not finish on this output in time: simplify its `anyOf`, `$ref` or `pattern` parts',
  CONTAINS_TIMEOUT: 'the values were not searched in time: use fewer or shorter values',
  EXACT_MATCH_TIMEOUT: 'the output was not compared with `expected` in time: use a shorter `expected`',
  RUN_TIMEOUT:
    'too many patterns, schemas or values for the time a run has, and this one was not done: use fewer or simpler ones, a shorter output, or several suites',
  SCHEMA_RECURSION: 'the schema refers back to itself without end: break the `$ref` cycle',
  SCORER_CONFIG_INVALID: 'the scorer cannot be used: correct its config',
  SCORER_NOT_FOUND: 'the scorer of this case was deleted: give the case another scorer',
  BYOK_KEY_MISSING: 'no model provider key is stored for this scorer: add a BYOK key for its provider',
};

/** A scorer that could not do its work. Not a verdict on the output, but the gate stays closed. */
export function erroredOutcome(code: ScorerErrorCode, reason: string = REASONS[code]): Outcome {
  return { score: 0, reason: asReason(reason), output: { error: code }, errored: true };
}

export function configInvalid(why: string): Outcome {
  return erroredOutcome('SCORER_CONFIG_INVALID', `the scorer cannot be used: ${why}; correct its config`);
}

/** The result of a case whose scorer failed; also for codes that only the judge knows. */
export function failedByError(
  evalCase: { readonly id: string; readonly name: string; readonly threshold: number },
  code: string,
  reason: string,
): CaseResult {
  return {
    case_id: evalCase.id,
    case_name: evalCase.name,
    passed: false,
    score: 0,
    threshold: evalCase.threshold,
    reason: asReason(reason),
    scorer_output: { error: code },
    duration_ms: 0,
    errored: true,
  };
}
