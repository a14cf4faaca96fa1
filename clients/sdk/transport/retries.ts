import type { EvalgateError } from '../errors.ts';

/** How long a call goes on. */
export interface Patience {
  /** How many more tries there are after the first, beside those that a first one under way refuses. */
  readonly retries: number;
  /** Whether it does no harm to repeat a request that may have been carried out. */
  readonly isRepeatable: boolean;
  /** The longest `Retry-After` that is waited for. */
  readonly retryAfterMsMax: number;
}

export const FOREVER = 1 / 0;
/** How long a client goes on at least, whatever it waits for: a restart of the service takes less. */
export const MINUTE_MS = 60_000;

/** The service itself waits that long for a verdict: in a shorter wait the run's id has to come at once. */
export const ANSWER_MS_MAX = 25_000;
/** Of a call that is bound by no time. */
export const RETRIES = 4;

const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 8_000;
const POLL_SECONDS = [1, 2, 3, 5, 8];
/** A service or proxy that sends these may have carried the request out; `undefined`: no answer came. */
const UNSURE: readonly (number | undefined)[] = [undefined, 408, 500, 502, 503, 504, 507];

/** The pause before a look at something that takes its time: 1, 2, 3, 5, 8, then 10 s, ± 20 %. */
export function pollPauseMs(looks: number, random: number): number {
  return (POLL_SECONDS[looks] ?? 10) * (800 + 400 * random);
}

/** Up to 0.5, 1, 2, 4, then 8 s, anything below as likely. */
const jitterMs = (failures: number, random: number): number =>
  random * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** failures);

const isUnderWay = ({ code }: EvalgateError): boolean => code === 'IDEMPOTENCY_IN_PROGRESS';

/** Whether the request that failed like this may have been carried out. */
export const mayHaveHappened = (error: EvalgateError): boolean =>
  isUnderWay(error) || (isPassing(error) && error.code !== 'NOT_CONNECTED');

/** Whether the next try may have another end. */
const isPassing = ({ status }: EvalgateError): boolean => UNSURE.includes(status);

/** In ms; `FOREVER`: there is no further try. A request that was refused did nothing: repeating it is safe. */
export function pauseBeforeNext(
  error: EvalgateError,
  failures: number,
  { retries, isRepeatable, retryAfterMsMax }: Patience,
  random: number,
): number {
  const isWaiting = isUnderWay(error);
  const isSafe = isWaiting || error.status === 429 || (isRepeatable && isPassing(error));
  if (!isSafe || (failures >= retries && !isWaiting)) return FOREVER;
  const { retryAfterSeconds } = error;
  if (retryAfterSeconds === undefined) return jitterMs(failures, random);
  const wantedMs = retryAfterSeconds * 1_000;
  // Callers behind one address get the same Retry-After.
  return wantedMs <= retryAfterMsMax ? wantedMs + jitterMs(0, random) : FOREVER;
}
