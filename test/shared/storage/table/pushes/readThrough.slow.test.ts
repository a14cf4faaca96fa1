import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { projectHeadKey, suiteHeadKey } from '../../../../../shared/storage/table/keys.ts';
import { finishPush } from '../../../../../shared/storage/table/pushes/finishPush.ts';
import { type LoggedWrite, type PushLog, writeLog } from '../../../../../shared/storage/table/pushes/log.ts';
import { readThrough } from '../../../../../shared/storage/table/pushes/readThrough.ts';
import { underWay } from '../../../../../shared/storage/table/pushes/underWay.ts';
import type { Item, QueryRange, Table } from '../../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { sized } from '../../../../support/soak.ts';

const AT = '2026-05-05T10:00:00.000Z';
const ID = '0b9c1c1e-1f6c-4d8e-9b0a-0a4f5b7c2d1';
const PARTITIONS = ['A', 'B'];
const NAMES = ['C#1', 'C#1#x', 'C#2', 'C#3', 'D#1', 'D#2', 'E'];
const KEYS = PARTITIONS.flatMap((pk) => NAMES.map((sk) => ({ pk, sk })));

const ids = fc.array(
  fc.integer({ min: 0, max: 9 }).map((n) => `${ID}${n}`),
  { maxLength: 3 },
);
const fields = fc.record({ version: fc.constantFrom(1, 2), text: fc.string({ maxLength: 3 }) });

/** Of each item the log says at most one thing, and what it changes it has read. */
const drawn = fc.record({
  present: fc
    .subarray(KEYS)
    .chain((keys) => fc.tuple(...keys.map((at) => fields.map((rest): Item => ({ ...at, ...rest }))))),
  writes: fc.shuffledSubarray(KEYS).chain((keys) =>
    fc.tuple(
      ...keys.map((at) =>
        fc.record({
          at: fc.constant(at),
          kind: fc.constantFrom('change', 'put', 'block', 'hide', 'drop'),
          fields,
          ids,
        }),
      ),
    ),
  ),
  groups: fc.integer({ min: 1, max: 4 }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

function logOf({ present, writes, groups }: Drawn): PushLog {
  const version = new Map(present.map((item) => [`${item.pk} ${item.sk}`, Number(item.version)]));
  const changed: { item: Item; version: number }[] = [];
  const all: LoggedWrite[] = [];
  for (const { at, kind, fields: rest, ids: own } of writes) {
    const read = version.get(`${at.pk} ${at.sk}`);
    if (kind === 'change' && read !== undefined)
      changed.push({ item: { ...at, ...rest, version: read + 1 }, version: read });
    else if (kind === 'block') all.push({ block: at, ids: own });
    else if (kind === 'hide' && read !== undefined) all.push({ hide: at });
    else if (kind === 'drop') all.push({ drop: at });
    else all.push({ put: { ...at, ...rest } });
  }
  const size = Math.max(1, Math.ceil(all.length / groups));
  const divided = Array.from({ length: groups }, (_, index) => all.slice(index * size, (index + 1) * size));
  return { at: AT, changed, groups: divided };
}

const range: fc.Arbitrary<QueryRange> = fc
  .tuple(
    fc.constantFrom(...PARTITIONS),
    fc.oneof(
      fc.constant({}),
      fc.constantFrom('C#', 'C#1', 'D#', 'x').map((prefix) => ({ prefix })),
      fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...NAMES)).map((both) => {
        const [from = '', to = ''] = both.toSorted();
        return { between: [from, to] as const };
      }),
    ),
  )
  .map(([pk, rest]) => ({ pk, ...rest }));

/** What each way of reading says. */
async function everything(table: Table, ranges: readonly QueryRange[]): Promise<unknown> {
  const slim = ({ pk, sk, text }: Item): Item => ({ pk, sk, text });
  const answers = [
    await Promise.all(KEYS.map((at) => table.get(at))),
    await table.getMany([...KEYS, ...KEYS.slice(0, 2)]),
    await Promise.all(ranges.map((one) => table.query(one))),
    await Promise.all(ranges.map((one) => table.query(one, { slim }))),
  ];
  return JSON.parse(JSON.stringify(answers));
}

const PUSH = {
  ...{ id: 'p', org_id: 'o', suite_id: 's', suite_slug: 'suite', project_id: 'q', project_slug: 'project' },
};

/** Puts the push in force. */
async function begin(table: Table, log: PushLog): Promise<void> {
  await writeLog(table, { orgId: 'o', suiteId: 's', pushId: 'p' }, log);
  for (const head of [suiteHeadKey('o', 'suite', 'q'), projectHeadKey('o', 'project')])
    await table.put({ ...head, ...underWay(PUSH) });
}

async function tableWith(present: readonly Item[]): Promise<MemoryTable> {
  const table = new MemoryTable(() => Date.parse(AT));
  for (const item of present) await table.put(item);
  return table;
}

test('reading through any log is reading what it says once it is written out', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, fc.array(range, { minLength: 1, maxLength: 4 }), async (all, ranges) => {
      const log = logOf(all);
      const table = await tableWith(all.present);
      const before = await everything(table, ranges);
      const through = await everything(readThrough(table, log), ranges);
      expect(await everything(table, ranges)).toEqual(before);
      await begin(table, log);
      await finishPush(table, PUSH);
      expect(through).toEqual(await everything(table, ranges));
    }),
    { numRuns: sized(150, 500) },
  );
});

test('reading through a log says the same when any part of it is written, once or twice', async () => {
  await fc.assert(
    fc.asyncProperty(drawn, fc.nat(), async (all, count) => {
      const log = logOf(all);
      const ranges = PARTITIONS.map((pk) => ({ pk }));
      const table = await tableWith(all.present);
      const through = await everything(readThrough(table, log), ranges);
      const changed = log.changed.slice(0, count % (log.changed.length + 1));
      const groups = log.groups.slice(0, count % (log.groups.length + 1));
      for (let times = 1; times <= 2; times++) {
        await begin(table, { ...log, changed, groups });
        await finishPush(table, PUSH);
        expect(await everything(readThrough(table, log), ranges)).toEqual(through);
      }
    }),
    { numRuns: sized(60, 200) },
  );
});
