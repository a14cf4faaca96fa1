import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Changes, Requested } from '../../../../shared/domain/revisions/blocks.ts';
import { Current } from '../../../../shared/domain/revisions/current.ts';
import { type Edit, editChain } from '../../../../shared/domain/revisions/edit.ts';
import type { Chain } from '../../../../shared/domain/revisions/ports.ts';
import { revisionStore } from '../../../../shared/storage/revisions/revisions.ts';
import { suiteHeadKey } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { ACT } from '../../../support/revisions/edits.ts';

interface Row {
  readonly name: string;
}
interface Texts {
  readonly input: string;
}
/** The edits that are in force, in their order. */
interface Fields {
  readonly log: readonly number[];
}

const CHAIN: Chain = { kind: 'suite', orgId: 'o', id: 's', slug: 'gate', projectId: 'p' };

const storeOf = (table: Table) => revisionStore<Row, Texts, Fields>(table, { log: [] });

async function newTable(): Promise<MemoryTable> {
  const table = new MemoryTable(() => 0);
  await table.put({ ...suiteHeadKey('o', 'gate', 'p'), suite_id: 's', n: 0, token: '' });
  return table;
}

class Death extends Error {}

/**
 * As one process sees it: each write in the schedule's turn, none after the one at which it dies. Where the answer to an
 * update gets lost, the update is repeated some turns later: other edits may have come in between.
 */
function seenBy(table: MemoryTable, scheduler: fc.Scheduler, fate: Fate): Table {
  let writes = 0;
  const write = <T>(act: () => Promise<T>): Promise<T> =>
    scheduler.schedule(Promise.resolve()).then(async () => {
      if (++writes > fate.diesAfter) throw new Death();
      return act();
    });
  return Object.assign(Object.create(table) as Table, {
    get: table.get.bind(table),
    getMany: table.getMany.bind(table),
    put: (item: object) => write(() => table.put(item as never)),
    update: (update: never) =>
      write(async () => {
        const answer = await table.update(update);
        for (let turn = 0; fate.losesAnswer && turn < TURNS_LATE; turn++)
          await scheduler.schedule(Promise.resolve());
        return fate.losesAnswer ? table.update(update) : answer;
      }),
  });
}

/** Enough for another edit to be written and put in force. */
const TURNS_LATE = 30;

interface Fate {
  readonly diesAfter: number;
  readonly losesAnswer: boolean;
}

const wanted: fc.Arbitrary<Requested<Row, Texts>> = fc.record({
  row: fc.record({ name: fc.string({ maxLength: 2 }) }),
  texts: fc.nat(20_000).map((size) => ({ input: 'x'.repeat(size) })),
});

const drawn = fc.record({
  added: fc.array(wanted, { maxLength: 14 }),
  changed: fc.array(fc.tuple(fc.nat(20), fc.option(wanted, { nil: null })), { maxLength: 3 }),
  fate: fc.record({ diesAfter: fc.oneof(fc.constant(99), fc.nat(6)), losesAnswer: fc.boolean() }),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer D> ? D : never;

function changesOf({ added, changed }: Drawn, numbers: readonly number[], lastNumber: number) {
  const changes = new Map<number, Requested<Row, Texts> | null>();
  for (const [at, one] of changed) {
    const number = numbers[at % Math.max(1, numbers.length)];
    if (number !== undefined) changes.set(number, one);
  }
  for (const [at, one] of added.entries()) changes.set(lastNumber + at + 1, one);
  return changes;
}

const editOf =
  (one: Drawn, id: number): Edit<Row, Texts, Fields> =>
  async (present) => {
    const numbers = (await present.members()).map(({ number }) => number);
    const changes: Changes<Row, Texts> = changesOf(one, numbers, present.revision.lastNumber);
    return { act: ACT, fields: { log: [...present.revision.fields.log, id] }, changes, order: undefined };
  };

/** What the edits make of an empty chain, one after the other. */
function played(edits: readonly Drawn[], log: readonly number[]): Map<number, Requested<Row, Texts>> {
  const model = new Map<number, Requested<Row, Texts>>();
  let last = 0;
  for (const id of log) {
    const changes = changesOf(
      edits[id] as Drawn,
      [...model.keys()].toSorted((a, b) => a - b),
      last,
    );
    for (const [number, one] of changes) {
      last = Math.max(last, number);
      if (one === null) model.delete(number);
      else model.set(number, one);
    }
  }
  return new Map([...model].toSorted(([a], [b]) => a - b));
}

test('edits at once, any of which may die at any write, leave what those in force make one after the other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(drawn, { minLength: 1, maxLength: 5 }),
      fc.scheduler(),
      async (edits, scheduler) => {
        const table = await newTable();
        const ends = edits.map((one, id) =>
          editChain(
            {
              store: storeOf(seenBy(table, scheduler, one.fate)),
              by: null,
              newToken: () => `edit${id}`,
              now: () => 0,
              backoff: async () => {},
            },
            CHAIN,
            editOf(one, id),
          ).then(
            () => id,
            (error: unknown) => {
              if (!(error instanceof Death)) throw error;
              return undefined;
            },
          ),
        );
        const done = (await scheduler.waitFor(Promise.all(ends))).filter((id) => id !== undefined);
        const store = storeOf(table);
        const at = await store.position(CHAIN);
        const revision = await store.revision(CHAIN, at ?? { n: 0, token: '' });
        const { log } = revision.fields;
        expect([new Set(log).size, log.length]).toEqual([log.length, revision.n]);
        expect(done.filter((id) => !log.includes(id))).toEqual([]);
        const present = new Current(store, CHAIN, revision);
        const members = await present.members();
        const shown = await Promise.all(
          members.map(async ({ number, row }) => [
            number,
            { row, texts: (await present.texts([number])).get(number) },
          ]),
        );
        expect(shown).toEqual([...played(edits, log)]);
      },
    ),
  );
});
