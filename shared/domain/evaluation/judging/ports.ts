import type { ScaleLevel } from '../../../scoring/kit/definition.ts';
import type { JudgeErrorCode } from '../../../scoring/kit/judgeErrors.ts';
import type { Provider } from '../../byok/providers.ts';
import type { Secret } from '../../byok/secret.ts';
import type { Candidate } from '../../runs/outputs/candidate.ts';
import type { Slotted } from '../slots/ports.ts';

/** A level of a judge's scale: a score, or an object with one. */
export type JudgeLevel = ScaleLevel;

export { JUDGE_ERROR_CODES, type JudgeErrorCode } from '../../../scoring/kit/judgeErrors.ts';

/** Answers of key tests, kept while the request that asked may wait for them. */
export interface KeyTestStore {
  save(orgId: string, testId: string, answer: KeyTest): Promise<void>;
  find(orgId: string, testId: string): Promise<KeyTest | undefined>;
}

export interface JudgeRequest {
  readonly provider: Provider;
  readonly apiKey: Secret;
  /** For Azure `<endpoint_url>|<deployment_name>`. Undefined: the service's default model. */
  readonly model: string | undefined;
  readonly rubric: string;
  readonly scale: readonly JudgeLevel[] | undefined;
  readonly candidate: Candidate;
  readonly caseInput: object;
  readonly expected: unknown;
  readonly dualSided: boolean;
}

export interface TokenUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface JudgeVerdict {
  readonly kind: 'verdict';
  readonly score: number;
  /** Both are set when the request was dual-sided. The score is then their F1. */
  readonly precision?: number;
  readonly recall?: number;
  /** The judge's own words, at most 2,000 characters. */
  readonly reason: string;
  /** The provider's full answer, without the key. */
  readonly rawResponse: unknown;
  /** The model that the provider says it was: an alias names a newer one over time. Undefined where it says none. */
  readonly answeredModel?: string | undefined;
  /** The sum over all calls that were made for this verdict. */
  readonly usage: TokenUsage;
  readonly promptVersion?: string | undefined;
}

export interface JudgeError {
  readonly kind: 'error';
  readonly code: JudgeErrorCode;
  readonly reason: string;
  /** The provider names a cause that no output brings about. */
  readonly isOfLoad?: true;
  /** Undefined where no answer came. */
  readonly said?: ProviderSaid;
  readonly promptVersion?: string | undefined;
  /** Of all calls that were made. Undefined where none was. */
  readonly usage?: TokenUsage;
}

/** What a provider said that gave no verdict, for `scorer_output`: short, and without the key. */
export interface ProviderSaid {
  readonly finish_reason?: string;
  readonly provider_message?: string;
  /** The start of the model's text, or else of the whole answer. */
  readonly answer?: string;
  readonly answered_model?: string;
}

/** The calls of this case were all made in earlier deliveries of its chunk, or the key was revoked. */
export interface NotJudged {
  readonly kind: 'not_judged';
  readonly why: 'calls_exhausted' | 'key_revoked';
}

export type JudgeOutcome = JudgeVerdict | JudgeError | NotJudged;

export type KeyTest = { readonly kind: 'tested'; readonly valid: boolean } | JudgeError;

export interface JudgeDeps {
  /** Makes one call to the provider while it holds a slot, after the checks before a call. */
  withSlot<T>(call: () => Promise<T>): Promise<Slotted<T>>;
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
  testKey(provider: Provider, apiKey: Secret, model?: string): Promise<KeyTest>;
  /** By the names of its models: the days, such as 2026-12-11, on which the provider shuts them down. One call, which may fail. */
  retirements(provider: Provider, apiKey: Secret, model?: string): Promise<ReadonlyMap<string, string>>;
}
