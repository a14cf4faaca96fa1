import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromBase62, toBase62 } from '../../../shared/domain/base62.ts';

test('any number comes back from base62, whatever it is padded to', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.nat({ max: 60 }), (value, width) => {
      const text = toBase62(value, width);
      expect(text).toMatch(/^[0-9A-Za-z]*$/);
      expect(text.length).toBeGreaterThanOrEqual(width);
      expect(fromBase62(text)).toBe(value);
    }),
  );
});
