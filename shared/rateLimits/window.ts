import type { AcceptedTimes, Standing } from '../domain/rateLimits/ports.ts';
import type { RateLimit } from '../domain/rateLimits/rateLimits.ts';

interface Window {
  /** The known times without those that are ahead by more than a window, of a wrong clock. */
  readonly times: AcceptedTimes;
  /** Times only grow: a request is never earlier than the newest known one. */
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
  /** The times to keep in place of the known ones, when these are too many or partly wrong. */
  readonly instead?: AcceptedTimes;
}

/** The write that counts as many of the wanted requests as fit. Undefined when the window is full. */
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
