import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { StoredRun } from '../../../../shared/domain/runs/ports.ts';
import type { PlannedCase } from '../../../../shared/domain/suites/packs/plannedCase.ts';
import { caseStore } from '../../../../shared/storage/suites/cases.ts';
import { planningStore } from '../../../../shared/storage/suites/planning.ts';
import { scorerStore } from '../../../../shared/storage/suites/scorers.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { withOwn } from '../contended.ts';
import { type MadeSuite, makeStoredSuite, storedCase, storedScorer } from '../stored.ts';
import '../../../support/seed.ts';
import { sized } from '../../../support/soak.ts';

const AT = '2026-05-05T10:00:00.000Z';

const memory = new MemoryTable(Date.now);

const large = (letter: string): string => letter.repeat(200_000);

const anyCase = fc.record({
  is_active: fc.boolean(),
  scorer: fc.integer({ min: 0, max: 2 }),
  /** Together they don't fit into one item. */
  isLarge: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  isDeleted: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
});

async function makeScorers({ orgId, suite }: MadeSuite): Promise<string[]> {
  const scorers = [storedScorer(suite), storedScorer(suite)];
  for (const scorer of scorers) await scorerStore(memory).create(orgId, scorer);
  // The third was deleted.
  return [...scorers.map(({ id }) => id), randomUUID()];
}

async function filled(cases: readonly (typeof anyCase extends fc.Arbitrary<infer T> ? T : never)[]) {
  const world = await makeStoredSuite(memory);
  const { orgId, suite } = world;
  const scorers = await makeScorers(world);
  const store = caseStore(memory);
  const ids: string[] = [];
  for (const [index, { is_active, scorer, isLarge, isDeleted }] of cases.entries()) {
    const documents = isLarge
      ? { input: { text: large('i') }, expected: large('e') }
      : { input: { index }, expected: index };
    const fields = { name: `Case ${index}`, is_active, scorer_id: scorers[scorer] ?? '', ...documents };
    const made = storedCase(suite, fields);
    const { id } = made;
    await store.create(orgId, suite, made);
    if (isDeleted) await store.delete(orgId, suite, id, AT);
    ids.push(id);
  }
  const run = { suite_id: suite.id, project_id: suite.project_id } as StoredRun;
  return { orgId, run, ids };
}

async function all(slices: AsyncIterable<readonly PlannedCase[]> | undefined) {
  const cases: PlannedCase[] = [];
  for await (const slice of slices ?? []) cases.push(...slice);
  return slices && cases;
}

test('a suite that is read in pages is the same as one that is read case by case, in any order', async () => {
  const law = fc.asyncProperty(fc.array(anyCase, { maxLength: 25 }), async (cases) => {
    const { orgId, run, ids } = await filled(cases);
    const planning = planningStore(memory);
    const order = ids.toReversed();
    const inPages = await all(await planning.casesIfSmall(orgId, run, order));
    expect(inPages).toEqual(await planning.cases(orgId, run, order));
    expect(inPages?.length).toBe(cases.filter(({ is_active, isDeleted }) => is_active && !isDeleted).length);
  });
  await fc.assert(law, { numRuns: sized(5, 15) });
});

const NORMAL = { is_active: true, scorer: 0, isLarge: false, isDeleted: false };

/** A table that counts what is read of it. */
function counted() {
  const reads = { pages: 0, items: 0 };
  const table = withOwn<Table>(memory, {
    async query(range, options) {
      reads.pages++;
      return memory.query(range, options);
    },
    async getMany(keys) {
      reads.items += keys.length;
      return memory.getMany(keys);
    },
  });
  return { reads, planning: planningStore(table) };
}

test('120 small cases are read in a few pages, and none by itself', async () => {
  const { orgId, run, ids } = await filled(Array.from({ length: 120 }, () => NORMAL));
  const { reads, planning } = counted();
  expect(await all(await planning.casesIfSmall(orgId, run, ids))).toHaveLength(120);
  // One of them is the scorer.
  expect([reads.pages <= 3, reads.items <= 3]).toEqual([true, true]);
});

test('a suite of large cases is given up after its first page', async () => {
  const { orgId, run, ids } = await filled(Array.from({ length: 45 }, () => ({ ...NORMAL, isLarge: true })));
  const { reads, planning } = counted();
  expect(await planning.casesIfSmall(orgId, run, ids)).toBeUndefined();
  expect(reads.pages).toBe(1);
});
