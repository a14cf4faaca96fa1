import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { patternSteps } from '../../../../shared/scoring/patterns/steps.ts';

test.each(['(a+)+b', 'a+b+', 'a|b', '(a)\\1', 'a(?=b)', '[a', 'a{2', '\\u0041', 'a{100}'])(
  'of %s it is not plain to see how many steps it takes',
  (pattern) => {
    expect(patternSteps(pattern, '', 10)).toBe(Number.POSITIVE_INFINITY);
  },
);

test.each(['i', 'u', 'v', 'y'])('with the flag %s letters may stand for others', (flag) => {
  expect(patternSteps('abc', flag, 10)).toBe(Number.POSITIVE_INFINITY);
});

/** A part, and which letters it takes. */
const PARTS = { a: 'a', b: 'b', '[ab]': 'ab', '[^b]': 'ac', '.': 'abc' } as const;
const REPEATED = {
  '*': [0, Infinity],
  '+': [1, Infinity],
  '?': [0, 1],
  '{2,}': [2, Infinity],
  '{1,3}': [1, 3],
} as const;

interface Part {
  readonly letters: string;
  readonly least: number;
  readonly most: number;
}

/** How often a search that tries everything compares a letter with a part. */
function comparisons(parts: readonly Part[], text: string): number {
  let count = 0;
  const matches = (at: number, from: number): boolean => {
    const part = parts[at];
    if (part === undefined) return true;
    let taken = 0;
    while (taken < part.most && from + taken < text.length) {
      count++;
      if (!part.letters.includes(text.charAt(from + taken))) break;
      taken++;
    }
    for (; taken >= part.least; taken--) if (matches(at + 1, from + taken)) return true;
    return false;
  };
  for (let from = 0; from <= text.length; from++) if (matches(0, from)) break;
  return count;
}

test('a search of a plain pattern takes no more steps than declared', () => {
  const part = fc.constantFrom(...(Object.keys(PARTS) as (keyof typeof PARTS)[]));
  const repeated = fc.tuple(part, fc.constantFrom(...(Object.keys(REPEATED) as (keyof typeof REPEATED)[])));
  const drawn = fc.tuple(
    fc.array(part, { maxLength: 4 }),
    fc.option(repeated),
    fc.array(part, { maxLength: 4 }),
  );
  fc.assert(
    fc.property(
      drawn,
      fc.string({ unit: fc.constantFrom('a', 'a', 'b', 'c') }),
      ([before, middle, after], text) => {
        const one = (name: keyof typeof PARTS): Part => ({ letters: PARTS[name], least: 1, most: 1 });
        const [name, often] = middle ?? [];
        const [least, most] = often === undefined ? [1, 1] : REPEATED[often];
        const parts = [
          ...before.map(one),
          ...(name === undefined ? [] : [{ letters: PARTS[name], least, most }]),
          ...after.map(one),
        ];
        const pattern = [...before, ...(middle === null ? [] : [middle.join('')]), ...after].join('');
        expect(comparisons(parts, text)).toBeLessThanOrEqual(patternSteps(pattern, '', text.length));
      },
    ),
    { numRuns: 2_000 },
  );
});
