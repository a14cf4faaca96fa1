/** The longest that a call of GitHub may take. */
const GITHUB_MS = 15_000;

/** Preloaded into a process: it waits for GitHub so many times shorter, and for the service as long as ever. */
const FACTOR = Number(process.env.TEST_TIME_FACTOR ?? 1);
const { setTimeout: realSetTimeout } = globalThis;

globalThis.setTimeout = Object.assign(
  (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) =>
    realSetTimeout(callback, ms > GITHUB_MS ? ms : ms / FACTOR, ...values),
  realSetTimeout,
) as typeof setTimeout;
