import type { Connection } from '../../connection/connection.ts';
import type { Secret } from '../../domain/byok/secret.ts';
import type { TokenUsage } from '../../domain/evaluation/judging/ports.ts';
import type { Prompt } from '../prompt.ts';

export interface ProviderAccess {
  readonly apiKey: Secret;
  readonly baseUrl: string;
  readonly azureApiVersion: string;
  readonly timeoutMs: number;
  readonly fetch: Connection['fetch'];
}

export interface Question {
  readonly model: string;
  readonly prompt: Prompt;
  /** Undefined for a model that takes none. */
  readonly schema: Record<string, unknown> | undefined;
}

/**
 * `refused`: by the model or a content filter. `truncated`: at the model's limit of tokens. `context_full`: what it was
 * asked left no room for an answer. `other`: ended early for another reason. `foreign`: not of the provider's form.
 */
export type Ending = 'complete' | 'refused' | 'truncated' | 'context_full' | 'other' | 'foreign';

export interface ModelAnswer {
  readonly ending: Ending;
  /** In the provider's words. */
  readonly finishReason: string | undefined;
  /** The text of the verdict, or of a refusal. Undefined when there is none, or more than one. */
  readonly content: string | undefined;
  /** The model that answered, as the provider names it. */
  readonly model: string | undefined;
  readonly usage: TokenUsage;
  readonly raw: unknown;
}

export interface ListedModel {
  readonly id: string;
  readonly shutdownDate: string | undefined;
}

/** One model provider. Its calls reject as its SDK does; the connection says what happened. */
export interface ProviderClient {
  ask(access: ProviderAccess, question: Question): Promise<ModelAnswer>;
  /** Those that the first page of its list names, if it says when one is shut down; else none. */
  listModels(access: ProviderAccess): Promise<readonly ListedModel[]>;
}

export const NO_USAGE: TokenUsage = { input_tokens: 0, output_tokens: 0 };

/** No retries by the SDKs, since the judge counts calls, and no logs, whatever the environment says. */
export function clientOptions({ apiKey: secret, baseUrl, timeoutMs, fetch }: ProviderAccess) {
  const apiKey = secret.reveal();
  return {
    apiKey,
    baseURL: baseUrl,
    fetch,
    maxRetries: 0,
    // The connection enforces the timeout; the SDK's is later.
    timeout: timeoutMs + 1_000,
    logLevel: 'off',
    // The SDKs read headers from the environment, which would replace the key.
    defaultHeaders: { authorization: `Bearer ${apiKey}` },
  } as const;
}

/** The pace of most models. A slower one runs out of time before it runs out of tokens. */
const TOKENS_A_SECOND = 100;

/**
 * So many tokens fit into the time of a call, thoughts included. A model that an output keeps thinking reaches its limit,
 * which is the candidate's doing, rather than the timeout, which may be the provider's.
 */
export const outputTokensMax = ({ timeoutMs }: Pick<ProviderAccess, 'timeoutMs'>): number =>
  Math.ceil((timeoutMs / 1_000) * TOKENS_A_SECOND);
