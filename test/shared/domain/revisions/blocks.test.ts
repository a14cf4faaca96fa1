import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type Block,
  type Changes,
  isNew,
  type Member,
  membersIn,
  placeOf,
  type Requested,
  recut,
  touchedBy,
} from '../../../../shared/domain/revisions/blocks.ts';

type Row = { readonly name: string };
type Texts = { readonly input: string };
type Wish = Requested<Row, Texts>;
/** What is stored, by the names of the items. */
interface Stored {
  readonly rows: Map<string, readonly Member<Row>[]>;
  readonly texts: Map<string, ReadonlyMap<number, Texts>>;
}

const bytesOf = (texts: Texts): number => JSON.stringify(texts).length;

function apply(
  stored: Stored,
  blocks: readonly Block[],
  changes: Changes<Row, Texts>,
  { edit, last }: { edit: number; last: number },
): Block[] {
  const old = [...changes.keys()].filter((number) => number <= last);
  const touched = touchedBy(blocks, {
    changed: old.filter((number) => changes.get(number) !== null),
    deleted: old.filter((number) => changes.get(number) === null),
    isAdding: old.length < changes.size,
  });
  const read = new Map(
    [...touched].map((place) => [place, stored.rows.get(blocks[place]?.rows ?? '') ?? []]),
  );
  return recut(blocks, changes, read, edit).map((block, at) => {
    if (!isNew(block)) return block;
    const name = `${edit}.${at}`;
    stored.rows.set(name, block.members);
    const { members, bytes, sameTexts } = block;
    if (sameTexts === undefined) {
      const texts = members.map(({ number, texts: of }): [number, Texts] => [
        number,
        'from' in of ? (stored.texts.get(of.from.texts)?.get(number) as Texts) : of.value,
      ]);
      stored.texts.set(name, new Map(texts));
    }
    const first = members[0]?.number ?? 0;
    return {
      rows: name,
      texts: sameTexts?.texts ?? name,
      parts: 1,
      since: edit,
      first,
      count: members.length,
      bytes,
    };
  });
}

const wish = (max: number): fc.Arbitrary<Wish> =>
  fc.record(
    {
      row: fc.record({ name: fc.string({ maxLength: 3 }) }),
      texts: fc.nat(max).map((size) => ({ input: 'x'.repeat(size) })),
    },
    { requiredKeys: ['row'] },
  );

/** Of one edit: how many members it adds, and which of the present ones, by place, it changes or deletes. */
const edit = fc.record({
  added: fc.array(wish(30_000), { maxLength: 30 }),
  changed: fc.array(fc.tuple(fc.nat(99), wish(60_000)), { maxLength: 4 }),
  deleted: fc.array(fc.nat(99), { maxLength: 6 }),
  back: fc.array(fc.nat(99), { maxLength: 3 }),
});

test('any edits, also such that bring members back, leave what an array of members would hold, in blocks within their bounds', () => {
  fc.assert(
    fc.property(fc.array(edit, { minLength: 1, maxLength: 12 }), (edits) => {
      const stored: Stored = { rows: new Map(), texts: new Map() };
      const model = new Map<number, Required<Wish>>();
      let blocks: Block[] = [];
      let last = 0;
      for (const [at, { added, changed, deleted, back }] of edits.entries()) {
        const before = last;
        const numbers = [...model.keys()];
        const changes = new Map<number, Wish | null>();
        for (const [place, wanted] of changed) {
          const number = numbers[place % Math.max(1, numbers.length)];
          if (number !== undefined) changes.set(number, wanted);
        }
        for (const place of deleted) {
          const number = numbers[place % Math.max(1, numbers.length)];
          if (number !== undefined) changes.set(number, null);
        }
        const gone = Array.from({ length: last }, (_, index) => index + 1).filter((one) => !model.has(one));
        for (const place of back) {
          const number = gone[place % Math.max(1, gone.length)];
          if (number !== undefined) changes.set(number, { row: { name: 'b' }, texts: { input: 'back' } });
        }
        for (const wanted of added) changes.set(++last, { texts: { input: '' }, ...wanted });
        for (const [number, wanted] of changes) {
          if (wanted === null) model.delete(number);
          else model.set(number, { texts: model.get(number)?.texts ?? { input: '' }, ...wanted });
        }
        blocks = apply(stored, blocks, changes, { edit: at, last: before });
        const members = blocks.flatMap(({ rows }) => stored.rows.get(rows) ?? []);
        const texts = blocks.flatMap((block) => [...(stored.texts.get(block.texts) ?? [])]);
        const inOrder = [...model].toSorted(([a], [b]) => a - b);
        expect(members.map(({ number, row }) => [number, row])).toEqual(
          inOrder.map(([number, one]) => [number, one.row]),
        );
        expect(texts).toEqual(inOrder.map(([number, one]) => [number, one.texts]));
        expect(members.map(({ bytes }) => bytes)).toEqual(inOrder.map(([, one]) => bytesOf(one.texts)));
        expect(membersIn(blocks)).toBe(model.size);
        for (const { first, count, bytes, rows } of blocks) {
          const own = stored.rows.get(rows) ?? [];
          expect([own[0]?.number, own.length]).toEqual([first, count]);
          expect(own.reduce((sum, one) => sum + one.bytes, 0)).toBe(bytes);
          expect(count === 1 || (count <= 12 && bytes <= 48_000)).toBe(true);
        }
        for (const { number } of members) {
          const block = blocks[placeOf(blocks, number)];
          expect(stored.rows.get(block?.rows ?? '')?.some((one) => one.number === number)).toBe(true);
        }
      }
    }),
  );
});
