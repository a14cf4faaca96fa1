import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  blocksOf,
  inCaseOrder,
  inSentOrder,
  placed,
} from '../../../../../shared/domain/runs/outputs/blocks.ts';
import type { ReadItem } from '../../../../../shared/domain/runs/outputs/traces.ts';
import { namesOf } from '../../../../../shared/scoring/engine/matching.ts';
import '../../../../support/seed.ts';

const BLOCK_BYTES = 1_000_000;

const anyCases = fc
  .uniqueArray(fc.uuid(), { maxLength: 8 })
  .map((ids) => ids.map((id, index) => ({ id, key: `case-${index}` })));

/** Items of these cases by id, in any case of letters, or by key, and of others. */
const anySent = anyCases.chain((cases) => {
  const names = cases.flatMap(({ id, key }) => [id, id.toUpperCase(), key]);
  const anyName = fc.constantFrom('unknown', 'another', ...names);
  const outputs = fc.array(anyName, { maxLength: 30 }).map((drawn) =>
    // Each with a text of its own, to tell those of a case apart.
    drawn.map((name, index): ReadItem => ({ case: name, output: `output ${index}` })),
  );
  return fc.record({ cases: fc.constant(cases), outputs });
});

test('outputs are put in the order of their cases, the samples of a case in the order sent, those of no case last', () => {
  fc.assert(
    fc.property(anySent, ({ cases, outputs }) => {
      const named = namesOf(cases);
      const sent = placed(outputs);
      const inOrder = cases.flatMap((one) => sent.filter((item) => named(item.case) === one));
      const others = sent.filter((item) => named(item.case) === undefined);
      expect(inCaseOrder(outputs, cases)).toEqual([...inOrder, ...others]);
      expect(inSentOrder(inCaseOrder(outputs, cases))).toEqual(sent);
    }),
  );
});

const anyItem = fc.record({
  case: fc.string(),
  output: fc
    .tuple(fc.constantFrom('x', 'é', '退', '"'), fc.constantFrom(1, 1_000, 200_000, 400_000))
    .map(([unit, times]) => unit.repeat(times)),
});

const bytesOf = (items: readonly object[]): number =>
  items.reduce((sum, item) => sum + Buffer.byteLength(JSON.stringify(item)), 0);

test('blocks hold all outputs in order, each as much as fits into a megabyte, and an item is never divided', () => {
  fc.assert(
    fc.property(fc.array(anyItem, { maxLength: 12 }).map(placed), (outputs) => {
      const blocks = [...blocksOf(outputs)].map((text) => JSON.parse(text) as ReadItem[]);
      expect(blocks.flat()).toEqual(outputs);
      for (const [index, items] of blocks.entries()) {
        expect(items.length === 1 || bytesOf(items) <= BLOCK_BYTES).toBe(true);
        const next = blocks[index + 1]?.[0];
        if (next !== undefined) expect(bytesOf([...items, next])).toBeGreaterThan(BLOCK_BYTES);
      }
    }),
    { numRuns: 40 },
  );
});
