import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import type { StoredScorer } from '../../../../shared/domain/suites/ports.ts';
import { caseStore } from '../../../../shared/storage/suites/cases.ts';
import { scorerStore } from '../../../../shared/storage/suites/scorers.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { faultOfCaseKeys, faultOfScorerKeys } from '../../../faults/heldKeys.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { type MadeSuite, makeStoredSuite, storedCase, storedScorer } from '../stored.ts';
import '../../../support/seed.ts';

const AT = '2026-05-05T10:00:00.000Z';

/** What writers do with resources that have keys, be they cases or scorers. */
interface Keyed {
  create(id: string, key: string): Promise<unknown>;
  move(id: string, key: string): Promise<unknown>;
  rename(id: string): Promise<unknown>;
  delete(id: string): Promise<unknown>;
}

function casesOf(table: Table, { orgId, suite }: MadeSuite): Keyed {
  const store = caseStore(table);
  const update = (id: string, fields: Partial<EvalCase>) =>
    store.update(orgId, suite, id, (found) => ({ ...found, ...fields }));
  return {
    create: (id, key) => store.create(orgId, suite, storedCase(suite, { id, key })),
    move: (id, key) => update(id, { key }),
    rename: (id) => update(id, { name: 'Renamed' }),
    delete: (id) => store.delete(orgId, suite, id, AT),
  };
}

function scorersOf(table: Table, { orgId, suite }: MadeSuite): Keyed {
  const store = scorerStore(table);
  const update = (id: string, fields: Partial<StoredScorer>) =>
    store.update(orgId, id, async (found) => ({ ...found, ...fields }));
  return {
    create: (id, key) => store.create(orgId, storedScorer(suite, { id, key })),
    move: (id, key) => update(id, { key }),
    rename: (id) => update(id, { name: 'Renamed' }),
    delete: (id) => store.delete(orgId, storedScorer(suite, { id }), AT),
  };
}

const anyAct = fc.record({
  kind: fc.constantFrom(...(['create', 'create', 'create', 'move', 'move', 'rename', 'delete'] as const)),
  nth: fc.integer({ min: 0, max: 4 }),
  /** Few, so that they meet; 'id' is that of the resource itself, as it was before keys. */
  key: fc.constantFrom('a', 'b', 'c', 'id'),
});
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

/** One id for each act: a creation uses its own, the others that of an earlier act. */
async function play(keyed: Keyed, { kind, nth, key }: Act, ids: readonly string[], own: string) {
  const id = kind === 'create' ? own : (ids[nth % ids.length] ?? own);
  const named = key === 'id' ? id : key;
  if (kind === 'create') return keyed.create(id, named);
  if (kind === 'move') return keyed.move(id, named);
  return kind === 'rename' ? keyed.rename(id) : keyed.delete(id);
}

const faults = async (table: Table, { orgId, suite }: MadeSuite) => [
  await faultOfCaseKeys(table, { orgId, suiteId: suite.id }),
  await faultOfScorerKeys(table, { orgId, projectId: suite.project_id }),
];

test.each([
  ['cases', casesOf],
  ['scorers', scorersOf],
])(
  'any creations, changes and deletions of %s keep their keys unique, and each key has one that lives',
  async (_, keyedOf) => {
    const law = fc.asyncProperty(fc.array(anyAct, { maxLength: 25 }), async (acts) => {
      const table = new MemoryTable(Date.now);
      const made = await makeStoredSuite(table);
      const ids: string[] = [];
      for (const act of acts) {
        const own = randomUUID();
        const outcome = await play(keyedOf(table, made), act, ids, own);
        if (act.kind === 'create' && outcome !== 'key_taken') ids.push(own);
        expect(await faults(table, made)).toEqual([undefined, undefined]);
      }
    });
    await fc.assert(law, { numRuns: 100 });
  },
);

test.each([
  ['cases', casesOf],
  ['scorers', scorersOf],
])('so do those of %s at once, in whichever order their reads and writes take place', async (_, keyedOf) => {
  const law = fc.asyncProperty(
    fc.scheduler(),
    fc.array(anyAct, { minLength: 2, maxLength: 5 }),
    async (scheduler, acts) => {
      const table = new MemoryTable(Date.now);
      const made = await makeStoredSuite(table);
      const ids = [randomUUID(), randomUUID(), randomUUID()];
      for (const [index, id] of ids.entries())
        await keyedOf(table, made).create(id, ['a', 'b', id][index] ?? '');
      const writers = acts.map((act) =>
        play(keyedOf(interleaved(table, scheduler), made), act, ids, randomUUID()),
      );
      await scheduler.waitFor(Promise.all(writers));
      expect(await faults(table, made)).toEqual([undefined, undefined]);
    },
  );
  await fc.assert(law, { numRuns: 100 });
});

test('one of two that want a key at once gets it, and the other learns that it is taken', async () => {
  const table = new MemoryTable(Date.now);
  const made = await makeStoredSuite(table);
  const outcomes = await Promise.all([1, 2].map(() => casesOf(table, made).create(randomUUID(), 'a')));
  expect(outcomes.filter((outcome) => outcome === 'key_taken')).toHaveLength(1);
});

test('a write whose answer got lost finds its own key, and succeeds', async () => {
  const table = new MemoryTable(Date.now);
  const made = await makeStoredSuite(table);
  const ids = [randomUUID(), randomUUID()];
  for (const keyed of [casesOf(table, made), scorersOf(table, made)]) {
    for (const id of ids) {
      const outcomes = [await keyed.create(id, `key-${id}`), await keyed.create(id, `key-${id}`)];
      expect(outcomes).not.toContain('key_taken');
      expect([await keyed.move(id, `new-${id}`), await keyed.move(id, `new-${id}`)]).not.toContain(
        'key_taken',
      );
    }
  }
  expect(await faults(table, made)).toEqual([undefined, undefined]);
});
