import { setTimeout as sleep } from 'node:timers/promises';

const STEP_MS = 4;
const WAIT_MS_MAX = 250;

/** Exponential backoff with full jitter, for writers that meet on one item. `attempt` counts from 0. */
const backoffMs = (attempt: number, random: () => number = Math.random): number =>
  random() * Math.min(WAIT_MS_MAX, STEP_MS * 2 ** attempt);

export async function backoff(attempt: number): Promise<void> {
  await sleep(backoffMs(attempt));
}

const ATTEMPTS_MAX = 60;

/** Repeats a step while another writer came first (undefined): 15 s at worst, below API Gateway's 30. */
export async function retryOnConflict<T>(
  step: () => Promise<T | undefined>,
  wait: (attempt: number) => Promise<void> = backoff,
): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const result = await step();
    if (result !== undefined) return result;
    await wait(attempt);
  }
  throw new Error(`Gave up after ${ATTEMPTS_MAX} attempts: other writers came first every time`);
}
