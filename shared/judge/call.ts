import type { Connect, Connection, HttpAnswer } from '../connection/connection.ts';
import type { Provider } from '../domain/byok/providers.ts';
import type { Secret } from '../domain/byok/secret.ts';
import { statusFailure } from './failures/errors.ts';
import { type CallContext, type CallFailure, transportFailure } from './failures/failure.ts';
import type { VerdictForm } from './judgeAnswer.ts';
import { anthropic } from './providers/anthropic.ts';
import { azureOpenai } from './providers/azureOpenai.ts';
import {
  type ListedModel,
  NO_USAGE,
  type ProviderAccess,
  type ProviderClient,
  type Question,
} from './providers/client.ts';
import { google } from './providers/google.ts';
import { openai } from './providers/openai.ts';
import { type CallResult, notJson, readAnswer } from './reading.ts';
import { createScrub, type Scrub } from './secrets.ts';
import type { JudgeSettings } from './settings.ts';
import type { Target } from './target.ts';

const CLIENTS: Readonly<Record<Provider, ProviderClient>> = {
  openai,
  anthropic,
  google,
  azure_openai: azureOpenai,
};

/** Printable ASCII: anything else cannot be sent in a header. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;

type Called<T> =
  | { readonly kind: 'value'; readonly value: T; readonly http: HttpAnswer | undefined }
  | { readonly kind: 'failure'; readonly failure: CallFailure };

/** Calls to one target with one key. Neither method ever rejects. */
export class Caller {
  readonly #target: Target;
  readonly #apiKey: Secret;
  readonly #settings: JudgeSettings;
  readonly #connect: Connect;
  readonly #context: CallContext;
  readonly #isSendable: boolean;
  readonly scrub: Scrub;

  constructor(target: Target, apiKey: Secret, settings: JudgeSettings, connect: Connect) {
    this.#target = target;
    this.#apiKey = apiKey;
    this.#settings = settings;
    this.#connect = connect;
    this.#isSendable = SENDABLE_KEY.test(apiKey.reveal());
    this.scrub = createScrub(apiKey);
    this.#context = {
      provider: target.provider,
      model: target.model,
      isCustomersEndpoint: target.provider === 'azure_openai',
      scrub: this.scrub,
    };
  }

  async ask(question: Omit<Question, 'model'>, verdict: VerdictForm): Promise<CallResult> {
    const answer = await this.#call((client, access) =>
      client.ask(access, { ...question, model: this.#target.model }),
    );
    if (answer.kind === 'failure') return { ...answer, usage: NO_USAGE };
    return readAnswer(answer.value, answer.http, verdict, this.#context);
  }

  async listModels(): Promise<{ readonly models?: readonly ListedModel[]; readonly failure?: CallFailure }> {
    const answer = await this.#call((client, access) => client.listModels(access));
    return answer.kind === 'failure' ? { failure: answer.failure } : { models: answer.value };
  }

  async #call<T>(use: (client: ProviderClient, access: ProviderAccess) => Promise<T>): Promise<Called<T>> {
    if (!this.#isSendable) return { kind: 'failure', failure: unsendableKey() };
    const { callTimeoutMs, connectTimeoutMs, resolve, azureApiVersion } = this.#settings;
    const { reach, baseUrl, provider } = this.#target;
    const connection = this.#connect({ reach, timeoutMs: callTimeoutMs, connectTimeoutMs, resolve });
    const { fetch } = connection;
    const access = { apiKey: this.#apiKey, baseUrl, azureApiVersion, timeoutMs: callTimeoutMs, fetch };
    try {
      const value = await use(CLIENTS[provider], access);
      return { kind: 'value', value, http: connection.answer };
    } catch {
      // The SDKs' errors may quote the key: the connection says what happened instead.
      return { kind: 'failure', failure: this.#failureOf(connection) };
    }
  }

  #failureOf({ problem, answer }: Connection): CallFailure {
    if (problem !== undefined) return transportFailure(problem, this.#context);
    if (answer === undefined) {
      return { code: 'JUDGE_UNAVAILABLE', reason: 'the call could not be made', remedy: 'none' };
    }
    if (answer.status >= 400) return statusFailure(answer, this.#context);
    return notJson(answer, this.#context);
  }
}

function unsendableKey(): CallFailure {
  return {
    code: 'BYOK_KEY_REJECTED',
    reason: 'the stored key holds characters that no provider key has: replace the BYOK key',
    remedy: 'none',
  };
}
