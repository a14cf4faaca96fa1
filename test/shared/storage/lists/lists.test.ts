import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { appendToList, idsOf, readList, removeFromList } from '../../../../shared/storage/lists/lists.ts';
import { retryOnConflict } from '../../../../shared/storage/table/backoff.ts';
import { uuidBytes } from '../../../../shared/storage/table/documents.ts';
import { type ListAddress, listBlockKey, suiteList } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';

const BLOCK = 200;
const NO_LIMIT = 1_000_000;

const memory = new MemoryTable(Date.now);
let list: ListAddress;
beforeEach(() => {
  list = suiteList(randomUUID(), randomUUID());
});

const newIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
const ids = async () => idsOf(await readList(memory, list));

const append = (added: readonly string[], limit = NO_LIMIT) =>
  retryOnConflict(async () => {
    const blocks = await readList(memory, list);
    if (idsOf(blocks).length + added.length > limit) return 'full';
    const { committed } = await memory.transact({ list: appendToList(list, blocks, added, limit) });
    return committed ? 'appended' : undefined;
  });

const remove = (id: string) =>
  retryOnConflict(async () => {
    const writes = removeFromList(list, await readList(memory, list), id);
    if (writes === undefined) return 'not there';
    return (await memory.transact(writes)).committed ? 'removed' : undefined;
  });

/** 450 ids: two full blocks and a third. */
async function filled(count = 450): Promise<string[]> {
  const all = newIds(count);
  for (let start = 0; start < count; start += 50) await append(all.slice(start, start + 50));
  return all;
}

/** Blocks as removals may have left them. */
async function lay(blocks: readonly (readonly string[])[]): Promise<void> {
  const numbered = blocks.map((block, index) => ({ number: index + 1, ids: block }));
  for (const { number, ids: own } of numbered) {
    await memory.put({ ...listBlockKey(list, number), ids: own.map(uuidBytes) });
  }
}

test('450 ids keep their order over the borders of blocks', async () => {
  const all = newIds(450);
  // One by one where a block ends, in larger steps elsewhere.
  for (let start = 0, step = 1; start < all.length; start += step) {
    step = start % BLOCK < 195 ? 65 : 1;
    await append(all.slice(start, start + step));
  }
  expect(await ids()).toEqual(all);
  expect((await readList(memory, list)).map((block) => block.ids.length)).toEqual([200, 200, 50]);
});

test.each([0, 1, 199, 200, 201, 399, 400, 449])(
  'removing the id at %d leaves the others in order',
  async (at) => {
    const all = await filled();
    expect(await remove(all[at] ?? '')).toBe('removed');
    expect(await ids()).toEqual(all.toSpliced(at, 1));
  },
);

test.each([
  ['first', 0],
  ['middle', 1],
  ['last', 2],
])(
  'the only id of the %s block takes the block with it, and appending goes on at the end',
  async (_which, block) => {
    const all = newIds(401);
    const blocks = [all.slice(0, 200), all.slice(200, 400), all.slice(400)];
    await lay([...blocks.slice(2 - block), ...blocks.slice(0, 2 - block)]);
    const before = await ids();
    const alone = all[400] ?? '';
    expect(await remove(alone)).toBe('removed');
    expect((await readList(memory, list)).map(({ ids: held }) => held.length)).toEqual([200, 200]);
    const [added = ''] = newIds(1);
    await append([added]);
    expect(await ids()).toEqual([...before.filter((id) => id !== alone), added]);
  },
);

test('a removal moves a block into the one beside it when both fit into one', async () => {
  const all = newIds(301);
  await lay([all.slice(0, 100), all.slice(100, 201), all.slice(201)]);
  await remove(all[150] ?? '');
  expect(await ids()).toEqual(all.toSpliced(150, 1));
  expect((await readList(memory, list)).map(({ ids: held }) => held.length)).toEqual([200, 100]);
  await remove(all[300] ?? '');
  await remove(all[0] ?? '');
  expect(await ids()).toEqual(all.toSpliced(150, 1).slice(1, -1));
});

test('after any removals two neighbouring blocks hold more than one block can', async () => {
  const sizes = fc.array(fc.integer({ min: 101, max: 200 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.array(fc.nat(), { maxLength: 25 }), async (lengths, picks) => {
      list = suiteList(randomUUID(), randomUUID());
      await lay(lengths.map(newIds));
      const model = await ids();
      for (const pick of picks) {
        const [id = ''] = model.splice(pick % model.length, 1);
        await remove(id);
      }
      const blocks = await readList(memory, list);
      expect(idsOf(blocks)).toEqual(model);
      for (const [index, block] of blocks.entries()) {
        const next = blocks[index + 1];
        if (next !== undefined) expect(block.ids.length + next.ids.length).toBeGreaterThan(BLOCK);
      }
    }),
    { numRuns: 10 },
  );
});

test('the limit is exact, also where it lies inside a block', async () => {
  const limit = 205;
  await filled(203);
  expect(await append(newIds(3), limit)).toBe('full');
  expect(await append(newIds(2), limit)).toBe('appended');
  expect(await append(newIds(1), limit)).toBe('full');
  await remove((await ids())[0] ?? '');
  expect(await append(newIds(1), limit)).toBe('appended');
  expect(await ids()).toHaveLength(limit);
});

test('writers at once lose nothing and never pass the limit', async () => {
  const before = await filled(190);
  const added = newIds(30);
  const outcomes = await Promise.all(added.map((id) => append([id], 210)));
  const appended = added.filter((_, index) => outcomes[index] === 'appended');
  expect(appended).toHaveLength(20);
  const now = await ids();
  expect(now.slice(0, 190)).toEqual(before);
  expect(now.slice(190).toSorted()).toEqual(appended.toSorted());
});

test('removals and appends at once are all applied', async () => {
  const before = await filled(202);
  const gone = before.slice(195, 202);
  const added = newIds(10);
  await Promise.all([...gone.map(remove), ...added.map((id) => append([id]))]);
  const left = before.slice(0, 195);
  const now = await ids();
  expect(now.slice(0, 195)).toEqual(left);
  expect(now.slice(195).toSorted()).toEqual(added.toSorted());
});

test.each([
  ['append', () => append(newIds(1))],
  ['removal', async () => remove((await ids())[200] ?? '')],
])('a merge that was planned before an %s is refused', async (_what, change) => {
  const all = newIds(201);
  await lay([all.slice(0, 100), all.slice(100)]);
  const merge = removeFromList(list, await readList(memory, list), all[150] ?? '') ?? {};
  expect(Object.keys(merge)).toHaveLength(2);
  await change();
  const before = await ids();
  expect((await memory.transact(merge)).committed).toBe(false);
  expect(await ids()).toEqual(before);
});

test('an append that was planned before its block was merged is refused', async () => {
  const all = newIds(201);
  await lay([all.slice(0, 100), all.slice(100)]);
  const late = appendToList(list, await readList(memory, list), newIds(1), NO_LIMIT);
  await remove(all[150] ?? '');
  expect((await memory.transact({ late })).committed).toBe(false);
  expect(await ids()).toEqual(all.toSpliced(150, 1));
});

test('two removals of one id: one of them did it', async () => {
  const [id = ''] = await filled(3);
  const outcomes = await Promise.all([remove(id), remove(id)]);
  expect(outcomes.toSorted()).toEqual(['not there', 'removed']);
});

test('any sequence of appends and removals gives the same list as on an array', async () => {
  const step = fc.oneof(
    fc.record({ append: fc.integer({ min: 1, max: 150 }) }),
    fc.record({ removeAt: fc.nat({ max: 600 }), times: fc.integer({ min: 1, max: 8 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 10 }), async (steps) => {
      list = suiteList(randomUUID(), randomUUID());
      const model: string[] = [];
      for (const action of steps) {
        if ('append' in action) {
          const added = newIds(action.append);
          await append(added);
          model.push(...added);
        } else {
          for (let time = 0; time < action.times && model.length > 0; time++) {
            const [id = ''] = model.splice(action.removeAt % model.length, 1);
            await remove(id);
          }
        }
        expect(await ids()).toEqual(model);
      }
    }),
    { numRuns: 15 },
  );
});
