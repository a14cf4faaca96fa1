import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { caseOf, scoreOne } from '../cases.ts';
import { DRAFTS } from './randomSchemas.ts';

const result = (schema: unknown, output: string) => scoreOne(caseOf('json_schema', { schema }), output);
const score = (schema: unknown, output: string) => {
  const { score: given, errored, reason } = result(schema, output);
  return errored ? reason : given;
};
const tags = { type: 'array', contains: { const: 'safe' } };

describe('contains judges each array by itself', () => {
  const of = (schema: object) =>
    Object.values(DRAFTS)
      .slice(1)
      .map(($schema) => [$schema, schema] as [string, object]);

  test.each([
    ...of({ items: { properties: { tags } } }),
    ...of({ additionalProperties: { properties: { tags } } }),
    ...of({ patternProperties: { '': { properties: { tags } } } }),
    ...of({ items: { allOf: [{ properties: { tags } }] }, additionalProperties: { properties: { tags } } }),
  ])('of %s in %j', ($schema, schema) => {
    const good = { tags: ['safe'] };
    const none = { tags: [] };
    const wrap = (...all: object[]) =>
      JSON.stringify('items' in schema && !('additionalProperties' in schema) ? all : { ...all });
    const whole = { $schema, ...schema };
    expect(score(whole, wrap(good, none))).toBe(0);
    expect(score(whole, wrap(none, good))).toBe(0);
    expect(score(whole, wrap(good, good))).toBe(1);
    expect(score(whole, wrap(good, { tags: ['x', 'safe'] }))).toBe(1);
  });

  test.each([
    [
      'below unevaluatedProperties',
      { unevaluatedProperties: { properties: { tags } } },
      '{"a":{"tags":["safe"]},"b":{"tags":[]}}',
      0,
    ],
    ['with minContains 0', { items: { contains: { const: 1 }, minContains: 0 } }, '[[1],[]]', 1],
    ['with minContains 2', { items: { contains: { const: 1 }, minContains: 2 } }, '[[1,1],[1]]', 0],
    [
      'with a count, beside unevaluatedItems',
      { contains: { const: 1 }, minContains: 2, unevaluatedItems: true },
      '[1]',
      0,
    ],
    ['with maxContains', { items: { contains: { const: 1 }, maxContains: 1 } }, '[[1],[1,1]]', 0],
    ['limits that contradict', { contains: {}, minContains: 2, maxContains: 1 }, '[1,1]', 0],
    ['anything', { items: { contains: true } }, '[[1],[]]', 0],
  ])('%s', (_, schema, output, expected) => {
    expect(score(schema, output)).toBe(expected);
  });

  test('and names what the array lacks', () => {
    expect(result({ items: tags }, '[["safe"],[]]').scorer_output.errors).toEqual([
      { instancePath: '/1', keyword: 'contains', message: 'must contain at least 1 valid item(s)' },
    ]);
  });
});

describe('what no other keyword has evaluated', () => {
  test.each<[string, object, string, number]>([
    [
      'contains',
      { prefixItems: [{ type: 'string' }], contains: { type: 'string' }, unevaluatedItems: false },
      '["a",42]',
      0,
    ],
    [
      'contains of 2019-09, which evaluates nothing',
      { $schema: DRAFTS[2019], contains: { type: 'string' }, unevaluatedItems: false },
      '["a"]',
      0,
    ],
    [
      'anyOf',
      {
        anyOf: [{ type: 'array' }, { prefixItems: [{ type: 'string' }, { type: 'string' }] }],
        unevaluatedItems: false,
      },
      '["a",1]',
      0,
    ],
    ['if that does not hold', { if: { prefixItems: [{ const: 1 }] }, unevaluatedItems: false }, '[2]', 0],
    [
      'if without then',
      {
        if: { properties: { a: { const: 1 } }, required: ['a'] },
        else: { properties: { b: true } },
        unevaluatedProperties: false,
      },
      '{"a":1,"b":1}',
      0,
    ],
    [
      'a cousin',
      { allOf: [{ properties: { a: true } }], if: false, else: { unevaluatedProperties: false } },
      '{"a":1}',
      0,
    ],
    ['not', { not: { not: { properties: { a: true } } }, unevaluatedProperties: false }, '{"a":1}', 0],
    [
      'a reference',
      { $ref: '#/$defs/s', $defs: { s: { properties: { a: true } } }, unevaluatedProperties: false },
      '{"a":1}',
      1,
    ],
    [
      'names such as toString',
      { properties: { a: true }, unevaluatedProperties: false },
      '{"toString":1}',
      0,
    ],
    ['the name __proto__', { properties: { a: true }, unevaluatedProperties: false }, '{"__proto__":1}', 0],
  ])('by %s', (_, schema, output, expected) => {
    expect(score(schema, output)).toBe(expected);
  });

  test('the errors are shown as all are', () => {
    const shown = result({ properties: { a: true }, unevaluatedProperties: false }, '{"a":1,"b":2}');
    expect(shown.reason).toBe('output must NOT have unevaluated properties: "b"');
  });
});

describe('$dynamicRef', () => {
  const $defs = { s: { type: 'string', $anchor: 'text' } };

  test.each(['#/$defs/s', '#text'])('to %s is a reference like any other', ($dynamicRef) => {
    expect(score({ $defs, properties: { n: { $dynamicRef } } }, '{"n":1}')).toBe(0);
    expect(score({ $defs, properties: { n: { $dynamicRef } } }, '{"n":"a"}')).toBe(1);
  });

  test.each(['#/$defs/none', '#none', 'https://example.com/other#text'])(
    'to %s is refused',
    async ($dynamicRef) => {
      const schema = { $defs, properties: { n: { $dynamicRef } } };
      const checked = await validateScorerConfig('json_schema', { schema });
      expect(checked.ok ? '' : checked.issues[0]?.message).toContain('only references within the schema');
      expect(result(schema, '{"n":1}')).toMatchObject({ passed: false, errored: true });
    },
  );
});

test('what generated code throws on is interpreted', () => {
  const schema = {
    anyOf: [{ additionalProperties: { type: 'string' } }, { required: ['n'] }],
    patternProperties: { '^x-': { type: 'string' } },
  };
  expect(score(schema, '{"x-a":"b","n":1}')).toBe(1);
  expect(score(schema, '{"x-a":1,"n":1}')).toBe(0);
  expect(score(schema, '{"x-a":"b"}')).toBe(1);
});

describe('a keyword beside $ref', () => {
  const schema = { items: { $ref: '#/definitions/a', type: 'string' }, definitions: { a: { maximum: 5 } } };

  test.each([4, 6, 7] as const)('is ignored in draft %s', (version) => {
    const whole = { $schema: DRAFTS[version], ...schema };
    expect(score(whole, '[1]')).toBe(1);
    expect(score(whole, '[6]')).toBe(0);
    const root = { $schema: DRAFTS[version], ...schema.items, definitions: schema.definitions };
    expect(score(root, '1')).toBe(1);
  });

  test.each([2019, 2020] as const)('counts in draft %s', (version) => {
    expect(score({ $schema: DRAFTS[version], ...schema }, '[1]')).toBe(0);
  });

  test('is no property of a dual-sided scorer either', () => {
    const beside = {
      $schema: DRAFTS[7],
      $ref: '#/definitions/a',
      required: ['x'],
      definitions: { a: { required: ['a'], properties: { a: { type: 'string' } } } },
    };
    const dual = scoreOne(caseOf('json_schema', { schema: beside }, { dual_sided: true }), '{"a":1}');
    expect(dual.scorer_output).toMatchObject({ false_negatives: 1, recall: 0 });
  });
});

describe('a keyword that the draft does not know', () => {
  test.each<[number, object, string]>([
    [4, { const: 1 }, 'const'],
    [4, { items: { contains: {} } }, 'items.contains'],
    [6, { if: { const: 1 }, else: false }, 'if'],
    [7, { unevaluatedProperties: false }, 'unevaluatedProperties'],
    [7, { dependentRequired: { a: ['b'] } }, 'dependentRequired'],
    [2019, { prefixItems: [{ const: 1 }] }, 'prefixItems'],
    [2019, { $dynamicRef: '#' }, '$dynamicRef'],
    [2020, { $recursiveRef: '#' }, '$recursiveRef'],
    [2020, { prefixItems: [true], additionalItems: false }, 'additionalItems'],
  ])('of draft %s in %j is refused, and a stored one is a scorer error', async (version, keywords, path) => {
    const schema = { $schema: DRAFTS[version as keyof typeof DRAFTS], ...keywords };
    const checked = await validateScorerConfig('json_schema', { schema });
    expect(checked.ok ? [] : checked.issues.map((issue) => issue.path)).toContain(`config.schema.${path}`);
    for (const output of ['1', '{"a":1}', '[2,3]']) {
      expect(result(schema, output)).toMatchObject({ passed: false, errored: true });
    }
  });

  test('and another draft in a part of the schema', async () => {
    const schema = { $defs: { a: { $schema: DRAFTS[7], type: 'string' } }, $ref: '#/$defs/a' };
    expect(await validateScorerConfig('json_schema', { schema })).toMatchObject({
      ok: false,
      issues: [{ path: 'config.schema.$defs.a.$schema' }],
    });
    expect(result(schema, '"a"')).toMatchObject({ passed: false, errored: true });
  });
});

describe('a number that is read as another one', () => {
  const big = '9007199254740993';

  test.each([
    [{ maximum: 9007199254740992 }, big],
    [{ properties: { id: { minimum: 1 } } }, `{"id":${big}}`],
    [{ multipleOf: 2 }, big],
    [{ uniqueItems: true }, `[${big},9007199254740992]`],
    [{ format: 'int64' }, '9223372036854775807'],
    [{ enum: [9007199254740991] }, '12345678901234567891'],
    [{ minimum: 0 }, '9007199254740992.5'],
    [{ type: 'integer' }, '9007199254740993.5'],
    [{ not: { type: 'integer' } }, '9007199254740993.5'],
    [{ $ref: '#/x', x: { type: 'integer' } }, '0.99999999999999999999'],
    [{ type: 'integer' }, '-10000000000000000001e-19'],
    [{ type: 'integer' }, '1e-400'],
    [{ multipleOf: 1 }, '1.00000000000000000001'],
    [{ format: 'int32' }, '1.00000000000000000001'],
    [{ $ref: '#/x', x: { const: 1 } }, big],
    [{ exclusiveMinimum: 0 }, `["\\"", ${big}]`],
  ])('is not judged by %j: %s', (schema, output) => {
    expect(result(schema, output)).toMatchObject({ score: 0, errored: false });
    expect(result(schema, output).reason).toMatch(
      /^output is not usable JSON: it holds .*(read as another|too small to read)/,
    );
  });

  test.each([
    ['where numbers are not compared', { properties: { id: { type: 'integer' } } }, `{"id":${big}}`],
    ['where a text has a format', { properties: { at: { format: 'date' } } }, `{"id":${big}}`],
    ['that is whole with an exponent', { type: 'integer' }, '1000000000000000000000000e-20'],
    ['that is whole behind the point', { type: 'integer' }, '12.00000000000000000000'],
    ['that is zero', { type: 'integer' }, '-0.0000000000000000000e-400'],
    ['that is exact', { minimum: 1 }, '9007199254740994'],
    ['that is an approximation by how it is written', { minimum: 1 }, '6.02214076e23'],
    ['in a text', { properties: { id: { minimum: 1 } } }, `{"id":"${big}"}`],
    ['with many figures behind the point', { minimum: 0 }, '0.12345678901234567890'],
    ['that is small', { minimum: 1 }, '9007199254740991'],
  ])('unlike one %s', (_, schema, output) => {
    expect(score(schema, output)).toBe(1);
  });
});
