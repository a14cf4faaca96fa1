import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../shared/scoring/registry.ts';
import { sized } from '../../support/soak.ts';
import { caseOf, scoreAll, scoreOne } from './cases.ts';
import { allowSlowMachine } from './slowMachine.ts';

const schemaScore = (schema: unknown, output: string) => {
  const { score, errored } = scoreOne(caseOf('json_schema', { schema }), output);
  return errored ? 'errored' : score;
};
const json = (text: string): unknown => JSON.parse(text);

describe('const, enum and uniqueItems compare values with members of any name', () => {
  test.each([
    [
      'twins named __proto__',
      { uniqueItems: true, items: { type: 'string' } },
      '["__proto__","__proto__"]',
      0,
    ],
    ['twins named toString', { uniqueItems: true, items: { type: 'string' } }, '["a","toString"]', 1],
    ['twin objects', { uniqueItems: true }, '[{"a":1,"b":2},{"b":2,"a":1}]', 0],
    ['a text and the object it spells', { uniqueItems: true }, '["{\\"a\\":1}",{"a":1},"1",1]', 1],
    ['twins with a constructor', { uniqueItems: true }, '[{"constructor":1},{"constructor":1}]', 0],
    ['uniqueItems that is off', { uniqueItems: false }, '[1,1]', 1],
    ['a const with a valueOf', { const: { valueOf: 1 } }, '{"valueOf":1}', 1],
    ['a const of __proto__', { const: json('{"__proto__":1}') }, '{"__proto__":1}', 1],
    ['a const of another __proto__', { const: json('{"__proto__":{"a":1}}') }, '{"__proto__":{"a":2}}', 0],
    ['a const of false', { const: false }, '0', 0],
    ['an enum with a valueOf', { enum: [2, { valueOf: 1 }] }, '{"valueOf":1}', 1],
    ['an enum of texts', { enum: ['1', [1]] }, '1', 0],
    [
      'an unevaluated toString',
      { anyOf: [{ properties: { a: {} } }, { required: ['b'] }], unevaluatedProperties: false },
      '{"a":1,"toString":2}',
      0,
    ],
  ])('%s', (_, schema, output, score) => {
    expect(schemaScore(schema, output)).toBe(score);
  });

  test.each([
    [{ const: 1 }, '2', { keyword: 'const', message: 'must be equal to constant: 1' }],
    [
      { enum: [1, { a: 1 }] },
      '2',
      { keyword: 'enum', message: 'must be equal to one of the allowed values: [1,{"a":1}]' },
    ],
    [
      { uniqueItems: true },
      '[1,2,1]',
      { keyword: 'uniqueItems', message: 'must NOT have duplicate items (items ## 0 and 2 are identical)' },
    ],
  ])('and %j names the fault', (schema, output, error) => {
    expect(scoreOne(caseOf('json_schema', { schema }), output).scorer_output.errors).toEqual([
      { instancePath: '', ...error },
    ]);
  });
});

describe('a schema that would let everything pass is refused when it is written', () => {
  test.each([
    ['{"const":9007199254740993}', 'const'],
    ['{"items":{"enum":[1,{"a":[-9007199254740993]}]}}', 'items.enum'],
    ['{"type":"string","nullable":true}', 'nullable'],
    ['{"properties":{"__proto__":{"type":"number"}}}', 'properties'],
    ['{"dependentRequired":{"__proto__":["a"]}}', 'dependentRequired'],
    ['{"format":"uuid4"}', 'format'],
    ['{"items":{"format":"idn-email"}}', 'items.format'],
  ])('%s', async (schema, path) => {
    const checked = await validateScorerConfig('json_schema', { schema: json(schema) });
    expect(checked.ok ? [] : checked.issues.map((issue) => issue.path)).toEqual([`config.schema.${path}`]);
  });

  test.each([
    '{"maximum":9223372036854775807}',
    '{"const":9007199254740991,"enum":[1.5,-9007199254740991]}',
    '{"properties":{"nullable":{"format":"date-time"},"format":{"type":"string"}}}',
    '{"dependentRequired":{"nullable":["format"]}}',
  ])('and %s is not', async (schema) => {
    expect(await validateScorerConfig('json_schema', { schema: json(schema) })).toMatchObject({ ok: true });
  });

  test('the message names the format and those that are known', async () => {
    const checked = await validateScorerConfig('json_schema', { schema: { format: 'uuid4' } });
    expect(checked.ok ? '' : checked.issues[0]?.message).toMatch(/"uuid4".*date-time.*uuid$/);
  });
});

describe('dual-sided exact_match', () => {
  allowSlowMachine();
  const dual = (expected: unknown, output: string) =>
    scoreOne(caseOf('exact_match', {}, { dual_sided: true, expected, threshold: 0 }), output);

  test.each([
    [['1'], '[1]'],
    [[null], '["null"]'],
    [[1], '1'],
    [1, '"1"'],
    [[], '{}'],
    [['a'], 'a'],
    [{ a: 1 }, '["/a=1"]'],
    [['a b'], '"a b"'],
  ])('distinguishes the types of %j and %s', (expected, output) => {
    expect(dual(expected, output)).toMatchObject({ score: 0, errored: false });
  });

  test('counts what an output of another type gives as wrong', () => {
    expect(dual({ a: 1, b: 2 }, '["/a=1"]').scorer_output).toMatchObject({
      true_positives: 0,
      false_positives: 1,
      false_negatives: 2,
    });
  });

  test.each([
    [['a', { b: 1 }], '["x"]', 'missing "a", {"b":1}; not expected "x"'],
    [{ a: { b: 'q' } }, '{"a":{"b":"r"}}', 'missing /a/b="q"; not expected /a/b="r"'],
    [['a'], '["x","x","y","z"]', 'missing "a"; not expected "x", "x", "y" and 1 more'],
  ])('names the missing parts of %j in %s', (expected, output, detail) => {
    expect(dual(expected, output).reason).toBe(`F1 0, precision 0, recall 0: ${detail}`);
  });

  test('400 cases over an output of 1 MB are all judged', () => {
    const output =
      'the "cat", '.repeat(90_000) + Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(' ');
    const cases = Array.from({ length: 400 }, (_, at) =>
      caseOf(
        'exact_match',
        { case_sensitive: at % 2 === 0 },
        { dual_sided: true, expected: `w${at} the`, recall_threshold: 1, threshold: 0 },
      ),
    );
    expect(scoreAll(cases, output).verdict).toMatchObject({ status: 'cleared', passed_cases: 400 });
  });
});

const HOSTILE = sized(30, 100);

test('innocents keep their verdicts beside many hostile scorers', () => {
  const hostile = Array.from({ length: HOSTILE }, (_, at) => caseOf('regex', { pattern: `(a+)+${at}$` }));
  const innocents = Array.from({ length: 20 }, (_, at) => caseOf('regex', { pattern: `a{${at}}` }));
  const { verdict } = scoreAll([...hostile, ...innocents], 'a'.repeat(40) + '!');
  expect(verdict).toMatchObject({ status: 'aborted', errored_cases: HOSTILE, passed_cases: 20 });
});
