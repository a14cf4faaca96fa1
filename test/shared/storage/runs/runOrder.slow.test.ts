import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../../support/seed.ts';
import type { Run } from '../../../../shared/contracts/runs.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { analyticsStore } from '../../../../shared/storage/runs/analytics.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { SK, suiteHeadKey, suiteKey } from '../../../../shared/storage/table/keys.ts';
import { type EngineTable, startEngineTable } from '../../../support/ownService.ts';
import { resultOf } from '../results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite, runOf } from '../stored.ts';

const START_MS = Date.parse('2036-05-05T10:00:00.000Z');

let own: EngineTable;
beforeAll(async () => {
  own = await startEngineTable(() => START_MS);
});
afterAll(() => own.stop());

const headOf = async ({ orgId, suite }: MadeSuite) => {
  const head = await suiteStore(own.table).head(orgId, suite.slug, suite.project_id);
  if (head === undefined) throw new Error('The suite is gone');
  return head;
};

/** Runs at these times by the clocks of their functions, in days after the start. */
async function runsAt(days: readonly number[]): Promise<{ made: MadeSuite; runs: Run[] }> {
  const made = await makeStoredSuite(own.table);
  const store = runStore(own.table, randomUUID);
  const runs: Run[] = [];
  for (const day of days) {
    const startedAtMs = START_MS + Math.round(day * DAY_MS);
    const at = { startedAtMs, completedAtMs: startedAtMs, retentionDays: 4_000 };
    runs.push(runOf(await store.commit(finishedRun(made, [resultOf(0, 'x')], at))));
  }
  return { made, runs };
}

/** What a client sees that reads page after page, and all that it should see, the newest first. */
async function listed(made: MadeSuite, runs: readonly Run[], since: string, pageSize = 7) {
  const head = await headOf(made);
  const ids: string[] = [];
  const sizes: number[] = [];
  const store = runStore(own.table, randomUUID);
  for (let page = 1, total = 1; (page - 1) * pageSize < total; page++) {
    const read = await store.page(made.orgId, head, since, { page, pageSize });
    total = read.total;
    ids.push(...read.items.map(({ id }) => id));
    sizes.push(read.items.length, total);
  }
  const retained = runs.filter(({ created_at }) => created_at >= since).toReversed();
  return { ids, sizes, expected: retained.map(({ id }) => id) };
}

const MINUTE = 1 / 1_440;
/** Runs one after the other, by a clock that is so many days off. */
const anyBurst = fc.record({
  runs: fc.integer({ min: 1, max: 6 }),
  days: fc.double({ min: 0, max: 6, noNaN: true }),
  off: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    fc.constantFrom(-4 * MINUTE, 4 * MINUTE, -10 * MINUTE, 10 * MINUTE, -16, 30, 300),
    fc.double({ min: -40, max: 40, noNaN: true }),
  ),
});

function daysOf(bursts: readonly { runs: number; days: number; off: number }[]): number[] {
  let now = 0;
  return bursts.flatMap(({ runs, days, off }) =>
    Array.from({ length: runs }, () => {
      now += days / runs;
      return now + off;
    }),
  );
}

const anySince = fc
  .double({ min: -10, max: 60, noNaN: true })
  .map((days) => timestamp(START_MS + days * DAY_MS));

test('with any wrong clocks, the list holds exactly the retained runs, and their number', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyBurst, { minLength: 1, maxLength: 9 }), anySince, async (bursts, since) => {
      const { made, runs } = await runsAt(daysOf(bursts));
      const { ids, sizes, expected } = await listed(made, runs, since);
      expect(ids).toEqual(expected);
      expect(sizes).toEqual(
        expected.length === 0
          ? [0, 0]
          : Array.from({ length: Math.ceil(expected.length / 7) }, (_, page) => [
              Math.min(7, expected.length - page * 7),
              expected.length,
            ]).flat(),
      );
    }),
    { numRuns: 15 },
  );
});

test('clocks that are wrong again and again hide no run that is retained, and bring none back that is not', async () => {
  const off = fc.constantFrom(0, 10 * MINUTE, 50 * MINUTE, -2 * MINUTE, -16, 30, 300);
  await fc.assert(
    fc.asyncProperty(fc.array(off, { minLength: 40, maxLength: 70 }), anySince, async (offs, since) => {
      const { made, runs } = await runsAt(offs.map((days, index) => index / 2 + days));
      const { ids, expected } = await listed(made, runs, since, 20);
      expect(ids).toEqual(expected);
      const head = await own.table.get(suiteHeadKey(made.orgId, made.suite.slug, made.suite.project_id));
      // As many as keep the head small.
      expect(head?.time_falls).toMatchObject({ length: expect.any(Number) });
      expect(Object.keys(head?.time_falls ?? []).length).toBeLessThanOrEqual(20);
    }),
    { numRuns: 4 },
  );
});

const days = (count: number, day: number): number[] =>
  Array.from({ length: count }, (_, run) => day + run / 1e6);

test.each([
  ['a run by a clock that is 10 minutes slow', [...days(3, 0), ...days(70, 20), 20 - 10 * MINUTE], 71],
  ['a burst by a clock that is 30 days fast', [...days(3, 0), ...days(120, 50), ...days(5, 20)], 125],
  ['a run by a clock that is 16 days slow', [...days(2, 18), ...days(10, 20), 4], 12],
  ['many runs by a clock that is 16 days slow', [...days(10, 20), ...days(30, 4), ...days(2, 20.1)], 12],
])('%s hides no run', async (_, at, total) => {
  const { made, runs } = await runsAt(at);
  const since = timestamp(START_MS + 6 * DAY_MS);
  const { ids, expected } = await listed(made, runs, since, 100);
  expect(ids).toEqual(expected);
  expect(ids).toHaveLength(total);
  const analytics = analyticsStore(own.table);
  const head = await headOf(made);
  const until = timestamp(START_MS + 1_000 * DAY_MS);
  expect((await analytics.recount(made.orgId, head, since, until)).runs).toBe(total);
  expect(await analytics.latestRuns(made.orgId, head, since, 12)).toEqual(expected.slice(0, 12));
});

test('runs and heads of the version before, which ordered nothing by another time, are listed as they were', async () => {
  const { made, runs } = await runsAt([0, 1, 2, 3, 4]);
  const { orgId, suite } = made;
  await own.table.update({
    Key: suiteHeadKey(orgId, suite.slug, suite.project_id),
    UpdateExpression: 'REMOVE last_ordered_at, time_falls',
  });
  const items = await own.table.query({ pk: suiteKey(orgId, suite.id).pk, prefix: 'RUN#' });
  expect(items.map((item) => [item[SK], item.ordered_at])).toEqual(
    items.map((item) => [item[SK], undefined]),
  );
  const { ids, expected } = await listed(made, runs, timestamp(START_MS + 1.5 * DAY_MS));
  expect(ids).toEqual(expected);
  expect(ids).toHaveLength(3);
});

test('a list costs the same whether its clocks were right or one was wrong once', async () => {
  const costOf = async (at: number[]) => {
    const { made, runs } = await runsAt(at);
    const head = await headOf(made);
    const before = own.table.consumed().read;
    const store = runStore(own.table, randomUUID);
    await store.page(made.orgId, head, runs[0]?.created_at ?? '', { page: 1, pageSize: 20 });
    return own.table.consumed().read - before;
  };
  const right = await costOf(days(40, 0));
  expect(await costOf([...days(20, 1), ...days(20, 0)])).toBeLessThanOrEqual(right + 1);
});
