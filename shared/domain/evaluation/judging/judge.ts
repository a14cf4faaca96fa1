import type { Provider } from '../../byok/providers.ts';
import type { Candidate } from '../../runs/candidate.ts';

export interface JudgeRequest {
  readonly provider: Provider;
  readonly apiKey: string;
  /** Azure's is `<endpoint_url>|<deployment_name>`; left out, it is the deployment's default. */
  readonly model: string | undefined;
  readonly rubric: string;
  readonly scale: readonly unknown[] | undefined;
  readonly candidate: Candidate;
  readonly caseInput: object;
  readonly expected: unknown;
  readonly dualSided: boolean;
}

export const JUDGE_ERROR_CODES = [
  'BYOK_KEY_REJECTED',
  'JUDGE_RATE_LIMITED',
  'JUDGE_TIMEOUT',
  'JUDGE_UNAVAILABLE',
  'JUDGE_UNPARSABLE',
  'JUDGE_REFUSED',
  'JUDGE_CONCURRENCY_EXCEEDED',
  'MODEL_NOT_CONFIGURED',
  'ENDPOINT_NOT_ALLOWED',
] as const;
export type JudgeErrorCode = (typeof JUDGE_ERROR_CODES)[number];

export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface JudgeVerdict {
  readonly kind: 'verdict';
  readonly score: number;
  /** Both are there when the request was dual-sided; the score is then their F1. */
  readonly precision?: number;
  readonly recall?: number;
  /** The judge's own words, at most 2,000 characters. */
  readonly reason: string;
  /** The provider's full answer, without the key. */
  readonly rawResponse: unknown;
  /** Of all calls that were made for this verdict. */
  readonly usage: TokenUsage;
}

export interface JudgeError {
  readonly kind: 'error';
  readonly code: JudgeErrorCode;
  readonly reason: string;
}

export type JudgeOutcome = JudgeVerdict | JudgeError;

export type KeyTest = { readonly kind: 'tested'; readonly valid: boolean } | JudgeError;

export interface JudgeDeps {
  /**
   * Runs one call to the provider while it holds one of the slots. Rejecting with an error whose `code` is
   * JUDGE_CONCURRENCY_EXCEEDED ends the case with that code, and CALLS_EXHAUSTED after a failed call with what that
   * call failed of; any other rejection reaches the caller.
   */
  withSlot<T>(call: () => Promise<T>): Promise<T>;
  sleep(ms: number): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  /** Milliseconds since the epoch. */
  now(): number;
  /** 128 random bits or more, written in letters, digits, `-` and `_`. */
  newDelimiter(): string;
}

export interface Judge {
  judge(request: JudgeRequest, deps: JudgeDeps): Promise<JudgeOutcome>;
  /** Asks the provider the cheapest question that needs a key. One call, never repeated. */
  testKey(provider: Provider, apiKey: string, model?: string): Promise<KeyTest>;
}
