import type { AcceptedTimes, Standing } from '../domain/rateLimits/ports.ts';
import type { RateLimit } from '../domain/rateLimits/rateLimits.ts';

interface Window {
  /** What is known, less the times of a clock that is ahead by more than a window: it was wrong. */
  readonly times: AcceptedTimes;
  /** Times only grow, whatever the clocks say: a request is never earlier than one it knows of. */
  readonly at: number;
  /** A request leaves exactly `windowMs` after it was accepted. */
  readonly live: number[];
}

function windowOf({ windowMs }: RateLimit, known: AcceptedTimes, now: number): Window {
  const times = known.filter((time) => time <= now + windowMs);
  const at = Math.max(now, ...times);
  return { times, at, live: times.filter((time) => time > at - windowMs) };
}

export interface Write {
  readonly at: number;
  readonly count: number;
  /** What is to be kept instead of all that is known, where that leaves no place or is not true. */
  readonly instead?: AcceptedTimes;
}

/** How to count as many of the wanted requests as there is room for; undefined when there is none. */
export function planWrite(
  limit: RateLimit,
  known: AcceptedTimes,
  now: number,
  wanted: number,
): Write | undefined {
  const { times, at, live } = windowOf(limit, known, now);
  const count = Math.min(wanted, limit.requests - live.length);
  if (count <= 0) return undefined;
  const isAllTrue = times.length === known.length;
  if (isAllTrue && known.length + count <= limit.requests) return { at, count };
  return { at, count, instead: [...live, ...Array<number>(count).fill(at)] };
}

/** How an address stands when these are its accepted requests. */
export function standingOf(limit: RateLimit, known: AcceptedTimes, now: number): Standing {
  const live = windowOf(limit, known, now).live.sort((one, other) => one - other);
  const remaining = Math.max(0, limit.requests - live.length);
  const next = live[Math.max(0, live.length - limit.requests)];
  return {
    accepted: remaining > 0,
    remaining,
    resetSeconds: next === undefined ? 0 : Math.max(1, Math.ceil((next + limit.windowMs - now) / 1_000)),
  };
}
