/** Preloaded into a process: its time passes so many times faster. */
const FACTOR = Number(process.env.TEST_TIME_FACTOR ?? 1);
const { setTimeout: realSetTimeout, Date: RealDate } = globalThis;
const startMs = RealDate.now();
const realNow = RealDate.now;

RealDate.now = () => Math.floor(startMs + (realNow() - startMs) * FACTOR);
globalThis.setTimeout = Object.assign(
  (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    realSetTimeout(callback, ms / FACTOR, ...values),
  realSetTimeout,
) as typeof setTimeout;
