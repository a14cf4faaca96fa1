import type { Fault } from '../../contracts/gates.ts';
import type { DeclaredError, ScorerError } from './definition.ts';

/**
 * What a judge ends in without a verdict, and whose doing it is. An output can talk a model out of an answer, or have a
 * content filter refuse it: such errors are the candidate's. Keys, models and endpoints belong to the bar. One of the
 * service becomes the candidate's where the run shows that an output may have brought it about.
 */
const JUDGE_FAULTS = {
  BYOK_KEY_REJECTED: 'bar',
  JUDGE_NO_CREDIT: 'bar',
  JUDGE_RATE_LIMITED: 'service',
  JUDGE_TIMEOUT: 'service',
  JUDGE_UNAVAILABLE: 'service',
  JUDGE_REQUEST_REJECTED: 'candidate',
  JUDGE_UNPARSABLE: 'candidate',
  JUDGE_TRUNCATED: 'candidate',
  JUDGE_CONTEXT_TOO_LONG: 'candidate',
  JUDGE_REFUSED: 'candidate',
  JUDGE_CONCURRENCY_EXCEEDED: 'service',
  MODEL_NOT_CONFIGURED: 'bar',
  ENDPOINT_NOT_ALLOWED: 'bar',
} as const satisfies Readonly<Record<string, Fault>>;

export type JudgeErrorCode = keyof typeof JUDGE_FAULTS;

export const JUDGE_ERROR_CODES = Object.keys(JUDGE_FAULTS) as readonly JudgeErrorCode[];

export const JUDGE_ERRORS: readonly DeclaredError[] = Object.entries(JUDGE_FAULTS).map(([code, fault]) => ({
  code,
  fault,
}));

/** What a judge ends in where no answer came. One output can bring each about while others are judged. */
export const UNANSWERED: readonly JudgeErrorCode[] = [
  'JUDGE_TIMEOUT',
  'JUDGE_UNAVAILABLE',
  'JUDGE_CONCURRENCY_EXCEEDED',
];

export const judgeError = (
  code: JudgeErrorCode,
  reason: string,
  fault: Fault = JUDGE_FAULTS[code],
): ScorerError => ({ code, fault, reason });
