import { RATE_LIMITS, type RateClass, type RateLimit, type RateLimitStore } from '../../domain/rateLimits.ts';
import { rateLimitKey, TTL } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

/** An item is kept longer than its window, since clocks differ. */
const KEPT_LONGER_SECONDS = 60;

/**
 * One item, below 1 kB for 100 requests, so that every write costs one unit. The list is only appended to and
 * replaced, since engines differ in writes to single places of a list.
 */
export function rateLimitStore(
  table: Table,
  limits: Readonly<Record<RateClass, RateLimit>> = RATE_LIMITS,
): RateLimitStore {
  const common = (rateClass: RateClass, timeMs: number): Item => ({
    ':start': timeMs - limits[rateClass].windowMs,
    ':ttl': Math.ceil((timeMs + limits[rateClass].windowMs) / 1_000) + KEPT_LONGER_SECONDS,
  });

  return {
    async append(rateClass, address, { at: timeMs, count }) {
      const { updated, item } = await table.update({
        Key: rateLimitKey(rateClass, address),
        UpdateExpression: `SET accepted_at = list_append(if_not_exists(accepted_at, :none), :added), ${TTL} = :ttl`,
        ConditionExpression:
          `attribute_not_exists(accepted_at[${limits[rateClass].requests - count}]) AND ` +
          '(attribute_not_exists(dropped_until) OR dropped_until <= :start)',
        ExpressionAttributeValues: {
          ...common(rateClass, timeMs),
          ':none': [],
          ':added': Array<number>(count).fill(timeMs),
        },
      });
      return { written: updated, times: timesIn(item) };
    },

    async replace(rateClass, address, known, { at: timeMs, times }) {
      const { updated, item } = await table.update({
        Key: rateLimitKey(rateClass, address),
        UpdateExpression: `SET accepted_at = :times, dropped_until = :start, ${TTL} = :ttl`,
        ConditionExpression: 'accepted_at = :known',
        ExpressionAttributeValues: { ...common(rateClass, timeMs), ':known': known, ':times': times },
      });
      return { written: updated, times: timesIn(item) };
    },
  };
}

const timesIn = (item: Item | undefined): readonly number[] =>
  (item?.accepted_at as readonly number[] | undefined) ?? [];
