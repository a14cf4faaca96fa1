import type { RateClass } from './rateLimits.ts';

export interface Standing {
  readonly accepted: boolean;
  readonly remaining: number;
  /** Until the oldest counted request leaves the window, so that `remaining` grows. 0 without a counted request. */
  readonly resetSeconds: number;
}

export interface RateLimiter {
  /** The state in memory: a refusal is certain, an acceptance may be out of date. */
  look(rateClass: RateClass, address: string): Standing;
  /** Counts a request if it is accepted. A refused request is not counted. */
  count(rateClass: RateClass, address: string): Promise<Standing>;
}

/** Of one address in one class, in ms since 1970. Some may be older than the window. */
export type AcceptedTimes = readonly number[];

export interface Kept {
  readonly written: boolean;
  readonly times: AcceptedTimes;
}

export interface RateLimitStore {
  /**
   * Appends `at` `count` times. Fails if more times than the limit's requests would then be kept, or if a time of the
   * window that ends at `at` was dropped.
   */
  append(rateClass: RateClass, address: string, added: { at: number; count: number }): Promise<Kept>;
  /** Replaces the kept times by `times`, if they are exactly the known ones. `at` is the newest of `times`. */
  replace(
    rateClass: RateClass,
    address: string,
    known: AcceptedTimes,
    next: { at: number; times: AcceptedTimes },
  ): Promise<Kept>;
}
