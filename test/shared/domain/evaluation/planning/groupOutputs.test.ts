import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { groupsOf } from '../../../../../shared/domain/evaluation/planning/groupOutputs.ts';
import '../../../../support/seed.ts';

const GROUP_CHARACTERS_MAX = 3_000_000;

const anyOutput = fc.record({
  block: fc.nat(60),
  characters: fc.oneof(fc.nat(2_000), fc.nat(1_100_000)),
});
const anyChunk = fc.array(fc.array(anyOutput, { maxLength: 12 }), { minLength: 1, maxLength: 40 });

test('each case of a chunk is in one group, in order, with all blocks of its outputs; only a lone case takes more room', () => {
  const isGrouped = fc.property(anyChunk, (sent) => {
    let next = 0;
    for (const [first, count, blocks] of groupsOf(sent)) {
      expect(first).toBe(next);
      expect(count).toBeGreaterThan(0);
      const own = sent.slice(first, first + count).flat();
      expect(new Set(blocks)).toEqual(new Set(own.map(({ block }) => block)));
      const held = own.reduce((sum, { characters }) => sum + characters, 0);
      const takers = sent.slice(first, first + count).filter((items) => items.length > 0);
      if (takers.length > 1) expect(held).toBeLessThanOrEqual(GROUP_CHARACTERS_MAX);
      next = first + count;
    }
    expect(next).toBe(sent.length);
  });
  fc.assert(isGrouped);
});
