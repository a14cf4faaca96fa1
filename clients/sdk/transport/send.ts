import { EvalgateError } from '../errors.ts';
import { type Answer, bodyOf, errorOfAnswer } from './answer.ts';
import { attempt, bounded } from './attempt.ts';
import { createCredential } from './credential.ts';
import type { CallOptions, Operation } from './operation.ts';
import { type Input, requestOf } from './request.ts';
import { FOREVER, MINUTE_MS, mayHaveHappened, type Patience, pauseBeforeNext, RETRIES } from './retries.ts';
import type { Settings } from './settings.ts';

export interface Reply {
  readonly body: unknown;
  readonly headers: Answer['headers'];
}

/** A call that waits for something is more patient than others. */
export interface SendOptions extends CallOptions, Partial<Omit<Patience, 'isRepeatable'>> {}

export type Send = (operation: Operation, input: Input, options?: SendOptions) => Promise<Reply>;

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
  let isUnsure = false;
  for (let failures = 0; ; failures++) {
    try {
      const bounds = { timeoutMs: Math.min(timeoutMs, endsAtMs - now()), signal };
      return await bounded(environment, bounds, (either) => act(either, isUnsure));
    } catch (error) {
      if (!(error instanceof EvalgateError)) throw error;
      isUnsure ||= mayHaveHappened(error);
      error.isUnsure = isUnsure;
      const pause = pauseBeforeNext(error, failures, patience, random());
      if (!(now() + pause < endsAtMs)) throw error;
      await sleep(pause, signal);
    }
  }
}

/** Sends operations with the client's credential, and repeats them where that is safe. */
export function createSend(settings: Settings): Send {
  const { environment, fail: errorOf = errorOfAnswer } = settings;
  const credential = createCredential(settings);

  return async (operation, input, options = {}) => {
    const key = operation.has('key') ? (input.idempotencyKey ?? crypto.randomUUID()) : undefined;
    // Tries of a run begin for a minute, and the last one may take its time.
    const { signal, deadlineMs = key ? MINUTE_MS + settings.timeoutMs : FOREVER, ...patient } = options;
    const limits = { endsAtMs: environment.now() + deadlineMs, signal };
    const retries = settings.retries ?? (deadlineMs < FOREVER ? FOREVER : RETRIES);
    const patience = { retries, retryAfterMsMax: MINUTE_MS, ...patient };
    const isRepeatable = key !== undefined || (operation.method !== 'POST' && operation.method !== 'PATCH');
    const request = await requestOf(settings, operation, { ...input, idempotencyKey: key });

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
