import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstRounded } from '../../../shared/contracts/json/roundedNumbers.ts';

describe('a number that JSON readers round', () => {
  const inField = (json: string) => firstRounded(`{"other":9007199254740993,"field":${json}}`, ['field']);

  test.each([
    ['9007199254740993', 'field'],
    ['-9007199254740993', 'field'],
    ['12345678901234567890', 'field'],
    ['9007199254740993.0', 'field'],
    ['9007199254740993e0', 'field'],
    ['900719925474099300e-2', 'field'],
    ['9007199254740992.5', 'field'],
    ['1234567890.12345678901e12', 'field'],
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
    '6.02214076E+23',
    '602214076000000000000000',
    '1e22',
    '10000000000000000000000',
    '18446744073709552000',
    '1.7976931348623157e308',
    '0.12345678901234567890',
    '3.14159265358979323846264338',
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
