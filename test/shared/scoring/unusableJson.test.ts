import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from './cases.ts';

const schemaScore = (schema: unknown, output: string) => {
  const { score, errored } = scoreOne(caseOf('json_schema', { schema }), output);
  return errored ? 'errored' : score;
};

describe('a number that differs from its text', () => {
  test.each(['1e999', '-1e+400', '[0.1, {"a": 1E0309}]', '9'.repeat(400)])(
    'an output of %.30s is not read, since it overflows',
    (output) => {
      const result = scoreOne(caseOf('json_schema', { schema: {} }), output);
      expect(result).toMatchObject({ score: 0, errored: false });
      expect(result.reason).toContain('holds a number too large to read');
    },
  );

  test.each(['1e308', '1e-300', '"1e999"', '9'.repeat(308)])('an output of %.30s is', (output) => {
    expect(schemaScore({}, output)).toBe(1);
  });

  test('beyond the exact integers never equals a safe expected one', () => {
    const expected = Number.MAX_SAFE_INTEGER;
    expect(schemaScore({ const: expected }, '9007199254740993')).toBe(0);
    expect(scoreOne(caseOf('exact_match', {}, { expected: [expected] }), '[9007199254740992]').score).toBe(0);
  });
});

describe('a number of the output that readers round', () => {
  const scored = (expected: unknown, output: string, dualSided = false) =>
    scoreOne(caseOf('exact_match', {}, { expected, dual_sided: dualSided }), output);

  test.each([
    [6.02214076e23, '602214076000000000000001'],
    [9007199254740992, '9007199254740993'],
    [[1e300], `[${10n ** 300n + 1n}]`],
  ])('does not equal %p, one-sided or dual-sided', (expected, output) => {
    expect(scored(expected, output)).toMatchObject({ score: 0, errored: false });
    expect(scored(expected, output, true)).toMatchObject({ score: 0, errored: false });
  });

  test('equals it in any of its exact forms', () => {
    for (const output of ['6.02214076e23', '602214076000000000000000', '6.02214076E+23', '60221.4076e19'])
      expect(scored(6.02214076e23, output)).toMatchObject({ score: 1 });
  });

  test('does no harm where nothing as large is expected', () => {
    expect(scored({ a: 1 }, '{"a":1}')).toMatchObject({ score: 1 });
    expect(scored([1], '[1,9007199254740993]', true).score).toBeCloseTo(2 / 3);
  });
});

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
    '1e-400',
    '-1e-400',
    '1E-400',
    '0.5e-324',
    `0.${zeros(330)}1`,
    `0.${zeros(230)}1e-99`,
    '12.5e-999999999',
    '1e-0400',
    `1${zeros(20)}e-400`,
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

  test.each(['0', '-0', '0.0', '0e-400', `0.${zeros(400)}`, `0.${zeros(330)}e-5`, '-0.0E-999'])(
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

const equals = (value: unknown) => ({ assertions: [{ path: '$.action', op: 'equals', value }] });
const dual = { dual_sided: true, threshold: 0 };

/** What each reader of JSON makes of an object of which it keeps the last action. */
const BARS = [
  ['json_path', caseOf('json_path', equals('deny'))],
  [
    'json_path that wants nothing there',
    caseOf('json_path', { assertions: [{ path: '$.no', op: 'absent' }] }),
  ],
  ['json_schema', caseOf('json_schema', { schema: {} })],
  ['json_schema, dual-sided', caseOf('json_schema', { schema: { required: ['action'] } }, dual)],
  ['exact_match', caseOf('exact_match', {}, { expected: { action: 'deny' } })],
  ['exact_match, dual-sided', caseOf('exact_match', {}, { ...dual, expected: { action: 'deny' } })],
  ['exact_match with a number, dual-sided', caseOf('exact_match', {}, { ...dual, expected: 1 })],
  ['contains, dual-sided', caseOf('contains', { values: ['deny'] }, dual)],
] as const;

const OUTPUTS = [
  '{"action":"refund","action":"deny"}',
  '{"action":"refund","\\u0061ction":"deny"}',
  '{"action" : "refund" , "action" : "deny"}',
  '{"action":"deny","list":[{"n":1},{"n": 1 , "n": 1 }]}',
  '[{"action":"refund","action":"deny"},"deny"]',
];

describe.each(BARS)('%s', (_, bar) => {
  test.each(OUTPUTS)('takes an output with a name twice for no usable JSON: %s', (output) => {
    const { score, reason, errored } = scoreOne(bar, output);
    expect({ score, errored }).toEqual({ score: 0, errored: false });
    expect(reason).toMatch(/not usable JSON: it holds the name "(action|n)" twice in one object/);
  });
});

test('a name that several objects have is no repetition', () => {
  const output = '{"action":"deny","list":[{"action":"refund"},{"action":":"}]}';
  expect(scoreOne(caseOf('json_path', equals('deny')), output).passed).toBe(true);
});
