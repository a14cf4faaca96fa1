/** Preloaded into a service: its clock is ahead, as if it had been started later. */
const aheadMs = Number(process.env.TEST_CLOCK_AHEAD_MS ?? 0);
const realNow = Date.now;
Date.now = () => realNow() + aheadMs;
