import type { JudgeDeps } from '../domain/evaluation/judging/ports.ts';
import { BACKOFF_BASE_MS, CALLS_PER_CASE_MAX, RETRY_AFTER_MS_MAX } from '../domain/evaluation/limits.ts';
import type { CallFailure } from './failures/failure.ts';

export class Retries {
  readonly #deps: Pick<JudgeDeps, 'now' | 'random'>;
  readonly #callTimeoutMs: number;
  #deadlineMs: number;
  #calls = 0;
  #waits = 0;
  readonly #tried = new Set<CallFailure['remedy']>();

  constructor(
    deps: Pick<JudgeDeps, 'now' | 'random'>,
    limits: { readonly callTimeoutMs: number; readonly caseTimeoutMs: number },
  ) {
    this.#deps = deps;
    this.#callTimeoutMs = limits.callTimeoutMs;
    this.#deadlineMs = deps.now() + limits.caseTimeoutMs;
  }

  /** Waiting for a slot does not count as time of the case's calls. */
  waited(ms: number): void {
    this.#deadlineMs += ms;
  }

  /** Milliseconds to wait before the next call, or undefined when there is to be none. */
  after(failure: CallFailure): number | undefined {
    this.#calls += 1;
    if (failure.remedy === 'none' || this.#calls >= CALLS_PER_CASE_MAX) return undefined;
    const waitMs = failure.remedy === 'wait' ? this.#backOff(failure.headers) : this.#askOnce(failure.remedy);
    if (waitMs === undefined) return undefined;
    const endsAtMs = this.#deps.now() + waitMs + this.#callTimeoutMs;
    return endsAtMs <= this.#deadlineMs ? waitMs : undefined;
  }

  #askOnce(remedy: CallFailure['remedy']): number | undefined {
    if (this.#tried.has(remedy)) return undefined;
    this.#tried.add(remedy);
    return 0;
  }

  /** Full jitter over 1, 2, 4 s. A time that the provider names is a minimum; some jitter is added. */
  #backOff(headers: Headers | undefined): number {
    const namedMs = headers === undefined ? undefined : retryAfterMs(headers, this.#deps.now());
    const jitterMs = this.#deps.random() * BACKOFF_BASE_MS * 2 ** this.#waits;
    this.#waits += 1;
    return namedMs === undefined ? jitterMs : Math.min(namedMs, RETRY_AFTER_MS_MAX) + jitterMs / 4;
  }
}

const DECIMAL = /^\d+(\.\d+)?$/;

/** `Retry-After` in seconds or as a date; `retry-after-ms` is OpenAI's and Azure's finer form of it. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  const fine = headers.get('retry-after-ms') ?? '';
  if (DECIMAL.test(fine)) return Number(fine);
  const text = headers.get('retry-after') ?? '';
  if (DECIMAL.test(text)) return Number(text) * 1_000;
  // HTTP dates end in GMT. `Date.parse` alone would read "-5" as a day of 2001.
  const dateMs = text.endsWith(' GMT') ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, dateMs - nowMs);
}
