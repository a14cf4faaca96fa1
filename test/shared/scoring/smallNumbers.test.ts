import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from './cases.ts';

const scorers = () => [
  caseOf('exact_match', {}, { expected: 0 }),
  caseOf('exact_match', {}, { expected: 0, dual_sided: true }),
  caseOf('json_schema', { schema: { const: 0 } }),
  caseOf('json_schema', { schema: { type: 'integer' } }),
  caseOf('json_schema', { schema: { type: 'integer' } }, { dual_sided: true }),
];
const zeros = (count: number) => '0'.repeat(count);

describe('a number that is not 0 and is read as 0', () => {
  test.each([
    ...[
      '1e-400',
      '-1e-400',
      '1E-400',
      '0.5e-324',
      `0.${zeros(330)}1`,
      `0.${zeros(230)}1e-99`,
      '12.5e-999999999',
    ],
    ...['1e-0400', `1${zeros(20)}e-400`],
  ])('is taken for 0 by no scorer: %s', (written) => {
    for (const evalCase of scorers()) {
      expect(scoreOne(evalCase, written)).toMatchObject({ score: 0, passed: false, errored: false });
    }
    const nested = caseOf('exact_match', {}, { expected: { a: [0] } });
    const { passed, reason } = scoreOne(nested, `{"a":[${written}]}`);
    expect({ passed, reason }).toEqual({
      passed: false,
      reason: expect.stringContaining('too small to read'),
    });
  });

  test.each([...['0', '-0', '0.0', '0e-400', `0.${zeros(400)}`, `0.${zeros(330)}e-5`, '-0.0E-999']])(
    'is not 0 itself, however it is written: %s',
    (written) => {
      for (const evalCase of scorers()) expect(scoreOne(evalCase, written)).toMatchObject({ passed: true });
    },
  );

  test('is not one that is kept, nor a text', () => {
    for (const output of ['{"a":5e-324}', '{"a":1e-300}', '{"a":"1e-400"}', '{"1e-400":"\\"1e-400"}']) {
      const evalCase = caseOf('exact_match', {}, { expected: JSON.parse(output) });
      expect(scoreOne(evalCase, output)).toMatchObject({ passed: true });
    }
  });
});
