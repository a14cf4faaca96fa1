import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NOTHING_LEFT } from '../../../../shared/domain/evaluation/conclude.ts';
import { OPEN_JUDGED_CASES_MAX } from '../../../../shared/domain/limits.ts';
import type { RunStore } from '../../../../shared/domain/runs/ports.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { evaluationStore } from '../../../../shared/storage/evaluation/evaluations.ts';
import { readOpenCases } from '../../../../shared/storage/runs/openCases.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { openCasesKey } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { admission, type MadeSuite, makeStoredSuite, runOf } from '../stored.ts';

const clock = { ms: Date.now() };
const now = () => clock.ms;

let table: MemoryTable;
let runs: RunStore;
let made: MadeSuite;
beforeEach(async () => {
  table = new MemoryTable(now);
  runs = runStore(table, randomUUID);
  made = await makeStoredSuite(table);
});

const evaluations = () => evaluationStore(table, now);
const open = () => readOpenCases(table, made.orgId);
const admit = (judgedCases: number) => runs.admit(admission(made, { judgedCases, startedAtMs: now() }));

/** True for the call that ended the run. */
async function end(runId: string, refundsUsage: boolean): Promise<boolean> {
  const evaluation = await evaluations().find(made.orgId, runId);
  if (evaluation === undefined) throw new Error('The run is gone');
  const completed_at = timestamp(now());
  return evaluations().conclude(evaluation, {
    ...NOTHING_LEFT,
    completed_at,
    duration_ms: 0,
    refundsUsage,
  });
}

test('one after the other, a run is refused exactly when its judged cases do not fit beside the open ones', async () => {
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ cases: fc.integer({ min: 1, max: 10_000 }) }) },
    { weight: 2, arbitrary: fc.record({ cases: fc.integer({ min: 1, max: 900 }) }) },
    { weight: 2, arbitrary: fc.record({ ends: fc.nat(), givesBack: fc.boolean() }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
      made = await makeStoredSuite(table);
      const pending = new Map<string, number>();
      const sum = () => [...pending.values()].reduce((all, cases) => all + cases, 0);
      for (const taken of steps) {
        const [ending] = 'ends' in taken ? [...pending.keys()].slice(taken.ends % (pending.size || 1)) : [];
        if ('cases' in taken) {
          const fits = sum() + taken.cases <= OPEN_JUDGED_CASES_MAX;
          const answer = await admit(taken.cases);
          expect(answer.outcome).toBe(fits ? 'stored' : 'backlog_full');
          if (answer.outcome === 'stored') pending.set(answer.run.id, taken.cases);
          else expect(answer).toMatchObject({ open: sum(), judgedCases: taken.cases });
        } else if (ending !== undefined) {
          await Promise.all([end(ending, taken.givesBack), end(ending, taken.givesBack)]);
          pending.delete(ending);
        }
        expect(await open()).toBe(sum());
      }
      for (const id of pending.keys()) await end(id, false);
      expect(await open()).toBe(0);
    }),
    { numRuns: 40 },
  );
});

test('at once, runs never take more than the bound, and nothing is left when all have ended', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 6_000 }), { minLength: 2, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(sizes, async (cases) => {
      made = await makeStoredSuite(table);
      const answers = await Promise.all(cases.map(admit));
      expect(await open()).toBeLessThanOrEqual(OPEN_JUDGED_CASES_MAX);
      const stored = answers.filter((answer) => answer.outcome === 'stored');
      expect(stored.length).toBeGreaterThan(0);
      await Promise.all(stored.map((answer) => end(runOf(answer).id, false)));
      expect(await open()).toBe(0);
    }),
    { numRuns: 40 },
  );
});

test('a run without judged cases neither reads nor writes the counter', async () => {
  await admit(0);
  expect(await table.get(openCasesKey(made.orgId))).toBeUndefined();
  const [item] = table.items().filter(({ sk }) => String(sk).startsWith('RUN#'));
  expect(item).not.toHaveProperty('open_cases');
});

test('a refused run leaves nothing: no run, no usage, nothing pending', async () => {
  for (let run = 0; run < 2; run++) await admit(10_000);
  const before = table.items().length;
  expect((await admit(4_001)).outcome).toBe('backlog_full');
  expect(table.items()).toHaveLength(before);
  expect((await admit(4_000)).outcome).toBe('stored');
});

test('a run that expired while it was pending gives back what it took, once', async () => {
  const { id, created_at } = runOf(await admit(3_000));
  const listed = { orgId: made.orgId, runId: id, createdAt: created_at };
  await evaluations().unlist(listed);
  expect(await open()).toBe(3_000);
  const evaluation = await evaluations().find(made.orgId, id);
  clock.ms += 40 * DAY_MS;
  await evaluations().unlist(listed);
  expect(await open()).toBe(0);
  await evaluations().unlist(listed);
  if (evaluation !== undefined) {
    const completed_at = timestamp(now());
    const late = { ...NOTHING_LEFT, completed_at, duration_ms: 0, refundsUsage: true };
    expect(await evaluations().conclude(evaluation, late)).toBe(false);
  }
  expect(await open()).toBe(0);
});
