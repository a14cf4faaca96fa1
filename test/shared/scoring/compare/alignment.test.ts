import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { commonLength, editDistance, paired } from '../../../../shared/scoring/compare/alignment.ts';

/** The distance as it is defined, by a table of two rows. */
function distanceByRows(one: readonly string[], other: readonly string[]): number {
  let above = other.map((_, at) => at + 1);
  for (const [row, element] of one.entries()) {
    const below: number[] = [];
    for (const [at, beside] of other.entries()) {
      const diagonal = (at === 0 ? row : (above[at - 1] ?? 0)) + (element === beside ? 0 : 1);
      const left = at === 0 ? row + 1 : (below[at - 1] ?? 0);
      below.push(Math.min(diagonal, left + 1, (above[at] ?? 0) + 1));
    }
    above = below;
  }
  return above.at(-1) ?? one.length;
}

function commonByRows(one: readonly string[], other: readonly string[]): number {
  let above = [0, ...other.map(() => 0)];
  for (const element of one) {
    const below = [0];
    for (const [at, beside] of other.entries()) {
      const common = Math.max(above[at + 1] ?? 0, below[at] ?? 0);
      below.push(element === beside ? (above[at] ?? 0) + 1 : common);
    }
    above = below;
  }
  return above.at(-1) ?? 0;
}

/** Of few kinds of elements much is equal; blocks of 32 are the unit of work. */
const sequences = fc.constantFrom('a', 'ab', 'abc', 'abcdefghijkl').chain((letters) => {
  const sequence = fc.array(fc.constantFrom(...letters), { maxLength: 140 });
  return fc.tuple(sequence, sequence);
});

test('the edit distance is that of a loop over two rows', () => {
  fc.assert(
    fc.property(sequences, ([one, other]) => {
      expect(editDistance(paired(one, other))).toBe(distanceByRows(one, other));
    }),
  );
});

test('the longest common sequence is as long as that of a loop over two rows', () => {
  fc.assert(
    fc.property(sequences, ([one, other]) => {
      expect(commonLength(paired(one, other))).toBe(commonByRows(one, other));
    }),
  );
});
