import type { Secret } from '../../domain/byok/secret.ts';
import type { TokenUsage } from '../../domain/evaluation/judging/ports.ts';
import type { Connection } from '../connection/connection.ts';
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
  readonly schema: Record<string, unknown>;
}

export interface ModelAnswer {
  /** `refused` by the model or a content filter; `cut` covers every other end but the regular one. */
  readonly ending: 'complete' | 'refused' | 'cut';
  /** What should be the one verdict object; undefined when there is none or more than one. */
  readonly content: string | undefined;
  readonly usage: TokenUsage;
  readonly raw: unknown;
}

/** One model provider. Its calls reject as its SDK does; what that means is read off the connection. */
export interface ProviderClient {
  ask(access: ProviderAccess, question: Question): Promise<ModelAnswer>;
  listModels(access: ProviderAccess): Promise<void>;
}

export const NO_USAGE: TokenUsage = { input_tokens: 0, output_tokens: 0 };

/** Repeats are the judge's to count; nothing is logged, whatever the environment asks of the SDKs. */
export function clientOptions({ apiKey: secret, baseUrl, timeoutMs, fetch }: ProviderAccess) {
  const apiKey = secret.reveal();
  return {
    apiKey,
    baseURL: baseUrl,
    fetch,
    maxRetries: 0,
    // The connection keeps the time: this is only to be later than it.
    timeout: timeoutMs + 1_000,
    logLevel: 'off',
    // The SDKs take headers from the environment, and those would win over the key.
    defaultHeaders: { authorization: `Bearer ${apiKey}` },
  } as const;
}
