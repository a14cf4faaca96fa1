import { EvalgateError, TimeoutError } from '../../sdk/index.ts';
import { errorOfGithub } from '../../sdk/transport/answer.ts';
import { operationOf } from '../../sdk/transport/operation.ts';
import { createSend, type Reply } from '../../sdk/transport/send.ts';
import { settingsOf } from '../../sdk/transport/settings.ts';
import type { Runner } from '../job/runner.ts';

interface Call {
  /** For the colons of the path. */
  readonly names: readonly string[];
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: object;
}

/** GitHub's REST API, with the token that the step was given. */
export interface Github {
  readonly token: string;
  /** `route` is such as `GET /repos/:/:/pulls/:`. */
  call(route: string, call: Call): Promise<Reply>;
}

const RETRIES = 2;
const TIMEOUT_MS = 15_000;

export function createGithub(runner: Runner, token: string, signal: AbortSignal): Github {
  const url = runner.variable('GITHUB_API_URL') ?? 'https://api.github.com';
  const { environment } = runner;
  const settings = settingsOf({
    url,
    apiKey: token,
    retries: RETRIES,
    timeoutMs: TIMEOUT_MS,
    environment,
  });
  const send = createSend({ ...settings, fail: errorOfGithub });
  const sendNamed: typeof send = (...sent) =>
    send(...sent).catch((error: unknown) => {
      if (error instanceof TimeoutError) error.message = `GitHub: ${error.message}`;
      throw error;
    });
  return {
    token,
    async call(route, call) {
      for (let tries = 0; ; tries++) {
        try {
          return await sendNamed(operationOf(route), call, { signal });
        } catch (error) {
          const seconds = limitedSeconds(error);
          if (seconds === undefined || tries >= RETRIES) throw error;
          // The call was refused, so that repeating it is safe.
          await environment.sleep(seconds * 1_000, signal);
        }
      }
    },
  };
}

/** The secondary rate limit is a 403, too, and says how long to wait. */
const limitedSeconds = (error: unknown): number | undefined =>
  error instanceof EvalgateError && error.status === 403 ? error.retryAfterSeconds : undefined;

export const UNKNOWN_FORM = 'GitHub answered in a form that is not known here.';

/** The items of a list. */
export function listed<T>({ body }: Reply): readonly T[] {
  if (Array.isArray(body)) return body as T[];
  throw new Error(UNKNOWN_FORM);
}

/** `owner`, `name`. */
export const namesOf = (repository: string): readonly [string, string] => {
  const [owner = '', name = ''] = repository.split('/');
  return [owner, name];
};
