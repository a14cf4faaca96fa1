import { randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import { CASES_MAX, type EvalCase } from '../../../../shared/contracts/cases.ts';
import { LIMIT } from '../../../../shared/domain/limits.ts';
import type { StoredSuite } from '../../../../shared/domain/suites/ports.ts';
import { reorderList } from '../../../../shared/storage/lists/lists.ts';
import { caseStore } from '../../../../shared/storage/suites/cases.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { loadSuite } from '../../../../shared/storage/suites/suiteToRun.ts';
import { chunksOf } from '../../../../shared/storage/table/batches.ts';
import { caseList } from '../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { makeStoredSuite, storedCase } from '../stored.ts';

const memory = new MemoryTable(Date.now);
let orgId: string;
let suite: StoredSuite;
beforeEach(async () => {
  ({ orgId, suite } = await makeStoredSuite(memory));
});

const AT = '2026-05-05T10:00:00.000Z';
const create = (fields: Partial<EvalCase> = {}) =>
  caseStore(memory).create(orgId, suite, storedCase(suite, fields));

/** An object whose JSON text takes 256 kB. */
const large = (letter: string) => ({ text: letter.repeat(262_144 - '{"text":""}'.length) });

/** How the case is seen by id, in a page and by a run. */
async function seen(id: string) {
  const cases = caseStore(memory);
  const [byId, page, loaded] = await Promise.all([
    cases.find(orgId, suite.id, id),
    cases.page(orgId, suite.id, { page: 1, pageSize: 100 }),
    suiteStore(memory).load(orgId, suite.id),
  ]);
  const inPage = page.items.find((item) => item.id === id);
  expect(inPage).toStrictEqual(byId);
  expect(loaded?.cases.find((item) => item.id === id)?.expected).toStrictEqual(byId?.expected);
  return byId && { input: byId.input, expected: byId.expected };
}

test.each([
  ['small', 'small', { a: 1 }, { b: [1, null] }],
  ['256 kB', '256 kB', large('i'), large('e')],
  ['256 kB', 'small', large('i'), 'x'],
  ['small', '256 kB', {}, large('e')],
  ['256 kB', 'missing', large('i'), null],
])('a case with %s input and %s expected is kept whole', async (_input, _expected, input, expected) => {
  const created = await create({ input, expected });
  expect(created).toMatchObject({ sort_order: 0 });
  expect(await seen((created as { id: string }).id)).toStrictEqual({ input, expected });
});

test('expected may grow and shrink over the size of an item, in both directions and again', async () => {
  const { id } = (await create({ input: large('i'), expected: 'small' })) as { id: string };
  for (const expected of [large('e'), 'small again', large('f'), null, large('g'), large('h')]) {
    const changed = await caseStore(memory).update(orgId, suite, id, (found) => ({ ...found, expected }));
    expect((changed as EvalCase).expected).toStrictEqual(expected);
    expect(await seen(id)).toStrictEqual({ input: large('i'), expected });
  }
});

test.each([
  ['a name of Object', '{"__proto__":{"x":1},"constructor":2,"":[{}]}'],
  ['deep nesting', '['.repeat(60) + ']'.repeat(60)],
  ['numbers at their edges', '[1e-300,-0.5,9007199254740991,1.7976931348623157e308]'],
  ['an order of names', '{"b":1,"a":2,"10":3}'],
])('expected with %s comes back as JSON.parse gave it', async (_what, text) => {
  const { id } = (await create({ expected: JSON.parse(text) })) as { id: string };
  expect(JSON.stringify((await seen(id))?.expected)).toBe(JSON.stringify(JSON.parse(text)));
});

test('changes to different fields of one case at once are all kept', async () => {
  const { id } = (await create()) as { id: string };
  const change = (fields: object) =>
    caseStore(memory).update(orgId, suite, id, (found) => ({ ...found, ...fields }));
  await Promise.all([
    change({ name: 'New' }),
    change({ weight: 3 }),
    change({ threshold: 0.9 }),
    change({ expected: large('e'), input: large('i') }),
  ]);
  const found = await caseStore(memory).find(orgId, suite.id, id);
  expect(found).toMatchObject({ name: 'New', weight: 3, threshold: 0.9, expected: large('e') });
});

/** A list of so many ids without cases: the list is what counts. */
async function fillList(count: number, blockSize = 200): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID() as string);
  const blocks = chunksOf(ids, blockSize).map((block, index) => ({ number: index + 1, ids: block }));
  const writes = Object.entries(reorderList(caseList(orgId, suite.id), blocks, ids));
  for (const some of chunksOf(writes, 100)) await memory.transact<string>(Object.fromEntries(some));
  return ids;
}

test('a suite holds 10,000 cases and not one more, also when they come at once', async () => {
  expect(LIMIT.cases).toBe(CASES_MAX);
  await fillList(9_998);
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => create()));
  expect(outcomes.filter((outcome) => outcome === 'limit_reached')).toHaveLength(3);
  const orders = outcomes.flatMap((outcome) => (typeof outcome === 'object' ? [outcome.sort_order] : []));
  expect(orders.toSorted()).toEqual([9_998, 9_999]);
  const { total } = await caseStore(memory).page(orgId, suite.id, { page: 1, pageSize: 1 });
  expect(total).toBe(10_000);
  const made = outcomes.find((outcome) => typeof outcome === 'object');
  expect(await caseStore(memory).delete(orgId, suite, made?.id ?? '', AT)).toBe(true);
  expect(await create()).toMatchObject({ sort_order: 9_999 });
  expect(await create()).toBe('limit_reached');
});

test('new orders, new cases and deletions at once lose nothing and bring nothing back', async () => {
  const cases = caseStore(memory);
  const ids: string[] = [];
  for (let count = 0; count < 8; count++) ids.push(((await create()) as { id: string }).id);
  const doomed = ids.slice(0, 3);
  const reverse = () =>
    cases.reorder(orgId, suite, (current) => current.map((found) => found.id).toReversed());
  const [added] = await Promise.all([
    Promise.all(Array.from({ length: 5 }, () => create())),
    ...doomed.map((id) => cases.delete(orgId, suite, id, AT)),
    ...Array.from({ length: 4 }, reverse),
  ]);
  const expected = [...ids.slice(3), ...added.map((made) => (made as { id: string }).id)];
  const { items, total } = await cases.page(orgId, suite.id, { page: 1, pageSize: 100 });
  expect(total).toBe(10);
  expect(items.map(({ id }) => id).toSorted()).toEqual(expected.toSorted());
  expect(items.map(({ sort_order }) => sort_order)).toEqual([...items.keys()]);
});

test('a case of a suite that is gone is not made', async () => {
  await suiteStore(memory).delete(orgId, suite, AT);
  expect(await create()).toBe('parent_gone');
});

test('a deleted case is gone from find, page and run, and its large expected with it', async () => {
  const { id } = (await create({ input: large('i'), expected: large('e') })) as { id: string };
  expect(await caseStore(memory).delete(orgId, suite, id, AT)).toBe(true);
  expect(await seen(id)).toBeUndefined();
  expect(await caseStore(memory).suiteIdOf(orgId, id)).toBeUndefined();
  expect(await caseStore(memory).delete(orgId, suite, id, AT)).toBe(false);
});

test('10,000 cases in the most blocks that removals can leave are put into order in one transaction', async () => {
  const ids = Array.from({ length: 10_000 }, () => randomUUID() as string);
  // Two neighbours hold more than 200 together: 99 blocks.
  const sizes = Array.from({ length: 98 }, (_, index) => 100 + (index % 2)).concat(151);
  let start = 0;
  const blocks = sizes.map((size, index) => {
    start += size;
    return { number: index + 1, ids: ids.slice(start - size, start) };
  });
  expect(start).toBe(10_000);
  await memory.transact<string>(reorderList(caseList(orgId, suite.id), blocks, ids));
  expect(await caseStore(memory).reorder(orgId, suite, () => ids.toReversed())).toEqual([]);
  const { total } = await caseStore(memory).page(orgId, suite.id, { page: 1, pageSize: 1 });
  expect(total).toBe(10_000);
});

test('a suite that is too large for one function is loaded with all its cases, but without `expected`', async () => {
  const created = [
    await create({ expected: 'x'.repeat(400) }),
    await create({ input: large('i'), expected: large('e') }),
  ];
  const ids = created.map((one) => (one as { id: string }).id);
  const loaded = (expectedCharactersMax: number) =>
    loadSuite(memory, orgId, suite.id, { expectedCharactersMax });
  const [whole, cut] = await Promise.all([loaded(10_000_000), loaded(300)]);
  expect(whole).toMatchObject({ isTooLarge: false });
  expect(cut).toMatchObject({ isTooLarge: true });
  expect(cut?.cases).toEqual(whole?.cases.map((one) => ({ ...one, expected: null })));
  expect(cut?.cases.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

test('a suite with more to read than a request should is not read on, and says how many cases there may be', async () => {
  const ids = [await create({ is_active: false }), await create({ input: large('i') })];
  const loaded = (readBytesMax: number) => loadSuite(memory, orgId, suite.id, { readBytesMax });
  expect(await loaded(1_000_000)).toMatchObject({ isTooLarge: false, cases: [{ expected: null }] });
  expect(await loaded(200_000)).toMatchObject({ isTooLarge: true, cases: [], unread: ids.length });
});
