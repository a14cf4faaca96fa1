import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendToList, readList, removeFromList } from '../../../../shared/storage/lists/lists.ts';
import { retryOnConflict } from '../../../../shared/storage/table/backoff.ts';
import { type Key, suiteList } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';

const NO_LIMIT = 1_000_000;

const memory = new MemoryTable(Date.now);
let list: Key;
beforeEach(() => {
  list = suiteList(randomUUID(), randomUUID());
});

const newIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const ids = () => readList(memory, list);

const append = async (id: string, limit = NO_LIMIT) =>
  (await memory.transact({ list: appendToList(list, id, limit) })).committed ? 'appended' : 'full';

const remove = (id: string) =>
  retryOnConflict(async () => {
    const write = removeFromList(list, await ids(), id);
    if (write === undefined) return 'not there';
    return (await memory.transact({ write })).committed ? 'removed' : undefined;
  });

async function filled(count: number): Promise<string[]> {
  const all = newIds(count);
  for (const id of all) await append(id);
  return all;
}

test('writers at once lose nothing and never pass the limit', async () => {
  const before = await filled(190);
  const added = newIds(30);
  const outcomes = await Promise.all(added.map((id) => append(id, 210)));
  const appended = added.filter((_, index) => outcomes[index] === 'appended');
  expect(appended).toHaveLength(20);
  const now = await ids();
  expect(now.slice(0, 190)).toEqual(before);
  expect(now.slice(190).toSorted()).toEqual(appended.toSorted());
});

test('removals and appends at once are all applied', async () => {
  const before = await filled(20);
  const gone = before.slice(5, 12);
  const added = newIds(10);
  await Promise.all([...gone.map(remove), ...added.map((id) => append(id))]);
  const left = before.filter((id) => !gone.includes(id));
  const now = await ids();
  expect(now.slice(0, left.length)).toEqual(left);
  expect(now.slice(left.length).toSorted()).toEqual(added.toSorted());
});

test('two removals of one id: one of them did it', async () => {
  const [id = ''] = await filled(3);
  const outcomes = await Promise.all([remove(id), remove(id)]);
  expect(outcomes.toSorted()).toEqual(['not there', 'removed']);
});

test('any sequence of appends and removals gives the same list as on an array, up to its limit', async () => {
  const step = fc.oneof(fc.constant('append' as const), fc.record({ removeAt: fc.nat({ max: 60 }) }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      async (steps, limit) => {
        list = suiteList(randomUUID(), randomUUID());
        const model: string[] = [];
        for (const action of steps) {
          if (action === 'append') {
            const id = randomUUID();
            expect(await append(id, limit)).toBe(model.length < limit ? 'appended' : 'full');
            if (model.length < limit) model.push(id);
          } else if (model.length > 0) {
            const [id = ''] = model.splice(action.removeAt % model.length, 1);
            await remove(id);
          }
          expect(await ids()).toEqual(model);
        }
      },
    ),
    { numRuns: 15 },
  );
});
