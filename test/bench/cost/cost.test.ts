import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Counts,
  countDuring,
  invocationsOf,
  queueRequests,
  unitsOf,
} from '../../../bench/cost/costCounts.ts';
import {
  countJudgedRuns,
  countOwnOutputs,
  countQueuedOutputs,
  countSyncRuns,
  TWO_CALLS,
} from '../../../bench/cost/costRuns.ts';
import { type MeteredService, startMeteredService } from '../../../bench/cost/meteredService.ts';

/**
 * The operations that AWS charges for, a run, at most. A change that needs one more raises its bound here and looks at what
 * it costs: `npm run bench cost`.
 */
const AT_MOST = {
  'a warm sync run of 100 deterministic cases': {
    count: countSyncRuns,
    /** The run. */
    httpRequests: 1,
    /**
     * 1 rate limit, 1 API key's last use, 1 head; 6 for run, usage and day in a transaction. 1 for the results: half of the
     * cases fail, and what is kept of the output does not fit into the run's item. `npm run bench cost` bounds them by 8.
     */
    writeUnits: 10,
    /** The API key, and the heads of suite and project. */
    readUnits: 3,
    queueRequests: 0,
    kmsCalls: 0,
    apiInvocations: 1,
    evaluatorInvocations: 0,
    /** The scores of 100 cases, gzipped, and the headers. Half of it is 100 ids, which do not compress. */
    answeredBytes: 4_600,
  },
  'a warm sync run of 100 deterministic cases, each with an output of 2 kB of its own, that clears': {
    count: countOwnOutputs,
    httpRequests: 1,
    /** The results have digests of their own: 2 for them, which do not fit beside the run. */
    writeUnits: 12,
    readUnits: 3,
    queueRequests: 0,
    kmsCalls: 0,
    apiInvocations: 1,
    evaluatorInvocations: 0,
    answeredBytes: 4_600,
  },
  'a queued run of 100 deterministic cases, each with an output of 2 kB of its own, and one look': {
    count: countQueuedOutputs,
    httpRequests: 2,
    /** The outputs come in one block, which lies beside the payload and is dropped with it. */
    writeUnits: 29,
    readUnits: 19,
    queueRequests: 3,
    kmsCalls: 0,
    apiInvocations: 2,
    evaluatorInvocations: 1,
    /** The run with its verdict, and its headers. */
    answeredBytes: 2_000,
  },
  'an async run with two judge calls and one look at its verdict': {
    count: (service: MeteredService, runs: number) => countJudgedRuns(service, runs, TWO_CALLS),
    /** The run, and the look. */
    httpRequests: 2,
    /**
     * 2 rate limits, 1 API key's last use. Accepted: 1 payload, 1 head, 8 for run, usage, pending run and open cases.
     * Planned: 1 chunk, 1 run. Evaluated: 2 for the seat, 1 claim, 1 BYOK key's last use; for each judge call a slot
     * taken and freed and a case kept, 6, and 1 that counts both calls; 1 end of the chunk, with its results. Concluded:
     * 8 for run, pending run, open cases and day.
     */
    writeUnits: 36,
    /**
     * Accepted: 3 as above, 1 for open cases. Planned: the run, twice the heads of project and suite, suite and list
     * of cases, 2 cases, their scorer. Evaluated: payload, plan and judged cases, 3 for the BYOK key, 1 look for a seat,
     * 1 for slots, 1 for a chunk that waits. Concluded: chunk and head. Looked at: API key, run and project.
     */
    readUnits: 28,
    /** The message that asks for the plan is sent, received and deleted. */
    queueRequests: 3,
    /** The BYOK key is opened. */
    kmsCalls: 1,
    apiInvocations: 2,
    evaluatorInvocations: 1,
    /** The run with its verdict, and its headers. */
    answeredBytes: 2_080,
  },
};

let metered: MeteredService;
beforeAll(async () => {
  metered = await startMeteredService();
});
afterAll(() => metered.stop());

const figuresOf = (counts: Counts) => ({
  httpRequests: counts.httpRequests,
  writeUnits: unitsOf(counts, 'write'),
  readUnits: unitsOf(counts, 'read'),
  queueRequests: queueRequests(counts),
  kmsCalls: counts.kmsCalls,
  apiInvocations: invocationsOf(counts, 'api').length,
  evaluatorInvocations: invocationsOf(counts, 'evaluator').length,
  answeredBytes: counts.egressBytes,
});

describe.each(Object.entries(AT_MOST))('%s', (_, { count, ...bounds }) => {
  test('makes no more operations than are known', async () => {
    // A request that a busy machine repeats is in one of them, what is new in all.
    const runs = (await count(metered, 3)).map(figuresOf);
    for (const [figure, bound] of Object.entries(bounds)) {
      const least = Math.min(...runs.map((run) => run[figure as keyof typeof bounds]));
      expect({ figure, isWithin: least <= bound, least }).toEqual({ figure, isWithin: true, least });
    }
  });
});

test.each([
  // Once a minute.
  ['sweep', 8],
  ['resumeRetention', 1],
  // Once an hour.
  ['purge', 1],
  ['reportOverage', 8],
] as const)(
  '%s costs an idle deployment at most %i read units and no write unit',
  async (name, readUnits) => {
    const counts = await countDuring(metered, metered.scheduled[name]);
    expect(unitsOf(counts, 'write')).toBe(0);
    expect(unitsOf(counts, 'read')).toBeGreaterThan(0);
    expect(unitsOf(counts, 'read')).toBeLessThanOrEqual(readUnits);
  },
);
