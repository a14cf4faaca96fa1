import type { SuiteHead } from '../suites/stored.ts';
import { notBefore, timestamp } from '../time.ts';

/** A run's time is not before that of the run before it, if the clocks of their functions differ only a little. */
export const createdAtAfter = ({ lastRunAt }: Pick<SuiteHead, 'lastRunAt'>, startedAtMs: number): string =>
  lastRunAt === null ? timestamp(startedAtMs) : notBefore(lastRunAt, startedAtMs);
