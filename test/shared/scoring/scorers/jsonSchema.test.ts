import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from '../cases.ts';

describe('json_schema', () => {
  const schemaCase = (schema: unknown) => caseOf('json_schema', { schema });
  const draft = (uri: string, schema: object) => ({ $schema: uri, ...schema });

  test.each([
    ['type', { type: 'object' }, '{}', 1],
    ['the whole output must parse', { type: 'object' }, 'Here it is: {}', 0],
    ['19.99 is a multiple of 0.01', { multipleOf: 0.01 }, '19.99', 1],
    ['1234567.89 is a multiple of 0.01', { multipleOf: 0.01 }, '1234567.89', 1],
    ['19.999 is not', { multipleOf: 0.01 }, '19.999', 0],
    ['1e300 is a multiple of 7e-5 or not, without a crash', { multipleOf: 1e-5 }, '1e300', 1],
    ['1e400 is not a multiple of anything', { multipleOf: 1 }, '1e400', 0],
    ['7 is a multiple of 3.5', { multipleOf: 3.5 }, '7', 1],
    ['inherited properties do not count', { required: ['toString'] }, '{}', 0],
    ['__proto__ can be required', { required: ['__proto__'] }, '{}', 0],
    ['__proto__ can be given', { required: ['__proto__'] }, '{"__proto__":1}', 1],
    ['formats count', { format: 'email' }, '"nobody"', 0],
    ['unknown keywords do not', { 'x-note': 1 }, '1', 1],
    ['unknown formats do not', { format: 'x-phone' }, '"1"', 1],
    ['patterns are Unicode patterns', { pattern: '^.$' }, '"😀"', 1],
    ['and others where Unicode refuses them', { pattern: '^\\-$' }, '"-"', 1],
    ['in-document references', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, '1', 0],
    ['anchors', { $ref: '#here', $defs: { a: { $anchor: 'here', type: 'string' } } }, '1', 0],
    ['2020-12 by default', { prefixItems: [{ type: 'string' }] }, '[1]', 0],
    ['a property named id is none of our business', { id: 'x', type: 'string' }, '"a"', 1],
    [
      '2019-09',
      draft('https://json-schema.org/draft/2019-09/schema', { unevaluatedProperties: false }),
      '{"a":1}',
      0,
    ],
    ['draft-07', draft('http://json-schema.org/draft-07/schema#', { items: [{ type: 'string' }] }), '[1]', 0],
    [
      'draft-07 by https',
      draft('https://json-schema.org/draft-07/schema', { items: [{ type: 'string' }] }),
      '[1]',
      0,
    ],
    ['draft-06', draft('http://json-schema.org/draft-06/schema#', { const: 1 }), '2', 0],
    [
      'draft-04',
      draft('http://json-schema.org/draft-04/schema#', { minimum: 1, exclusiveMinimum: true }),
      '1',
      0,
    ],
  ])('%s', (_, schema, output, score) => {
    expect(scoreOne(schemaCase(schema), output)).toMatchObject({ score, errored: false });
  });

  test('shows the parsed output when valid', () => {
    expect(scoreOne(schemaCase({ type: 'object' }), '{"a":1}').scorer_output).toEqual({
      valid: true,
      parsed_output: { a: 1 },
    });
  });

  test('shows each error with its place, and names it in the reason', () => {
    const schema = {
      properties: { items: { items: { properties: { price: { type: 'number' } } } } },
      additionalProperties: false,
    };
    const result = scoreOne(schemaCase(schema), '{"items":[{"price":"1"}],"extra":1}');
    expect(result.scorer_output).toEqual({
      valid: false,
      errors: [
        {
          instancePath: '',
          keyword: 'additionalProperties',
          message: 'must NOT have additional properties: "extra"',
        },
        { instancePath: '/items/0/price', keyword: 'type', message: 'must be number' },
      ],
    });
    expect(result.reason).toBe(
      'output must NOT have additional properties: "extra"; /items/0/price must be number',
    );
  });

  test('lists at most 20 errors and states how many there are', () => {
    const result = scoreOne(
      schemaCase({ items: { type: 'string' } }),
      JSON.stringify(new Array(500).fill(1)),
    );
    expect(result.scorer_output.errors).toHaveLength(20);
    expect(result.reason).toContain('and 497 more');
  });
});
