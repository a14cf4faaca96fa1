import { BoundedCache } from '../../domain/caches/boundedCache.ts';
import { COUNTER_SHARDS, type Shard } from './keys.ts';

/** Counted, not timed: a counter that has become quiet is written in one place again. */
const SPREAD_WRITES = 100;
const COUNTERS_MAX = 1_000;
const HEX_DIGITS = 12;

/** Drawn by a UUID's random last part: another one for each try. */
export function drawnShard(token: string, attempt: number): number {
  const digit = token.at(-1 - (attempt % HEX_DIGITS)) ?? '0';
  return Number.parseInt(digit, 16) % COUNTER_SHARDS;
}

/**
 * Where a process writes counters that many write at once. A quiet counter is one item, so that it is cheap to read.
 * After writers met on it, this process spreads its next writes of it over the shards.
 */
export function createSpread() {
  const writesLeft = new BoundedCache<number>({ maxSize: COUNTERS_MAX });
  return {
    /** Where the next write of this counter goes, for the holder of a UUID. */
    shardFor(counter: string, token: string, attempt: number): Shard {
      const left = writesLeft.get(counter) ?? 0;
      if (left === 0) return undefined;
      writesLeft.set(counter, left - 1);
      return drawnShard(token, attempt);
    },
    met(counter: string): void {
      writesLeft.set(counter, SPREAD_WRITES);
    },
  };
}

export type Spread = ReturnType<typeof createSpread>;
