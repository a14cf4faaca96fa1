import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { DAY_MS, monthOf, timestamp } from '../../../../shared/domain/time.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { suiteHeadKey } from '../../../../shared/storage/table/keys.ts';
import type { Outcome, Table, Write } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { putSuite } from '../../../support/revisions/bars.ts';
import { withOwn } from '../contended.ts';
import { resultOf } from '../results.ts';
import { deletionAt, finishedRun, type MadeSuite, makeStoredSuite, runOf } from '../stored.ts';

const STARTED_MS = Date.parse('2026-05-05T10:00:00.000Z');

const memory = new MemoryTable(() => STARTED_MS + 60_000);
let made: MadeSuite;
beforeEach(async () => {
  made = await makeStoredSuite(memory);
});

const AT = { startedAtMs: STARTED_MS, completedAtMs: STARTED_MS + 5 };
const results = [resultOf(0, 'x'), resultOf(1, 'x')];

const currentHead = () => suiteStore(memory).head(made.orgId, made.suite.slug, made.suite.project_id);

async function counters() {
  const head = await memory.get(suiteHeadKey(made.orgId, made.suite.slug, made.suite.project_id));
  const used = await usageStore(memory).used(made.orgId, monthOf(timestamp(STARTED_MS)));
  return { runs: head?.run_count, used };
}

async function listed(): Promise<string[]> {
  const head = await currentHead();
  if (head === undefined) return [];
  const query = { page: 1, pageSize: 100 };
  const page = await runStore(memory, randomUUID).page(made.orgId, head, '1970', query);
  expect(page.total).toBe(page.items.length);
  return page.items.map(({ id }) => id);
}

type Transact = (writes: Record<string, Write>) => Promise<Outcome<string>>;

/** The table with a fault in the first transaction; `real` is what would have happened. */
function faulty(fault: (real: () => Promise<Outcome<string>>) => Promise<Outcome<string>>): Table {
  let faults = 1;
  const transact: Transact = (writes) => {
    const real = () => memory.transact<string>(writes);
    return faults-- > 0 ? fault(real) : real();
  };
  return withOwn(memory, { transact: transact as Table['transact'] });
}

test('a commit moves run, results, counter and usage together', async () => {
  const runs = runStore(memory, randomUUID);
  const run = runOf(await runs.commit(finishedRun(made, results, AT)));
  expect(run).toMatchObject({
    created_at: '2026-05-05T10:00:00.000Z',
    completed_at: '2026-05-05T10:00:00.005Z',
  });
  expect(await counters()).toEqual({ runs: 1, used: 1 });
  expect(await listed()).toEqual([run.id]);
  expect(await runs.find(made.orgId, run.id ?? '')).toMatchObject({ ...run, project_slug: 'bot' });
  expect(await runs.results(made.orgId, run.id ?? '')).toHaveLength(2);
});

test('a commit whose answer got lost and whose repetition is refused counts once', async () => {
  const table = faulty(async (real) => {
    // The SDK repeats what it had no answer to: the first attempt took place, the second meets its work.
    await real();
    return real();
  });
  const run = runOf(await runStore(table, randomUUID).commit(finishedRun(made, results, AT)));
  expect(await counters()).toEqual({ runs: 1, used: 1 });
  expect(await listed()).toEqual([run.id]);
});

test('a lost answer is recognised also when other runs came after it', async () => {
  const table = faulty(async (real) => {
    await real();
    const head = await currentHead();
    await runStore(memory, randomUUID).commit(finishedRun({ ...made, head: head! }, results, AT));
    return real();
  });
  const run = runOf(await runStore(table, randomUUID).commit(finishedRun(made, results, AT)));
  expect(await counters()).toEqual({ runs: 2, used: 2 });
  expect((await listed()).at(-1)).toBe(run.id);
});

test('a commit that never took place and fails leaves nothing that anyone can see', async () => {
  const table = faulty(async () => {
    throw new Error('no connection');
  });
  const failing = runStore(table, randomUUID).commit(finishedRun(made, results, AT));
  await expect(failing).rejects.toThrow('no connection');
  // Its number stays unused.
  expect(await counters()).toEqual({ runs: 1, used: 0 });
  expect(await listed()).toEqual([]);
});

test('a failed commit does not stand in the way of the next one of the same store', async () => {
  const table = faulty(async () => {
    throw new Error('no connection');
  });
  const runs = runStore(table, randomUUID);
  const outcomes = await Promise.allSettled([
    runs.commit(finishedRun(made, results, AT)),
    runs.commit(finishedRun(made, results, AT)),
  ]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await counters()).toEqual({ runs: 2, used: 1 });
  expect(await listed()).toHaveLength(1);
});

test('30 functions that commit at once count 30 runs, each once', async () => {
  const commits = Array.from({ length: 30 }, () =>
    runStore(memory, randomUUID).commit(finishedRun(made, results, AT)),
  );
  const runs = (await Promise.all(commits)).map(runOf);
  expect(await counters()).toEqual({ runs: 30, used: 30 });
  expect((await listed()).toSorted()).toEqual(runs.map((run) => run.id).toSorted());
});

test('a run of a suite that was deleted meanwhile is not stored and not counted', async () => {
  await suiteStore(memory).delete(made.orgId, made.suite, deletionAt('2026-05-05T10:00:00.000Z'));
  expect(await runStore(memory, randomUUID).commit(finishedRun(made, results, AT))).toEqual({
    outcome: 'suite_gone',
  });
  expect((await counters()).used).toBe(0);
});

test('a run of a suite that was deleted and made again is not counted for the new one', async () => {
  await suiteStore(memory).delete(made.orgId, made.suite, deletionAt('2026-05-05T10:00:00.000Z'));
  const again = { ...made.suite, id: randomUUID() };
  await putSuite(memory, made.orgId, again);
  expect(await runStore(memory, randomUUID).commit(finishedRun(made, results, AT))).toEqual({
    outcome: 'suite_gone',
  });
  expect(await counters()).toEqual({ runs: 0, used: 0 });
});

test('a run counts in the month it was made in', async () => {
  const lastMoment = { startedAtMs: Date.parse('2026-05-31T23:59:59.999Z') };
  const run = finishedRun(made, results, { ...lastMoment, completedAtMs: lastMoment.startedAtMs });
  await runStore(memory, randomUUID).commit(run);
  expect((await counters()).used).toBe(1);
});

/** When runs were created whose functions began them at these times after the start. */
async function createdAt(offsetsMs: readonly number[]): Promise<(string | undefined)[]> {
  const created = [];
  for (const offset of offsetsMs) {
    const startedAtMs = STARTED_MS + offset;
    const answer = await runStore(memory, randomUUID).commit(
      finishedRun({ ...made, head: (await currentHead())! }, results, {
        startedAtMs,
        completedAtMs: startedAtMs,
      }),
    );
    const run = runOf(answer);
    expect(run && (run.completed_at ?? '') >= run.created_at).toBe(true);
    created.push(run.created_at);
  }
  return created;
}

test('times do not fall from one run to the next where clocks differ by five minutes at most', async () => {
  const created = await createdAt([0, 60_000, -240_000, 30_000]);
  expect(created).toEqual(created.toSorted());
});

test.each([
  ['a year', 365 * DAY_MS],
  ['a month, and so in the next one', 31 * DAY_MS],
  ['six minutes', 6 * 60_000],
])('a clock that was ahead once, by %s, moves no later run, nor the month it counts in', async (_, ahead) => {
  const offsets = [0, ahead, 1_000, 2_000, ahead + 1_000, 3_000];
  expect(await createdAt(offsets)).toEqual(offsets.map((offset) => timestamp(STARTED_MS + offset)));
  const isElsewhere = monthOf(timestamp(STARTED_MS + ahead)) !== monthOf(timestamp(STARTED_MS));
  expect((await counters()).used).toBe(isElsewhere ? 4 : 6);
});

test.each([1, 2, 3])(
  'runs of a clock that was ahead, from number %d on, do not bring runs past their retention back into the list',
  async (first) => {
    const offsets = Array.from({ length: 8 }, (_, index) => index * DAY_MS);
    offsets[first - 1] = 300 * DAY_MS;
    offsets[first] = 301 * DAY_MS;
    await createdAt(offsets);
    const head = await currentHead();
    const since = timestamp(STARTED_MS + 5.5 * DAY_MS);
    const page = await runStore(memory, randomUUID).page(made.orgId, head!, since, {
      page: 1,
      pageSize: 20,
    });
    const retained = offsets.map((offset) => timestamp(STARTED_MS + offset)).filter((at) => at >= since);
    expect(page.total).toBe(4);
    expect(page.items.map(({ created_at }) => created_at)).toEqual(retained.toReversed());
  },
);
