/** Preloaded into a service: its clock is ahead, as if it had been started later, or goes slower. */
const aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
const slowness = Number(process.env.TEST_CLOCK_SLOWNESS ?? 1);
const realNow = Date.now;
const startMs = realNow();
Date.now = () => Math.floor(startMs + (realNow() - startMs) / slowness) + aheadMs;
