import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasLongNumber, someLongNumber } from '../../../shared/contracts/json/jsonText.ts';
import { firstRepeatedName } from '../../../shared/contracts/json/repeatedNames.ts';
import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';
import { holdsMoreValues } from '../../../shared/contracts/json/valueCount.ts';

const ofNumbers = fc.string({ unit: fc.constantFrom(...'0129.eE+-'), maxLength: 40 });
const other = fc.string({ unit: fc.constantFrom(...'a/:"é😀\ud800 '), maxLength: 20 });
const texts = fc.array(fc.oneof(ofNumbers, other), { maxLength: 8 }).map((parts) => parts.join(''));

test('characters of numbers in a row are found as an expression finds them', () => {
  const law = fc.property(texts, fc.integer({ min: 1, max: 20 }), (text, length) => {
    expect(hasLongNumber(text, length)).toBe(new RegExp(`[\\d.eE+-]{${length}}`).test(text));
  });
  fc.assert(law, { numRuns: 3_000 });
});

test('each row of characters of numbers is passed to the predicate as a whole, until it holds for one', () => {
  const law = fc.property(
    texts,
    fc.integer({ min: 1, max: 20 }),
    fc.string({ maxLength: 3 }),
    (text, length, part) => {
      const isSought = (row: string) => row.includes(part);
      const rows = (text.match(/[\d.eE+-]+/g) ?? []).filter((row) => row.length >= length);
      expect(someLongNumber(text, length, isSought)).toBe(rows.some(isSought));
    },
  );
  fc.assert(law, { numRuns: 3_000 });
});

const repeatedIn = (json: string) => firstRepeatedName(json, JSON.parse(json));
/** Objects of many names are looked through in other ways. */
const members = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join();
const [broad, wide] = [members(200), members(21_000)];

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":1,"\\u0061":2}', 'a'],
  ['{"a" :1,\n"a"\t: 2}', 'a'],
  ['[{},{"b":{"a":1,"c":[],"a":1}}]', 'a'],
  ['{"":1,"":1}', ''],
  ['{"__proto__":1,"__proto__":1}', '__proto__'],
  ['{"0":1,"0":2}', '0'],
  ['{"a\\"":":","a\\"":1}', 'a"'],
  ['{"a":":b","c":"\\":","a":1}', 'a'],
  [`{${broad},"k7":1}`, 'k7'],
  [`{${wide},"k7":1}`, 'k7'],
  [`{${wide},"\\u006b7":1}`, 'k7'],
  [`[{"a":{${wide},"a":[]}},{${wide},"b":{${wide},"k0":{}}}]`, 'k0'],
])('an object that has a name twice is found: %.60s', (json, name) => {
  expect(repeatedIn(json)).toBe(name);
});

test.each([
  '{"a":{"a":{"a":[]}},"b":[{"a":1},{"a":2}]}',
  '{"a":":a","b":": a","c":"\\":a","d":" :"}',
  '{"a:":1,"a":2,":":3,":a":4}',
  '{"a":"a","A":"\\\\"}',
  '{"é":1,"e\u0301":2}',
  `{${broad}}`,
  `{${wide}}`,
  `{"a":[{${wide},"a":{${wide}}},{${wide}}],"\\u006b7":1,"k7:":2}`,
  '[":","\\":"]',
  '"a:"',
  '1',
])('names of different objects, texts and letters are no repetition: %.60s', (json) => {
  expect(repeatedIn(json)).toBeUndefined();
});

interface Tree {
  readonly json: string;
  readonly isRepeated: boolean;
}

test('repeated names are found in any document, however they are written', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ':', '"', '\\', ' ', ',', '{', '[', '\n'),
    maxLength: 4,
  });
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const written = fc
    .tuple(text, fc.boolean())
    .map(([value, isEscaped]) =>
      isEscaped ? `"${value.replaceAll(/[\s\S]/g, escaped)}"` : JSON.stringify(value),
    );
  const blank = fc.constantFrom('', '', ' ', '\n\t');
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
    const list = fc.array(tie('tree'), { maxLength: 3 }).map((items) => ({
      json: `[${items.map(({ json }) => json).join()}]`,
      isRepeated: items.some(({ isRepeated }) => isRepeated),
    }));
    const object = fc.array(fc.tuple(written, blank, tie('tree')), { maxLength: 3 }).map((members) => {
      const names = members.map(([name]) => JSON.parse(name));
      return {
        json: `{${members.map(([name, gap, { json }]) => `${name}${gap}:${gap}${json}`).join()}}`,
        isRepeated: new Set(names).size < names.length || members.some(([, , member]) => member.isRepeated),
      };
    });
    const plain = written.map((json) => ({ json, isRepeated: false }));
    return { tree: fc.oneof({ depthSize: 'small' }, plain, list, object) };
  });
  fc.assert(
    fc.property(tree, ({ json, isRepeated }) => {
      expect(repeatedIn(json) !== undefined).toBe(isRepeated);
    }),
    { numRuns: 2_000 },
  );
});

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

describe('a number that JSON readers round', () => {
  const inField = (json: string) => firstRounded(`{"other":9007199254740993,"field":${json}}`, ['field']);

  test.each([
    ['9007199254740993', 'field'],
    ['12345678901234567890', 'field'],
    ['9007199254740993e0', 'field'],
    ['900719925474099300e-2', 'field'],
    ['9007199254740992.5', 'field'],
    ['[0,[1,9007199254740993]]', 'field.1.1'],
    ['{"a":{"b.c\\"":[{},9007199254740993]}}', 'field.a.b.c".1'],
    ['["9007199254740993","\\\\",12345678901234567]', 'field.2'],
  ])('%s is found', (json, found) => {
    expect(inField(json)?.path.join('.')).toBe(found);
  });

  test.each([
    '9007199254740991',
    '9007199254740992',
    '-9007199254740994',
    '6.02214076e23',
    '602214076000000000000000',
    '1e22',
    '18446744073709552000',
    '1.7976931348623157e308',
    '0.12345678901234567890',
    '"9007199254740993"',
    '{"9007199254740993":"\\"9007199254740993"}',
    '[]',
  ])('%s is none', (json) => {
    expect(inField(json)).toBeUndefined();
  });

  test('a number whose digits would change is refused, in any document', () => {
    const whole = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    const documents = fc.letrec((tie) => ({
      value: fc.oneof({ depthSize: 'small' }, whole, fc.string(), fc.boolean(), tie('list'), tie('fields')),
      list: fc.array(tie('value'), { maxLength: 4 }),
      fields: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    })).value;
    const written = (value: unknown): string =>
      JSON.stringify(value, (_, inner) =>
        typeof inner === 'bigint' ? { raw: String(inner) } : inner,
      ).replaceAll(/\{"raw":"(-?\d+)"\}/g, '$1');
    const isRounded = (value: unknown): boolean => {
      if (typeof value === 'bigint') return shortest(Number(value)) !== value;
      return typeof value === 'object' && value !== null && Object.values(value).some(isRounded);
    };
    fc.assert(
      fc.property(documents, (document) => {
        expect(inField(written(document)) !== undefined).toBe(isRounded(document));
      }),
    );
  });
});

/** The decimal number that a double is written as. */
function shortest(value: number): bigint {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}
