import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { holdsMoreValues } from '../../../../shared/contracts/json/valueCount.ts';

/** Commas and openings: what separates and begins values. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce<number>((sum, one) => sum + countOf(one), 1 + Math.max(0, inner.length - 1));
}

test('values are counted in any document, and what strings hold is none', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (document, indent) => {
      const json = JSON.stringify(document, null, indent);
      const count = countOf(document);
      expect(holdsMoreValues(json, count)).toBe(false);
      if (count > 0) expect(holdsMoreValues(json, count - 1)).toBe(true);
    }),
  );
});
