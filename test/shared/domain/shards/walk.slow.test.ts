import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { walkShard } from '../../../../shared/domain/shards/walk.ts';
import { positionStore } from '../../../../shared/storage/lists/positions.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';

const PAGE = 3;
const STEP_MS = 10_000;

const clock = { ms: Date.now() };
const now = () => clock.ms;
const memory = new MemoryTable(now);

const nameOf = (number: number): string => String(number).padStart(4, '0');

/** A list of names, of which each page takes ten seconds. */
function listOf(length: number) {
  const seen: string[] = [];
  const name = randomUUID();
  const positions = positionStore(memory, now);
  const page = async (after: string | null) => {
    const first = after === null ? 0 : Number(after) + 1;
    const items = Array.from({ length: Math.max(0, Math.min(PAGE, length - first)) }, (_, index) =>
      nameOf(first + index),
    );
    return { items, last: items.length < PAGE ? null : (items.at(-1) ?? null) };
  };
  const walk = async (workMs: number, dies = false) => {
    let pages = 0;
    const act = async (items: readonly string[]) => {
      if (dies && pages++ > workMs / STEP_MS / 2) throw new Error('killed');
      seen.push(...items);
      clock.ms += STEP_MS;
    };
    await walkShard({ positions, now }, { name, page, act, workMs }).catch(() => {});
  };
  return { seen, walk, name, positions };
}

test('walks that have too little time, or die, reach every item all the same, again and again', async () => {
  const lengths = fc.integer({ min: 0, max: 60 });
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 6, max: 30 }), fc.boolean(), async (length, pages, dies) => {
      const { seen, walk } = listOf(length);
      const all = Array.from({ length }, (_, number) => nameOf(number));
      for (let round = 0; round < 2; round++) {
        seen.length = 0;
        for (let walks = 0; walks < 12; walks++) await walk(pages * STEP_MS, dies && walks % 2 === 0);
        expect([...new Set(seen)].toSorted()).toEqual(all);
      }
    }),
    { numRuns: 25 },
  );
});

test('a list of one page needs no position, and a walk that came to the end begins again', async () => {
  const short = listOf(PAGE - 1);
  await short.walk(0);
  expect(await short.positions.at(short.name)).toBeNull();
  const long = listOf(4 * PAGE);
  await long.walk(2 * STEP_MS);
  expect(await long.positions.at(long.name)).toBe(nameOf(2 * PAGE - 1));
  await long.walk(10 * STEP_MS);
  expect(await long.positions.at(long.name)).toBeNull();
  expect(long.seen).toEqual(Array.from({ length: 4 * PAGE }, (_, number) => nameOf(number)));
});
