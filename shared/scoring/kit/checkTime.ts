import { type Processor, THIS_PROCESSOR } from './guard.ts';

/** Of all schemas, patterns and paths of one request: some 150 ordinary schemas, or three that take as long as one may. */
const CHECKS_MS_MAX = 750;

/** A check did not begin or end, since those before it have used the request's time up: it says nothing of its config. */
export class Unchecked extends Error {}

/** The processor time that the checks of one request share. */
export class CheckTime {
  #leftMs: number;
  readonly #processor: Processor;

  constructor(ms = CHECKS_MS_MAX, processor = THIS_PROCESSOR) {
    this.#leftMs = ms;
    this.#processor = processor;
  }

  /** Whether the work ends within its own limit. Throws `Unchecked` where it got less than that. */
  lastsFor(limitMs: number, work: () => void): boolean {
    const beforeMs = this.#leftMs;
    if (beforeMs <= 0) throw new Unchecked();
    const { ms, finishesWithin } = this.#processor;
    const startMs = ms();
    const finished = finishesWithin(Math.min(limitMs, beforeMs), work, { mostMs: beforeMs });
    this.#leftMs -= ms() - startMs;
    if (!finished && (beforeMs < limitMs || this.#leftMs <= 0)) throw new Unchecked();
    return finished;
  }
}

/** For a caller who pays for the time. */
export const unlimitedCheckTime = (): CheckTime => new CheckTime(Number.POSITIVE_INFINITY);
