import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import '../../../support/seed.ts';
import type { Run } from '../../../../shared/contracts/runs.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { analyticsStore } from '../../../../shared/storage/runs/analytics.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { suiteHeadKey } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { sized } from '../../../support/soak.ts';
import { withOwn } from '../contended.ts';
import { resultOf } from '../results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite, runOf } from '../stored.ts';

const START_MS = Date.parse('2036-05-05T10:00:00.000Z');
const MINUTE = 1 / 1_440;

/** A function that dies after it took its number. */
const dying = (table: Table): Table =>
  withOwn(table, { transact: () => Promise.reject(new Error('killed')) });

interface Requested {
  /** By the clock of its function, in days after the start. */
  readonly day: number;
  readonly isStored: boolean;
}

async function runsAt(table: Table, wanted: readonly Requested[]): Promise<{ made: MadeSuite; runs: Run[] }> {
  const made = await makeStoredSuite(table);
  const [alive, dead] = [runStore(table, randomUUID), runStore(dying(table), randomUUID)];
  const runs: Run[] = [];
  for (const { day, isStored } of wanted) {
    const startedAtMs = START_MS + Math.round(day * DAY_MS);
    const run = finishedRun({ ...made, head: await headOf(table, made) }, [resultOf(0, 'x')], {
      startedAtMs,
      completedAtMs: startedAtMs,
      retentionDays: 4_000,
    });
    if (isStored) runs.push(runOf(await alive.commit(run)));
    else await expect(dead.commit(run)).rejects.toThrow('killed');
  }
  return { made, runs };
}

async function headOf(table: Table, { orgId, suite }: MadeSuite) {
  const head = await suiteStore(table).head(orgId, suite.slug, suite.project_id);
  if (head === undefined) throw new Error('The suite is gone');
  return head;
}

/** What a client sees that reads page after page. */
async function pagesOf(table: Table, made: MadeSuite, since: string, pageSize: number) {
  const head = await headOf(table, made);
  const store = runStore(table, randomUUID);
  const ids: string[] = [];
  let total = 1;
  for (let page = 1; (page - 1) * pageSize < total; page++) {
    const read = await store.page(made.orgId, head, since, { page, pageSize });
    total = read.total;
    expect(read.items.length).toBeLessThanOrEqual(pageSize);
    ids.push(...read.items.map(({ id }) => id));
  }
  return { ids, total };
}

const NEAR = [0, -4 * MINUTE];
const WRONG = [...NEAR, 10 * MINUTE, -16, 30];
/** Runs one after the other, by clocks that are so many days off. */
const runsOff = (offs: readonly number[], isStored: fc.Arbitrary<boolean>) =>
  fc
    .array(
      fc.record({
        hours: fc.double({ min: 0, max: 30, noNaN: true }),
        off: fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, fc.constantFrom(...offs)),
        isStored,
      }),
      { minLength: 1, maxLength: 40 },
    )
    .map((all): Requested[] => {
      let now = 0;
      return all.map(({ hours, off, isStored }) => {
        now += hours / 24;
        return { day: now + off, isStored };
      });
    });
const anySince = fc
  .double({ min: -10, max: 40, noNaN: true })
  .map((day) => timestamp(START_MS + day * DAY_MS));

test('the list holds exactly the retained runs by their numbers, whichever were never stored and whatever the clocks say', async () => {
  const pageSizes = fc.integer({ min: 1, max: 50 });
  await fc.assert(
    fc.asyncProperty(runsOff(WRONG, fc.boolean()), anySince, pageSizes, async (all, since, pageSize) => {
      const table = new MemoryTable(() => START_MS);
      const { made, runs } = await runsAt(table, all);
      const retained = runs.filter(({ created_at }) => created_at >= since).toReversed();
      const expected = retained.map(({ id }) => id);
      const { ids, total } = await pagesOf(table, made, since, pageSize);
      expect(ids).toEqual(expected);
      expect(total).toBeGreaterThanOrEqual(expected.length);
      if (all.length <= pageSize) expect(total).toBe(expected.length);
      const head = await headOf(table, made);
      const analytics = analyticsStore(table);
      expect(await analytics.latestRuns(made.orgId, head, since, 12)).toEqual(expected.slice(0, 12));
      const until = timestamp(START_MS + 1_000 * DAY_MS);
      expect(
        (await analytics.recount(made.orgId, head, { since, before: until, branch: undefined })).runs,
      ).toBe(expected.length);
    }),
    { numRuns: sized(50, 150) },
  );
});

test('where clocks differ by five minutes at most and each number has a run, times rise with numbers and each total is exact', async () => {
  const pageSizes = fc.integer({ min: 1, max: 10 });
  await fc.assert(
    fc.asyncProperty(runsOff(NEAR, fc.constant(true)), anySince, pageSizes, async (all, since, pageSize) => {
      const table = new MemoryTable(() => START_MS);
      const { made, runs } = await runsAt(table, all);
      const times = runs.map(({ created_at }) => created_at);
      expect(times).toEqual(times.toSorted());
      const retained = times.filter((at) => at >= since);
      expect((await pagesOf(table, made, since, pageSize)).total).toBe(retained.length);
    }),
    { numRuns: sized(25, 50) },
  );
});

test('any number of unused numbers between two runs hides neither of them', async () => {
  const table = new MemoryTable(() => START_MS);
  const { made, runs } = await runsAt(table, [{ day: 0, isStored: true }]);
  const key = suiteHeadKey(made.orgId, made.suite.slug, made.suite.project_id);
  const skip = { UpdateExpression: 'ADD run_count :many', ExpressionAttributeValues: { ':many': 5_000 } };
  await table.update({ Key: key, ...skip });
  const startedAtMs = START_MS + DAY_MS;
  const later = finishedRun(made, [resultOf(0, 'x')], { startedAtMs, completedAtMs: startedAtMs });
  runs.push(runOf(await runStore(table, randomUUID).commit(later)));
  await table.update({ Key: key, ...skip });
  const head = await headOf(table, made);
  const ids = runs.map(({ id }) => id).toReversed();
  const since = timestamp(START_MS);
  const analytics = analyticsStore(table);
  expect(await analytics.latestRuns(made.orgId, head, since, 2)).toEqual(ids);
  const recounted = { since, before: timestamp(START_MS + 2 * DAY_MS), branch: undefined };
  expect((await analytics.recount(made.orgId, head, recounted)).runs).toBe(2);
  expect((await pagesOf(table, made, since, 100)).ids).toEqual(ids);
});
