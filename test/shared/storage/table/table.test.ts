import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { putNew, softDelete } from '../../../../shared/storage/table/documents.ts';
import { type Key, TTL } from '../../../../shared/storage/table/keys.ts';
import { type EngineTable, startEngineTable } from '../../../support/ownService.ts';

let now = Date.parse('2026-05-05T10:00:00.500Z');
let own: EngineTable;
beforeAll(async () => {
  own = await startEngineTable(() => now);
});
afterAll(() => own.stop());

let pk: string;
beforeEach(() => {
  pk = `TEST#${randomUUID()}`;
});
const key = (sk: string): Key => ({ pk, sk });
const isThere = { ConditionExpression: 'attribute_exists(pk)' };

test('transact writes all or nothing, and names the failed conditions, with the items as they are', async () => {
  await own.table.put({ ...key('taken'), owner: 'first', tags: ['x'] });
  await own.table.put({ ...key('there') });
  const outcome = await own.table.transact({
    free: putNew(key('free'), { owner: 'second' }),
    taken: putNew(key('taken'), { owner: 'second' }),
    missing: { ConditionCheck: { Key: key('missing'), ...isThere } },
    there: { ConditionCheck: { Key: key('there'), ...isThere } },
  });
  expect(outcome).toEqual({
    committed: false,
    failed: new Map([
      ['taken', { ...key('taken'), owner: 'first', tags: ['x'] }],
      ['missing', undefined],
    ]),
  });
  expect(await own.table.get(key('free'))).toBeUndefined();
  expect(await own.table.get(key('taken'))).toMatchObject({ owner: 'first' });
});

test('transact whose conditions hold commits everything', async () => {
  const outcome = await own.table.transact({
    a: putNew(key('a'), { n: 1 }),
    b: putNew(key('b'), { n: 2 }),
  });
  expect(outcome).toEqual({ committed: true });
  expect(await own.table.query({ pk })).toEqual([
    { ...key('a'), n: 1 },
    { ...key('b'), n: 2 },
  ]);
});

test('a transaction of 100 writes, the most there may be', async () => {
  const writes = Array.from({ length: 100 }, (_, n) => [
    `w${n}`,
    putNew(key(`${n}`.padStart(3, '0')), { n }),
  ]);
  expect(await own.table.transact(Object.fromEntries(writes))).toEqual({ committed: true });
  expect(await own.table.query({ pk })).toHaveLength(100);
});

test('an error that is no failed condition is thrown, not answered', async () => {
  const write = { Put: { Item: { ...key('a') }, ConditionExpression: 'this is no expression' } };
  await expect(own.table.transact({ write })).rejects.toThrow();
});

test('writers that count up one item in transactions at once lose no count', async () => {
  await own.table.put({ ...key('counter'), n: 0 });
  const add = {
    Update: {
      Key: key('counter'),
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': 1 },
    },
  };
  const outcomes = await Promise.all(Array.from({ length: 40 }, () => own.table.transact({ add })));
  expect(outcomes.every(({ committed }) => committed)).toBe(true);
  expect(await own.table.get(key('counter'))).toMatchObject({ n: 40 });
});

test('putIfAbsent lets the first win', async () => {
  const outcomes = await Promise.all([1, 2, 3].map((n) => own.table.putIfAbsent({ ...key('a'), n })));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await own.table.get(key('a'))).toMatchObject({ n: outcomes.indexOf(true) + 1 });
});

const readings: [string, (sk: string) => Promise<unknown>][] = [
  ['get', (sk) => own.table.get(key(sk))],
  ['getMany', async (sk) => (await own.table.getMany([key(sk)]))[0]],
  ['query', async (sk) => (await own.table.query({ pk, prefix: sk }))[0]],
  ['query between', async (sk) => (await own.table.query({ pk, between: [sk, sk] }))[0]],
];

test.each(readings)('%s does not return deleted items', async (_name, read) => {
  await own.table.put({ ...key('a'), n: 1 });
  expect(await read('a')).toMatchObject({ n: 1 });
  const deletion = softDelete(key('a'), new Date(now).toISOString());
  expect(await own.table.transact({ deletion })).toEqual({ committed: true });
  expect(await read('a')).toBeUndefined();
  expect(await own.table.transact({ deletion })).toMatchObject({ committed: false });
});

test.each(readings)('%s does not return items from the moment they expire', async (_name, read) => {
  const start = now;
  await own.table.put({ ...key('a'), [TTL]: Math.floor(start / 1_000) + 60 });
  expect(await read('a')).toBeDefined();
  now = Math.floor(start / 1_000) * 1_000 + 59_999;
  expect(await read('a')).toBeDefined();
  now += 1;
  expect(await read('a')).toBeUndefined();
  now = start;
});

test('getMany answers in the requested order, repeats and all, beyond a batch of 100', async () => {
  await Promise.all(Array.from({ length: 130 }, (_, n) => own.table.put({ ...key(`k${n}`), n })));
  const asked = Array.from({ length: 250 }, (_, n) => (n * 37) % 200);
  const items = await own.table.getMany(asked.map((n) => key(`k${n}`)));
  expect(items.map((item) => item?.n)).toEqual(asked.map((n) => (n < 130 ? n : undefined)));
});

test('query reads on beyond the megabyte that one answer holds', async () => {
  const filler = 'x'.repeat(200_000);
  const numbers = Array.from({ length: 12 }, (_, n) => n);
  await Promise.all(numbers.map((n) => own.table.put({ ...key(`k${10 + n}`), n, filler })));
  expect((await own.table.query({ pk })).map(({ n }) => n)).toEqual(numbers);
  const newest = await own.table.query({ pk }, { newestFirst: true });
  expect(newest.map(({ n }) => n)).toEqual(numbers.toReversed());
});

test('`consumed` grows by the units of each read and write', async () => {
  const before = own.table.consumed();
  await own.table.put({ ...key('a'), text: 'x'.repeat(3_000) });
  await own.table.get(key('a'));
  const after = own.table.consumed();
  expect({ read: after.read - before.read, write: after.write - before.write }).toEqual({
    read: 1,
    write: 3,
  });
});
