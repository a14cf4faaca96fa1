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
  /** `refused`: by the model or a content filter. `cut`: the answer ended early for any other reason. */
  readonly ending: 'complete' | 'refused' | 'cut';
  /** The text of the verdict. Undefined when there is none, or more than one. */
  readonly content: string | undefined;
  readonly usage: TokenUsage;
  readonly raw: unknown;
}

/** One model provider. Its calls reject as its SDK does; the connection says what happened. */
export interface ProviderClient {
  ask(access: ProviderAccess, question: Question): Promise<ModelAnswer>;
  listModels(access: ProviderAccess): Promise<void>;
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
