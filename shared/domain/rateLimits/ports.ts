import type { RateClass } from './rateLimits.ts';

/** How an address stands in a class. */
export interface Standing {
  readonly accepted: boolean;
  /** How many more requests would be accepted now. */
  readonly remaining: number;
  /** Until `remaining` grows: the oldest counted request leaves the window; 0 where none is counted. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** What is known without asking anyone: a refusal is certain, all else may be out of date. */
  look(rateClass: RateClass, address: string): Standing;
  /** Counts a request if it is accepted; one that is refused leaves no trace. */
  count(rateClass: RateClass, address: string): Promise<Standing>;
}

/** The times of accepted requests of one address in one class, in ms since 1970: what is in the window, and more. */
export type AcceptedTimes = readonly number[];

export interface Kept {
  /** Whether the write was made; nothing was changed if not. */
  readonly written: boolean;
  readonly times: AcceptedTimes;
}

export interface RateLimitStore {
  /**
   * Adds `count` times `at` if then no more times are kept than the limit has requests: nobody needs to know which
   * ones. Not if times of the window that ends at `at` were dropped.
   */
  append(rateClass: RateClass, address: string, added: { at: number; count: number }): Promise<Kept>;
  /** Drops what left the window and adds, if exactly the known times are kept. `at` is the newest of `times`. */
  replace(
    rateClass: RateClass,
    address: string,
    known: AcceptedTimes,
    next: { at: number; times: AcceptedTimes },
  ): Promise<Kept>;
}
