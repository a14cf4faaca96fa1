/**
 * How the members of a chain, a suite's cases or a project's scorers, lie in blocks. A block holds members of consecutive
 * sequence numbers and never changes: an edit writes those anew that it touches.
 */

import { fits, sizeOf, textBytes } from './sizes.ts';

/** A member without its texts. Its number never changes, and no other member ever has it. */
export interface Member<Row> {
  readonly number: number;
  readonly row: Row;
  /** Of its texts as JSON. */
  readonly bytes: number;
  /** The revision that made it what it is. */
  readonly since: number;
}

/** A block as a revision names it. */
export interface Block {
  /** The names of its two items. Rows that are written anew leave the texts where they are. */
  readonly rows: string;
  readonly texts: string;
  /** Of the texts' item. */
  readonly parts: number;
  /** The revision that first named the texts' item. */
  readonly since: number;
  /** The lowest number. */
  readonly first: number;
  readonly count: number;
  /** Of the texts as JSON. */
  readonly bytes: number;
}

/** A member as it is to be. Without texts they stay what they are. */
export interface Requested<Row, Texts> {
  readonly row: Row;
  readonly texts?: Texts;
}

/** By number; null for a member that is deleted. A number above all others is a new member. */
export type Changes<Row, Texts> = ReadonlyMap<number, Requested<Row, Texts> | null>;

export const membersIn = (blocks: readonly Block[]): number =>
  blocks.reduce((sum, { count }) => sum + count, 0);

/** The place of the block in which the number would lie; -1 before the first block. */
export function placeOf(blocks: readonly Pick<Block, 'first'>[], number: number): number {
  let [low, high] = [0, blocks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.first ?? 0) <= number) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * The places of the blocks whose rows an edit has to read: those of changed members, the last one if `isAdding`, and the
 * neighbour of one that loses members, if both fit into one block.
 */
export function touchedBy(
  blocks: readonly Block[],
  {
    changed,
    deleted,
    isAdding,
  }: { changed: readonly number[]; deleted: readonly number[]; isAdding: boolean },
): ReadonlySet<number> {
  const size = sizeOf(membersIn(blocks));
  const touched = new Set([...changed, ...deleted].map((number) => nearest(blocks, number)));
  const lost = Map.groupBy(deleted, (number) => placeOf(blocks, number));
  const left = (place: number): number => (blocks[place]?.count ?? 0) - (lost.get(place)?.length ?? 0);
  for (const place of lost.keys()) {
    const bytes = blocks[place]?.bytes ?? 0;
    const neighbour = [place - 1, place + 1].find((neighbourPlace) => {
      const other = blocks[neighbourPlace];
      return other !== undefined && fits(left(place) + left(neighbourPlace), bytes + other.bytes, size);
    });
    if (neighbour !== undefined) touched.add(neighbour);
  }
  const last = blocks.at(-1);
  if (isAdding && last !== undefined && fits(last.count + 1, last.bytes, size))
    touched.add(blocks.length - 1);
  return blocks.length === 0 ? new Set() : touched;
}

/** The place of the block in which the number lies, or would lie if it came back. */
const nearest = (blocks: readonly Pick<Block, 'first'>[], number: number): number =>
  Math.max(0, placeOf(blocks, number));

/** A member of a new block, with its new texts, or the block whose texts have them. */
interface Placed<Row, Texts> extends Member<Row> {
  readonly texts: { readonly value: Texts } | { readonly from: Block };
}

/** A block that is to be written; only its rows where the texts stay where they are. */
export interface NewBlock<Row, Texts> {
  readonly members: readonly Placed<Row, Texts>[];
  readonly bytes: number;
  readonly sameTexts: Block | undefined;
}

export const isNew = <Row, Texts>(block: Block | NewBlock<Row, Texts>): block is NewBlock<Row, Texts> =>
  'members' in block;

/** All blocks of revision `n`, in order. `read`: by place, the members of the touched blocks. */
export function recut<Row, Texts>(
  blocks: readonly Block[],
  changes: Changes<Row, Texts>,
  read: ReadonlyMap<number, readonly Member<Row>[]>,
  n: number,
): readonly (Block | NewBlock<Row, Texts>)[] {
  const known = new Set([...read.values()].flatMap((members) => members.map(({ number }) => number)));
  const added = [...changes].filter(([number]) => !known.has(number)).toSorted(([a], [b]) => a - b);
  const fresh = added.flatMap(([number, change]) => (change === null ? [] : placedAnew(number, change, n)));
  // A number below others is that of a member which comes back.
  const isBack = ({ number }: { number: number }): boolean => {
    const place = nearest(blocks, number);
    return place < blocks.length - 1 || number < (read.get(place)?.at(-1)?.number ?? 0);
  };
  const back = Map.groupBy(fresh.filter(isBack), ({ number }) => nearest(blocks, number));
  const size = sizeOf(membersIn(blocks) + fresh.length);
  const after: (Block | NewBlock<Row, Texts>)[] = [];
  let sources: Source<Row>[] = [];
  const cutSources = (more: readonly Placed<Row, Texts>[] = []): void => {
    const stay = sources.map(({ block, members, place }) =>
      [...members.flatMap((one) => placed(one, block, changes, n)), ...(back.get(place) ?? [])].toSorted(
        (a, b) => a.number - b.number,
      ),
    );
    const pieces = [...stay, more].flatMap((members) => cut(members, size));
    after.push(...merged(pieces, size).map((one) => asItWas(one, sources, changes)));
    sources = [];
  };
  for (const [place, block] of blocks.entries()) {
    const members = read.get(place);
    if (members !== undefined) sources.push({ block, members, place });
    else {
      cutSources();
      after.push(block);
    }
  }
  cutSources(fresh.filter((one) => !isBack(one)));
  return after;
}

interface Source<Row> {
  readonly block: Block;
  readonly members: readonly Member<Row>[];
  readonly place: number;
}

function placedAnew<Row, Texts>(number: number, requested: Requested<Row, Texts>, since: number) {
  const { row, texts } = requested;
  if (texts === undefined) throw new Error('A new member has texts');
  return { number, row, bytes: textBytes(texts), since, texts: { value: texts } };
}

/** None where it is deleted. */
function placed<Row, Texts>(
  member: Member<Row>,
  from: Block,
  changes: Changes<Row, Texts>,
  n: number,
): Placed<Row, Texts>[] {
  const requested = changes.get(member.number);
  if (requested === null) return [];
  if (requested === undefined) return [{ ...member, texts: { from } }];
  if (requested.texts !== undefined) return [placedAnew(member.number, requested, n)];
  return [{ ...member, row: requested.row, since: n, texts: { from } }];
}

function cut<Row, Texts>(members: readonly Placed<Row, Texts>[], size: number): NewBlock<Row, Texts>[] {
  const pieces = members.map((one) => ({ members: [one], bytes: one.bytes, sameTexts: undefined }));
  return merged(pieces, size);
}

/** Neighbours that fit into one block become one. */
function merged<Row, Texts>(pieces: readonly NewBlock<Row, Texts>[], size: number): NewBlock<Row, Texts>[] {
  const after: { members: Placed<Row, Texts>[]; bytes: number; sameTexts: undefined }[] = [];
  for (const { members, bytes } of pieces) {
    const open = after.at(-1);
    if (open !== undefined && fits(open.members.length + members.length, open.bytes + bytes, size)) {
      open.members.push(...members);
      open.bytes += bytes;
    } else after.push({ members: [...members], bytes, sameTexts: undefined });
  }
  return after;
}

/** The block itself where nothing of it has changed, and its texts where these are the same. */
function asItWas<Row, Texts>(
  newBlock: NewBlock<Row, Texts>,
  sources: readonly Source<Row>[],
  changes: Changes<Row, Texts>,
): Block | NewBlock<Row, Texts> {
  const [first] = newBlock.members;
  const source = sources.find(({ block }) => block.first === first?.number);
  const isSame =
    source?.members.length === newBlock.members.length &&
    newBlock.members.every(({ texts }) => 'from' in texts && texts.from === source.block);
  if (!isSame) return newBlock;
  const isChanged = newBlock.members.some(({ number }) => changes.has(number));
  return isChanged ? { ...newBlock, sameTexts: source.block } : source.block;
}
