import type {
  AcceptedTimes,
  Kept,
  RateLimiter,
  RateLimitStore,
  Standing,
} from '../domain/rateLimits/ports.ts';
import { RATE_LIMITS, type RateClass, type RateLimit } from '../domain/rateLimits/rateLimits.ts';
import { planWrite, standingOf, type Write } from './window.ts';

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
interface Lane {
  readonly rateClass: RateClass;
  readonly address: string;
  /** As last read. Other functions may have added times since: a full window is certain, free room is not. */
  known: AcceptedTimes;
  readonly waiting: ((standing: Standing) => void)[];
  writing: boolean;
}

/** The lanes of the addresses that sent most recently. */
function rememberedLanes(): (rateClass: RateClass, address: string) => Lane {
  const lanes = new Map<string, Lane>();
  return (rateClass, address) => {
    const name = `${rateClass} ${address}`;
    const lane = lanes.get(name) ?? { rateClass, address, known: [], waiting: [], writing: false };
    lanes.delete(name);
    lanes.set(name, lane);
    const [oldest] = lanes.keys();
    if (lanes.size > REMEMBERED_MAX && oldest !== undefined) lanes.delete(oldest);
    return lane;
  };
}

/** The write that stores a request accepts it: its condition fails for a full window, in all functions. */
export function createRateLimiter(deps: Deps): RateLimiter {
  const { store, now, waitMs, onUnavailable, limits = RATE_LIMITS } = deps;
  const laneOf = rememberedLanes();
  const standing = (lane: Lane, at = now()): Standing => standingOf(limits[lane.rateClass], lane.known, at);

  const write = ({ rateClass, address, known }: Lane, { at, count, instead }: Write): Promise<Kept> =>
    instead === undefined
      ? store.append(rateClass, address, { at, count })
      : store.replace(rateClass, address, known, { at, times: instead });

  /** Counts or refuses requests, or learns which times are kept. */
  async function step(lane: Lane): Promise<void> {
    const at = now();
    const next = planWrite(limits[lane.rateClass], lane.known, at, lane.waiting.length);
    if (next === undefined) {
      const refused = standing(lane, at);
      for (const resolve of lane.waiting.splice(0)) resolve(refused);
      return;
    }
    const { written, times } = await inTime(write(lane, next), waitMs);
    lane.known = times;
    if (!written) return;
    const { remaining, resetSeconds } = standing(lane);
    const counted = lane.waiting.splice(0, next.count);
    for (const [index, resolve] of counted.entries()) {
      resolve({ accepted: true, remaining: remaining + counted.length - 1 - index, resetSeconds });
    }
  }

  async function drain(lane: Lane): Promise<void> {
    lane.writing = true;
    try {
      while (lane.waiting.length > 0) await step(lane);
    } catch (error) {
      const passed = lane.waiting.splice(0);
      onUnavailable(error, passed.length);
      for (const resolve of passed) resolve({ ...standing(lane), accepted: true });
    } finally {
      lane.writing = false;
    }
  }

  return {
    look: (rateClass, address) => standing(laneOf(rateClass, address)),
    count(rateClass, address) {
      const lane = laneOf(rateClass, address);
      return new Promise((resolve) => {
        lane.waiting.push(resolve);
        if (!lane.writing) void drain(lane);
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
