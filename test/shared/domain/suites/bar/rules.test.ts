import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { gatingOf, isAdvisory, isAllAdvisory } from '../../../../../shared/domain/suites/bar/rules.ts';
import { timestamp } from '../../../../../shared/domain/time.ts';
import '../../../../support/seed.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const anyMs = fc.integer({ min: -3, max: 3 });

test('a suite gates nothing at a time exactly if each of its cases is advisory then', () => {
  const anyEnds = fc.array(fc.option(anyMs, { freq: 4 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anyEnds, anyMs, (ends, atMs) => {
      const cases = ends.map((end) => ({ advisory_until: end === null ? null : timestamp(NOW_MS + end) }));
      const all = cases.every((one) => isAdvisory(one, NOW_MS + atMs));
      expect(isAllAdvisory(gatingOf(cases), NOW_MS + atMs)).toBe(all);
    }),
  );
});

test('what is not known of a suite does not make it one that gates nothing', () => {
  expect(isAllAdvisory({ gatingCases: 0, firstAdvisoryEnd: null }, NOW_MS)).toBe(false);
});
