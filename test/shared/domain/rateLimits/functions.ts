import {
  createRateLimiter,
  type RateClass,
  type RateLimit,
  type RateLimiter,
} from '../../../../shared/domain/rateLimits.ts';
import { rateLimitStore } from '../../../../shared/storage/accounts/rateLimits.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';

/** Small, so that windows fill often. */
export const SMALL_LIMITS: Readonly<Record<RateClass, RateLimit>> = {
  general: { requests: 6, windowMs: 60_000 },
  auth: { requests: 3, windowMs: 900_000 },
};

export interface Watched {
  readonly limiter: RateLimiter;
  /** The times that its writes recorded, as they were accepted. */
  readonly recorded: readonly number[];
  /** Writes that reached the table, successful or not: each costs its units. */
  readonly writes: () => number;
  readonly failures: readonly unknown[];
}

/** The limiter of one function, on a table that others use too. */
export function functionWith(
  table: Table,
  now: () => number,
  limits: Readonly<Record<RateClass, RateLimit>>,
): Watched {
  const recorded: number[] = [];
  const failures: unknown[] = [];
  let writes = 0;
  const store = rateLimitStore(table, limits);
  const limiter = createRateLimiter({
    now,
    limits,
    // A machine that is busy with tests is not a table that fails.
    waitMs: 10_000,
    onUnavailable: (error) => void failures.push(error),
    store: {
      async append(rateClass, address, added) {
        writes++;
        const kept = await store.append(rateClass, address, added);
        if (kept.written) recorded.push(...Array<number>(added.count).fill(added.at));
        return kept;
      },
      async replace(rateClass, address, known, next) {
        writes++;
        const kept = await store.replace(rateClass, address, known, next);
        const times = (all: readonly number[]) => all.filter((time) => time === next.at);
        if (kept.written) recorded.push(...times(next.times).slice(times(known).length));
        return kept;
      },
    },
  });
  return { limiter, recorded, writes: () => writes, failures };
}

/** The most times that any half-open window of this length holds, wherever it starts. */
export function mostInAnyWindow(times: readonly number[], windowMs: number): number {
  const sorted = [...times].sort((one, other) => one - other);
  let first = 0;
  return sorted.reduce((most, time, last) => {
    while ((sorted[first] ?? time) <= time - windowMs) first++;
    return Math.max(most, last - first + 1);
  }, 0);
}
