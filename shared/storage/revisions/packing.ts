import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Block, Member } from '../../domain/revisions/blocks.ts';
import { differences, fromDifferences } from '../../domain/revisions/order.ts';
import type { Revision } from '../../domain/revisions/ports.ts';
import { COMPRESSION } from '../table/blobs.ts';
import type { Sized } from './byName.ts';

/** The first byte of everything that is packed. Readers refuse another format. */
const FORMAT = 1;

const pack = (value: unknown): Buffer =>
  Buffer.concat([Buffer.of(FORMAT), zstdCompressSync(Buffer.from(JSON.stringify(value)), COMPRESSION)]);

/** With its size as JSON: what compresses a thousandfold takes a thousand times the memory. */
function unpack(bytes: Uint8Array): Sized<unknown> {
  if (bytes[0] !== FORMAT) throw new Error(`Stored in a format that this version does not know: ${bytes[0]}`);
  const json = zstdDecompressSync(bytes.subarray(1));
  return { value: JSON.parse(json.toString()), size: json.length };
}

/** Field by field, so that equal values are next to each other and compress well. A field that one lacks is null. */
interface Columns {
  readonly count: number;
  readonly fields: Readonly<Record<string, readonly unknown[]>>;
}

const columnsOf = (objects: readonly object[]): Columns => ({
  count: objects.length,
  fields: Object.fromEntries(
    [...new Set(objects.flatMap(Object.keys))].map((name) => [
      name,
      objects.map((one) => Reflect.get(one, name)),
    ]),
  ),
});

const objectsOf = <T>({ count, fields }: Columns): T[] =>
  Array.from(
    { length: count },
    (_, index) =>
      Object.fromEntries(Object.entries(fields).map(([name, values]) => [name, values[index]])) as T,
  );

interface Rows {
  readonly numbers: readonly number[];
  readonly bytes: readonly number[];
  readonly since: readonly number[];
  readonly rows: Columns;
}

export const packRows = (members: readonly Member<object>[]): Buffer =>
  pack({
    numbers: members.map(({ number }) => number),
    bytes: members.map(({ bytes }) => bytes),
    since: members.map(({ since }) => since),
    rows: columnsOf(members.map(({ row }) => row)),
  } satisfies Rows);

export function unpackRows<Row>(packed: Uint8Array): Sized<Member<Row>[]> {
  const { value, size } = unpack(packed);
  const { numbers, bytes, since, rows } = value as Rows;
  const all = objectsOf<Row>(rows).entries();
  const members = Array.from(all, ([index, row]) => ({
    number: Number(numbers[index]),
    bytes: Number(bytes[index]),
    since: Number(since[index]),
    row,
  }));
  return { value: members, size };
}

export const packTexts = (texts: ReadonlyMap<number, object>): Buffer =>
  pack({ numbers: [...texts.keys()], texts: columnsOf([...texts.values()]) });

export function unpackTexts<Texts>(packed: Uint8Array): Sized<Map<number, Texts>> {
  const { value, size } = unpack(packed);
  const { numbers, texts } = value as { numbers: number[]; texts: Columns };
  return { value: new Map(objectsOf<Texts>(texts).map((one, index) => [Number(numbers[index]), one])), size };
}

interface PackedRevision<Fields> extends Omit<Revision<Fields>, 'blocks' | 'order'> {
  readonly blocks: Columns;
  /** The order as differences. */
  readonly steps: readonly number[] | null;
}

export const packRevision = <Fields>({ blocks, order, ...rest }: Revision<Fields>): Buffer =>
  pack({
    ...rest,
    blocks: columnsOf(blocks),
    steps: order === undefined ? null : differences(order),
  } satisfies PackedRevision<Fields>);

export function unpackRevision<Fields>(packed: Uint8Array): Sized<Revision<Fields>> {
  const { value, size } = unpack(packed);
  const { blocks, steps, ...rest } = value as PackedRevision<Fields>;
  const order = steps === null ? undefined : fromDifferences(steps);
  return { value: { ...rest, blocks: objectsOf<Block>(blocks), order }, size };
}
