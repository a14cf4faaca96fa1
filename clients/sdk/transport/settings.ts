import type { EvalgateError } from '../errors.ts';
import type { Answer } from './answer.ts';
import { ENVIRONMENT, type Environment, required } from './environment.ts';

/** What a source of credentials needs to get one. */
export interface Service {
  /** Without a slash at its end. */
  readonly url: string;
  readonly retries: number | undefined;
  readonly timeoutMs: number;
  readonly environment: Environment;
}

/** Gets a credential: when the first one is needed, and again when the service no longer takes it. */
export type CredentialSource = (service: Service) => Promise<string>;

export interface Options {
  /** Of the service; `EVALGATE_URL` by default. */
  readonly url?: string | undefined;
  /** An API key or a token, or what gets one; `EVALGATE_API_KEY` by default. */
  readonly apiKey?: string | CredentialSource | undefined;
  /**
   * Further tries after a failed one, where repeating is safe. By default a call with a `deadlineMs` is repeated until then,
   * a run for a minute at least, any other call 4 times. `run()` and `wait()` count no tries.
   */
  readonly retries?: number | undefined;
  /** For one try; 40,000 by default, more than the service takes. */
  readonly timeoutMs?: number | undefined;
  /** In place of what the runtime has. */
  readonly environment?: Partial<Environment> | undefined;
}

export interface Settings extends Service {
  readonly apiKey: string | CredentialSource | undefined;
  /** Where somebody else than the service is asked. */
  readonly fail?: (answer: Answer) => EvalgateError;
}

export function settingsOf(options: Options): Settings {
  const environment = { ...ENVIRONMENT, ...options.environment };
  const { retries, timeoutMs = 40_000 } = options;
  return {
    url: serviceUrl(required(environment, 'url', 'EVALGATE_URL', options.url)),
    apiKey: options.apiKey,
    retries,
    timeoutMs,
    environment,
  };
}

function serviceUrl(text: string): string {
  const href = URL.parse(text.trim())?.href ?? '';
  if (!/^https?:\/\/[^?#@]+$/.test(href)) throw new TypeError('url: such as https://host.');
  return href.replace(/(?<!\/)\/+$/, '');
}
