import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Item, Table, Write } from '../../shared/storage/table/table.ts';
import { MemoryTable } from '../support/memory/memoryTable.ts';
import { type EngineTable, startEngineTable } from '../support/ownService.ts';
import { sized } from '../support/soak.ts';

const PKS = ['A', 'B'];
const SKS = ['1', '10', '2', '2#a', 'é'];
let wire: EngineTable;

beforeAll(async () => {
  wire = await startEngineTable(() => 0);
});

afterAll(() => wire.stop());

const key = fc.record({ pk: fc.constantFrom(...PKS), sk: fc.constantFrom(...SKS) });
const scalar = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'a', 'ab', 'é', null, true));
const value = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y'), scalar, { maxKeys: 2 }),
  fc.uint8Array({ minLength: 1, maxLength: 2 }),
  fc.uniqueArray(fc.integer({ min: 0, max: 3 }), { minLength: 1 }).map((numbers) => new Set(numbers)),
);
const fields = fc.record(
  {
    n: fc.integer({ min: -3, max: 3 }),
    v: value,
    l: fc.array(scalar, { maxLength: 3 }),
    m: fc.constant({ x: 1 }),
  },
  { requiredKeys: [] },
);

const CONDITIONS = [
  'attribute_exists(pk)',
  'attribute_not_exists(v) OR v = :v',
  'v <> :v AND NOT n < :n',
  'n <= :n OR (n > :n AND attribute_exists(l))',
  'n BETWEEN :n AND :n2',
  'n IN (:n, :n2) OR v = :v',
  'size(l) >= :n',
  'contains(v, :v) OR begins_with(v, :s)',
  'attribute_type(v, :type) OR m.x = :n',
  'l[1] = :v',
  '#f.x = :n AND attribute_not_exists(#f.y)',
];
const UPDATES = [
  'SET n = :n',
  'SET n = if_not_exists(n, :n) + :n2, v = :v',
  'ADD n :n2',
  'ADD s :set',
  'DELETE s :set',
  'SET l = list_append(if_not_exists(l, :none), :some)',
  'SET v = :v REMOVE m, n',
  'REMOVE v SET #f = :map',
];

const VALUES: Item = {
  ':s': 'a',
  ':type': 'S',
  ':set': new Set([1, 2]),
  ':none': [],
  ':some': ['z'],
  ':map': {},
};

/** Only placeholders of the expressions: the engine refuses others. */
function placeholders(texts: readonly (string | undefined)[], drawn: Item) {
  const text = texts.filter((one) => one !== undefined).join(' ');
  const named = Object.entries({ ...VALUES, ...drawn }).filter(([name]) =>
    new RegExp(`${name}(?!\\w)`).test(text),
  );
  return {
    ...(named.length > 0 && { ExpressionAttributeValues: Object.fromEntries(named) }),
    ...(text.includes('#f') && { ExpressionAttributeNames: { '#f': 'm' } }),
  };
}

const drawnValues = fc.record({
  ':n': fc.integer({ min: -3, max: 3 }),
  ':n2': fc.integer({ min: -3, max: 3 }),
  ':v': value,
});
const condition = fc.constantFrom(...CONDITIONS);

const write: fc.Arbitrary<Write> = fc
  .record({
    key,
    fields,
    condition,
    update: fc.constantFrom(...UPDATES),
    drawn: drawnValues,
    kind: fc.nat(3),
  })
  .map(
    ({ key: Key, fields: more, condition: ConditionExpression, update: UpdateExpression, drawn, kind }) => {
      const conditional = { ConditionExpression, ...placeholders([ConditionExpression], drawn) };
      if (kind === 0) return { Put: { Item: { ...more, ...Key }, ...conditional } };
      if (kind === 1) return { Delete: { Key, ...conditional } };
      if (kind === 2) return { ConditionCheck: { Key, ...conditional } };
      const named = placeholders([ConditionExpression, UpdateExpression], drawn);
      return { Update: { Key, ConditionExpression, UpdateExpression, ...named } };
    },
  );

type Step = (table: Table) => Promise<unknown>;
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ key, fields }).map(
    ({ key: at, fields: more }): Step =>
      (table) =>
        table.put({ ...more, ...at }),
  ),
  fc.record({ key, fields }).map(
    ({ key: at, fields: more }): Step =>
      (table) =>
        table.putIfAbsent({ ...more, ...at }),
  ),
  fc.uniqueArray(key, { minLength: 1, selector: ({ pk, sk }) => pk + sk }).map(
    (keys): Step =>
      (table) =>
        table.getMany(keys),
  ),
  fc
    .record({
      pk: fc.constantFrom(...PKS),
      prefix: fc.constantFrom('', '1', '2'),
      newestFirst: fc.boolean(),
      limit: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
    })
    .map(
      ({ pk, prefix, newestFirst, limit }): Step =>
        (table) =>
          table.query({ pk, prefix }, { newestFirst, ...(limit !== undefined && { limit }) }),
    ),
  fc.constantFrom(...PKS).map(
    (pk): Step =>
      (table) =>
        table.query({ pk, between: ['1', '2'] }),
  ),
  fc.uniqueArray(write, { minLength: 1, maxLength: 3, selector: placeOf }).map(
    (writes): Step =>
      async (table) => {
        const named = Object.fromEntries(writes.map((one, index) => [`w${index}`, one]));
        const outcome = await table.transact<string>(named);
        return outcome.committed ? outcome : [...outcome.failed];
      },
  ),
  write
    .filter(({ Update }) => Update !== undefined)
    .map(
      ({ Update }): Step =>
        (table) =>
          table.update(Update as Parameters<Table['update']>[0]),
    ),
);

function placeOf({ Put, Update, Delete, ConditionCheck }: Write): string {
  const { pk, sk } = (Put?.Item ?? Update?.Key ?? Delete?.Key ?? ConditionCheck?.Key ?? {}) as Item;
  return `${pk} ${sk}`;
}

const REFUSED = Symbol('refused');

const answered = (table: Table, act: Step): Promise<unknown> => act(table).catch(() => REFUSED);

test('the engine in memory answers every write and read like the embedded one', async () => {
  const onTheWire = wire.table;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const item of await wire.items()) {
        const at = { pk: String(item.pk), sk: String(item.sk) };
        const isThere = { ConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': at.pk } };
        await onTheWire.delete(at, isThere);
      }
      const inMemory = new MemoryTable(() => 0);
      for (const act of steps) {
        const expected = await answered(onTheWire, act);
        // A refusal is a mistake in our code, which the seeds played on both engines would show.
        if (expected === REFUSED) return;
        expect(await answered(inMemory, act)).toEqual(expected);
      }
    }),
    { numRuns: sized(100, 300) },
  );
});

const texts = (count: number, bytes: number) => Array.from({ length: count }, () => 'x'.repeat(bytes));
const putsOf = (items: readonly string[]) =>
  Object.fromEntries(items.map((v, at) => [`w${at}`, { Put: { Item: { pk: 'S', sk: String(at), v } } }]));

test.each<[string, (table: Table, over: number) => Promise<unknown>]>([
  ['an item above 400 kB', (table, over) => table.put({ pk: 'S', sk: '0', v: 'x'.repeat(409_593 + over) })],
  ['a transaction above 4 MB', (table, over) => table.transact(putsOf(texts(11 + over, 381_000)))],
])('both engines refuse %s, and take a little less', async (_title, act) => {
  for (const table of [wire.table, new MemoryTable(() => 0)]) {
    await act(table, 0);
    await expect(act(table, 1)).rejects.toThrow();
  }
});
