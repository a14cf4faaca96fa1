import type { Block, Member } from './blocks.ts';
import type { Current } from './current.ts';

/** Undefined on the side on which there is none. */
export interface Differing<Row> {
  readonly number: number;
  readonly before: Member<Row> | undefined;
  readonly after: Member<Row> | undefined;
}

/**
 * The members that an edit between the two revisions of a chain made, changed or deleted, in the order of their numbers.
 * Only blocks are read that not both of them have.
 */
export async function differing<Row, Texts, Fields>(
  before: Current<Row, Texts, Fields>,
  after: Current<Row, Texts, Fields>,
): Promise<Differing<Row>[]> {
  const [were, are] = await Promise.all([
    before.inBlocks(without(before.revision.blocks, after.revision.blocks)),
    after.inBlocks(without(after.revision.blocks, before.revision.blocks)),
  ]);
  const left = new Map(were.map((member) => [member.number, member]));
  const right = new Map(are.map((member) => [member.number, member]));
  const numbers = [...new Set([...left.keys(), ...right.keys()])].toSorted((a, b) => a - b);
  return numbers
    .map((number) => ({ number, before: left.get(number), after: right.get(number) }))
    .filter((one) => one.before?.since !== one.after?.since);
}

function without(blocks: readonly Block[], excluded: readonly Block[]): Block[] {
  const named = new Set(excluded.map(({ rows }) => rows));
  return blocks.filter(({ rows }) => !named.has(rows));
}
