import { namesOf } from '../../../scoring/engine/matching.ts';
import type { CaseRules } from '../../suites/gates/rules.ts';
import type { ReadItem } from './traces.ts';

/** An evaluator reads a block at once. */
const BLOCK_BYTES = 1_000_000;

/** With its place among the outputs as they were sent. */
export type PlacedOutput = ReadItem & { readonly position: number };

export const placed = (outputs: readonly ReadItem[]): PlacedOutput[] =>
  outputs.map((item, position) => ({ ...item, position }));

/** As they were sent. */
export const inSentOrder = <T extends Pick<PlacedOutput, 'position'>>(outputs: readonly T[]): T[] =>
  outputs.toSorted((one, other) => one.position - other.position);

/** In the order of their cases, so that the outputs of a chunk lie together; those of unknown cases at the end. */
export function inCaseOrder(
  outputs: readonly ReadItem[],
  cases: readonly (Pick<CaseRules, 'key'> & { readonly id: string })[],
): PlacedOutput[] {
  const named = namesOf(cases);
  const places = new Map(cases.map((one, index) => [one.id, index]));
  const placeOf = (item: ReadItem) => places.get(named(item.case)?.id ?? '') ?? cases.length;
  return placed(outputs)
    .map((item) => ({ item, place: placeOf(item) }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}

/** Lists of about a megabyte of JSON, as text. An item is never divided. */
export function* blocksOf(outputs: Iterable<PlacedOutput>): Generator<string> {
  let texts: string[] = [];
  let bytes = 0;
  for (const item of outputs) {
    const text = JSON.stringify(item);
    const size = Buffer.byteLength(text);
    if (texts.length > 0 && bytes + size > BLOCK_BYTES) {
      yield `[${texts.join(',')}]`;
      texts = [];
      bytes = 0;
    }
    texts.push(text);
    bytes += size;
  }
  if (texts.length > 0) yield `[${texts.join(',')}]`;
}
