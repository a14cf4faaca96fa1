import { CASES, SCORERS } from './cases.ts';
import { CREDENTIALS, END } from './credentials.ts';
import type { Example } from './example.ts';
import { BASELINES, PAID, RUNS } from './runs.ts';
import { START, SUITES } from './suites.ts';
import { TRACES } from './traces.ts';

/** In the order in which they work. */
export const EXAMPLES: readonly Example[] = [
  ...START,
  ...SUITES,
  ...SCORERS,
  ...CASES,
  ...RUNS,
  ...BASELINES,
  ...TRACES,
  ...CREDENTIALS,
  ...PAID,
  ...END,
];

export const examplesOf = (id: string): Example[] => EXAMPLES.filter((example) => example.id === id);
