import { test } from '@jest/globals';
import fc from 'fast-check';
import '../../../support/seed.ts';
import { everyRunIsBilledOnce } from './interleavings.ts';

test('each run is counted and billed once, in 10,000 orders of runs, plan changes, reports and ends of months', () =>
  fc.assert(everyRunIsBilledOnce, { numRuns: 10_000 }));
