import { afterAll, beforeAll } from '@jest/globals';

const SLOWER = 32;

/**
 * For a file or a `describe` about work that ends: its processor time counts a thirty-second, so that no limit is reached
 * because the machine is slow. What takes more than in proportion to a text of 1 MB still reaches it.
 */
export function allowSlowMachine(): void {
  const { threadCpuUsage } = process;
  const slowed: typeof threadCpuUsage = (previous) => {
    const { user, system } = threadCpuUsage.call(process, previous);
    return { user: user / SLOWER, system: system / SLOWER };
  };
  beforeAll(() => {
    process.threadCpuUsage = slowed;
  });
  afterAll(() => {
    process.threadCpuUsage = threadCpuUsage;
  });
}
