import { EvalgateError } from '../errors.ts';
import { type Answer, bodyOf, errorOfAnswer } from './answer.ts';
import { attempt, bounded } from './attempt.ts';
import { createCredential } from './credential.ts';
import type { CallOptions, Operation } from './operation.ts';
import { type Input, requestOf } from './request.ts';
import { FOREVER, isUnderWay, mayHaveHappened, type Patience, pauseBeforeNext } from './retries.ts';
import type { Settings } from './settings.ts';

export interface Reply {
  readonly body: unknown;
  readonly headers: Answer['headers'];
}

/** A call that waits for something is more patient than others. */
export interface SendOptions extends CallOptions, Partial<Omit<Patience, 'isRepeatable'>> {}

export type Send = (operation: Operation, input: Input, options?: SendOptions) => Promise<Reply>;

/** The longest `Retry-After` that is obeyed while somebody waits for one answer. */
const RETRY_AFTER_MS_MAX = 60_000;

interface Limits {
  readonly endsAtMs: number;
  readonly signal: AbortSignal | undefined;
}

/** Repeats what fails as long as patience and time last. `isUnsure`: a try before this one may have been carried out. */
async function repeat<T>(
  { environment, timeoutMs }: Settings,
  patience: Patience,
  { endsAtMs, signal }: Limits,
  act: (signal: AbortSignal, isUnsure: boolean) => Promise<T>,
): Promise<T> {
  const { now, sleep, random } = environment;
  const tried = { failures: 0, underWay: 0 };
  let isUnsure = false;
  for (;;) {
    try {
      const bounds = { timeoutMs: Math.min(timeoutMs, endsAtMs - now()), signal };
      return await bounded(environment, bounds, (either) => act(either, isUnsure));
    } catch (error) {
      if (!(error instanceof EvalgateError)) throw error;
      isUnsure ||= mayHaveHappened(error);
      error.isUnsure = isUnsure;
      const pause = pauseBeforeNext(error, tried, patience, random());
      if (!(now() + pause < endsAtMs)) throw error;
      tried[isUnderWay(error) ? 'underWay' : 'failures']++;
      await sleep(pause, signal);
    }
  }
}

/** Sends operations with the client's credential, and repeats them where that is safe. */
export function createSend(settings: Settings): Send {
  const { environment, url, fail: errorOf = errorOfAnswer } = settings;
  const credential = createCredential(settings);

  return async (operation, input, { signal, deadlineMs = FOREVER, ...patient } = {}) => {
    const limits = { endsAtMs: environment.now() + deadlineMs, signal };
    const patience = { retries: settings.retries, retryAfterMsMax: RETRY_AFTER_MS_MAX, ...patient };
    const key = operation.has('key') ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isRepeatable = key !== undefined || (operation.method !== 'POST' && operation.method !== 'PATCH');
    const request = await requestOf(url, operation, { ...input, idempotencyKey: key });

    /** Nothing has been sent yet, so that it may fail as often as it likes. */
    const authorize = () => repeat(settings, { ...patience, isRepeatable: true }, limits, credential.header);
    const send = (authorization?: string) =>
      repeat(settings, { ...patience, isRepeatable }, limits, async (either, isUnsure) => {
        const headers = { ...request.headers, ...(authorization && { authorization }) };
        const answer = await attempt(environment, { ...request, headers }, either);
        // A try before this one deleted it.
        const isGone = isUnsure && answer.status === 404 && operation.method === 'DELETE';
        const isSuccess =
          isGone || (answer.status >= 200 && answer.status < 300) || operation.has(answer.status);
        if (!isSuccess) throw errorOf(answer);
        return { body: isGone ? undefined : bodyOf(answer, errorOf), headers: answer.headers };
      }).catch((error) => {
        if (error instanceof EvalgateError) error.idempotencyKey = key;
        throw error;
      });

    if (operation.has('public')) return send();
    const authorization = await authorize();
    return send(authorization).catch(async (error) => {
      if (error.status === 401 && credential.renew(authorization)) return send(await authorize());
      throw error;
    });
  };
}
