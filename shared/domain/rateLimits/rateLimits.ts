/** How many requests of one address are accepted in any window of this length. */
export interface RateLimit {
  readonly requests: number;
  readonly windowMs: number;
}

/** A request counts in one class only, which its contract names. */
export const RATE_LIMITS = {
  general: { requests: 100, windowMs: 60_000 },
  auth: { requests: 20, windowMs: 900_000 },
} as const satisfies Record<string, RateLimit>;
export type RateClass = keyof typeof RATE_LIMITS;
