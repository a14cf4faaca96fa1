import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreAll, scoreOne } from './cases.ts';
import { doublingAnyOf, doublingRefs, nested } from './hostile.ts';

const bomb = (schema: unknown) => caseOf('json_schema', { schema }, { threshold: 0 });
const timeout = (code: string) => ({
  passed: false,
  score: 0,
  errored: true,
  scorer_output: { error: code },
});

describe('a schema that does not end', () => {
  test.each([
    ['30 levels of doubled references', doublingRefs(30), '"x"'],
    ['a bomb of errors', doublingAnyOf(24), '"x"'],
    ['a pattern', { pattern: '^(a+)+$' }, JSON.stringify('a'.repeat(40) + '!')],
    [
      'a property pattern',
      { patternProperties: { '^(a+)+$': {} } },
      JSON.stringify({ ['a'.repeat(40) + '!']: 1 }),
    ],
  ])('%s is a scorer error', (_, schema, output) => {
    expect(scoreOne(bomb(schema), output)).toMatchObject(timeout('SCHEMA_TIMEOUT'));
  });

  test.each([
    ['itself', { $ref: '#' }],
    ['another', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['itself, dynamically', { $dynamicAnchor: 'a', $dynamicRef: '#a' }],
  ])('one that refers to %s is a scorer error', (_, schema) => {
    expect(scoreOne(bomb(schema), '1')).toMatchObject(timeout('SCHEMA_RECURSION'));
  });

  test('one that nests too deep to compile is a scorer error', () => {
    expect(scoreOne(bomb(nested(20_000)), '1')).toMatchObject({ passed: false, errored: true });
  });

  test.each([
    ['half a million wrong items', { items: { type: 'string' } }, new Array(499_999).fill(1), 0],
    [
      'half a million errors that an alternative makes up for',
      { anyOf: [{ items: { type: 'string' } }, {}] },
      new Array(499_999).fill(1),
      1,
    ],
    [
      'as many, and a property named like generated code',
      { items: { required: ['vErrors.push('] } },
      new Array(100_000).fill({}),
      0,
    ],
  ])('%s are judged without holding all errors', (_, schema, output, score) => {
    const result = scoreOne(bomb(schema), JSON.stringify(output));
    expect(result).toMatchObject({ score, errored: false });
    expect(result.scorer_output.valid).toBe(score === 1);
  });

  test('a property named like generated code is a property like any other', () => {
    const schema = { required: ['vErrors.push(', 'errors = vErrors.length;', '";vErrors.push('] };
    const names = Object.fromEntries(schema.required.map((name) => [name, 1]));
    expect(scoreOne(bomb(schema), JSON.stringify(names)).score).toBe(1);
    expect(scoreOne(bomb(schema), '{}').reason).toContain("'errors = vErrors.length;'");
  });

  test('50,000 enum values are no reason to fail', () => {
    const schema = { enum: Array.from({ length: 50_000 }, (_, at) => `value ${at}`) };
    expect(scoreOne(bomb(schema), '"value 49999"')).toMatchObject({ score: 1, errored: false });
  });
});

describe('two schemas', () => {
  test('of the same $id do not meet', () => {
    const [a, b] = ['string', 'number'].map((type) => bomb({ $id: 'https://example.com/same', type }));
    expect(scoreAll([a!, b!], '1').results.map((result) => result.score)).toEqual([0, 1]);
  });

  test('cannot read each other by $id', () => {
    const secret = bomb({ $id: 'https://example.com/secret', const: 'secret' });
    const reader = bomb({ $ref: 'https://example.com/secret' });
    expect(scoreAll([secret, reader], '1').results[1]).toMatchObject({
      errored: true,
      scorer_output: { error: 'SCORER_CONFIG_INVALID' },
    });
  });
});
