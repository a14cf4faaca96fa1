import { describe, expect, test } from '@jest/globals';
import { caseOf, scoreOne } from './cases.ts';

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
