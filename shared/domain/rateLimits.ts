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
type AcceptedTimes = readonly number[];

interface Kept {
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
  const timeMs = Math.max(now, ...times);
  return { times, at: timeMs, live: times.filter((time) => time > timeMs - windowMs) };
}

interface Write {
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
  requestCount: number,
): Write | undefined {
  const { times, at: timeMs, live } = windowOf(limit, known, now);
  const count = Math.min(requestCount, limit.requests - live.length);
  if (count <= 0) return undefined;
  const isAllTrue = times.length === known.length;
  if (isAllTrue && known.length + count <= limit.requests) return { at: timeMs, count };
  return { at: timeMs, count, instead: [...live, ...Array<number>(count).fill(timeMs)] };
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

const REMEMBERED_MAX = 10_000;

interface Deps {
  readonly store: RateLimitStore;
  readonly now: () => number;
  /** After this time without an answer to a write, the requests that wait for it pass. */
  readonly waitMs: number;
  /** Called with the number of requests that passed without being counted. */
  readonly onUnavailable: (error: unknown, requests: number) => void;
  readonly limits?: Readonly<Record<RateClass, RateLimit>>;
}

/** The requests of one address in one class. One write at a time counts all requests that wait. */
interface Caller {
  readonly rateClass: RateClass;
  readonly address: string;
  /** As last read. Other functions may have added times since: a full window is certain, free room is not. */
  known: AcceptedTimes;
  readonly waiting: ((standing: Standing) => void)[];
  writing: boolean;
}

/** The addresses that sent most recently. */
function rememberedCallers(): (rateClass: RateClass, address: string) => Caller {
  const callers = new Map<string, Caller>();
  return (rateClass, address) => {
    const name = `${rateClass} ${address}`;
    const caller = callers.get(name) ?? { rateClass, address, known: [], waiting: [], writing: false };
    callers.delete(name);
    callers.set(name, caller);
    const [oldest] = callers.keys();
    if (callers.size > REMEMBERED_MAX && oldest !== undefined) callers.delete(oldest);
    return caller;
  };
}

/** The write that stores a request accepts it: its condition fails for a full window, in all functions. */
export function createRateLimiter(deps: Deps): RateLimiter {
  const { store, now, waitMs, onUnavailable, limits = RATE_LIMITS } = deps;
  const callerOf = rememberedCallers();
  const standing = (caller: Caller, nowMs = now()): Standing =>
    standingOf(limits[caller.rateClass], caller.known, nowMs);

  const write = (
    { rateClass, address, known }: Caller,
    { at: timeMs, count, instead }: Write,
  ): Promise<Kept> =>
    instead === undefined
      ? store.append(rateClass, address, { at: timeMs, count })
      : store.replace(rateClass, address, known, { at: timeMs, times: instead });

  /** Counts or refuses requests, or learns which times are kept. */
  async function step(caller: Caller): Promise<void> {
    const nowMs = now();
    const next = planWrite(limits[caller.rateClass], caller.known, nowMs, caller.waiting.length);
    if (next === undefined) {
      const refused = standing(caller, nowMs);
      for (const resolve of caller.waiting.splice(0)) resolve(refused);
      return;
    }
    const { written, times } = await inTime(write(caller, next), waitMs);
    caller.known = times;
    if (!written) return;
    const { remaining, resetSeconds } = standing(caller);
    const counted = caller.waiting.splice(0, next.count);
    for (const [index, resolve] of counted.entries()) {
      resolve({ accepted: true, remaining: remaining + counted.length - 1 - index, resetSeconds });
    }
  }

  async function drain(caller: Caller): Promise<void> {
    caller.writing = true;
    try {
      while (caller.waiting.length > 0) await step(caller);
    } catch (error) {
      const passed = caller.waiting.splice(0);
      onUnavailable(error, passed.length);
      for (const resolve of passed) resolve({ ...standing(caller), accepted: true });
    } finally {
      caller.writing = false;
    }
  }

  return {
    look: (rateClass, address) => standing(callerOf(rateClass, address)),
    count(rateClass, address) {
      const caller = callerOf(rateClass, address);
      return new Promise((resolve) => {
        caller.waiting.push(resolve);
        if (!caller.writing) void drain(caller);
      });
    },
  };
}

/** Rejects when the write is not answered in time. A later answer is ignored. */
function inTime<T>(write: Promise<T>, waitMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  // Not an abortable sleep, whose end throws an exception: this runs for each request.
  const timer = setTimeout(
    () => reject(new Error(`The rate limits were not written within ${waitMs} ms`)),
    waitMs,
  );
  return Promise.race([write, late]).finally(() => clearTimeout(timer));
}
