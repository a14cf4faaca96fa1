import { describe, expect, test } from '@jest/globals';
import { Expected } from '../../../../shared/scoring/kit/reading/expected.ts';
import { Subject } from '../../../../shared/scoring/kit/reading/subject.ts';
import { isTooManyErrors } from '../../../../shared/scoring/schema/ajv/errorLimit.ts';
import { SCHEMA_TIMEOUT } from '../../../../shared/scoring/schema/errors.ts';
import { schemaScorer } from '../../../../shared/scoring/schema/scorer.ts';
import { compileSchema } from '../../../../shared/scoring/schema/validator.ts';
import { caseOf, scoreAll, scoreOne } from '../cases.ts';
import { bomb, doublingAnyOf, doublingRefs, ENDLESS, nested, timeout } from '../hostile.ts';
import { allowSlowMachine } from '../slowMachine.ts';

test.each([
  ['30 levels of doubled references', doublingRefs(30), '"x"'],
  ['a bomb of errors', doublingAnyOf(24), '"x"'],
  ['a pattern', { pattern: '^(a+)+$' }, ENDLESS],
  [
    'a property pattern',
    { patternProperties: { '^(a+)+$': {} } },
    JSON.stringify({ ['a'.repeat(40) + '!']: 1 }),
  ],
])('a schema that does not end is a scorer error: %s', (_, schema, output) => {
  expect(scoreOne(bomb(schema), output)).toMatchObject(timeout('SCHEMA_TIMEOUT'));
});

describe('a schema that takes long', () => {
  allowSlowMachine();

  test.each([
    ['itself', { $ref: '#' }],
    ['another', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['itself, dynamically', { $dynamicAnchor: 'a', $dynamicRef: '#a' }],
  ])('and refers to %s is a scorer error', (_, schema) => {
    expect(scoreOne(bomb(schema), '1')).toMatchObject(timeout('SCHEMA_RECURSION'));
  });

  test('and nests too deep to compile is a scorer error', () => {
    expect(scoreOne(bomb(nested(20_000)), '1')).toMatchObject({ passed: false, errored: true });
  });

  test.each([
    ['half a million wrong items', { items: { type: 'string' } }, new Array(499_999).fill(1), 0],
    [
      'as many, and a property named like generated code',
      { items: { required: ['vErrors.push('] } },
      new Array(100_000).fill({}),
      0,
    ],
  ])('with %s is judged without holding all errors', (_, schema, output, score) => {
    const result = scoreOne(bomb(schema), JSON.stringify(output));
    expect(result).toMatchObject({ score, errored: false });
    expect(result.scorer_output.valid).toBe(score === 1);
  });
});

test('a property named like generated code is a property like any other', () => {
  const schema = { required: ['vErrors.push(', 'errors = vErrors.length;', '";vErrors.push('] };
  const names = Object.fromEntries(schema.required.map((name) => [name, 1]));
  expect(scoreOne(bomb(schema), JSON.stringify(names)).score).toBe(1);
  expect(scoreOne(bomb(schema), '{}').reason).toContain("'errors = vErrors.length;'");
});

describe('errors below a property with a name of 50,000 characters', () => {
  allowSlowMachine();
  const name = 'n'.repeat(50_000);
  const output = JSON.stringify({ [name]: new Array(9_900).fill(0) });
  const text = { type: 'string' };
  const alternatives = { anyOf: [text, { items: { oneOf: [text, text] } }] };
  const schemas = [
    { additionalProperties: { items: text } },
    { additionalProperties: alternatives },
    { $ref: '#/$defs/all', $defs: { all: { patternProperties: { n: { items: text } } } } },
    { unevaluatedProperties: { items: text } },
    { unevaluatedProperties: alternatives },
    { unevaluatedProperties: { unevaluatedItems: text } },
  ];

  test.each(schemas)('are held in a few megabytes: of %j', (schema) => {
    let held: readonly { readonly instancePath: string }[] = [];
    try {
      held = compileSchema(schema).validate(JSON.parse(output)).errors;
    } catch (thrown) {
      if (!isTooManyErrors(thrown)) throw thrown;
      held = thrown.errorsHeld;
    }
    expect(held.length).toBeGreaterThan(10);
    const paths = new Set(held.map(({ instancePath }) => instancePath));
    expect([...paths].reduce((sum, path) => sum + path.length, 0)).toBeLessThan(5_000_000);
  });

  test.each(schemas.flatMap((schema) => [50_000, 900_000].map((length) => [schema, length] as const)))(
    'count once on either side: of %j, with %d characters',
    (schema, length) => {
      const long = 'n'.repeat(length);
      const required = { ...schema, required: [long] };
      const given = JSON.stringify({ [long]: new Array(20_000).fill(0) });
      const dual = scoreOne(caseOf('json_schema', { schema: required }, { dual_sided: true }), given);
      expect(dual).toMatchObject({ score: 0, errored: false });
      expect(dual.scorer_output).toMatchObject({ true_positives: 0, false_negatives: 1 });
    },
  );
});

describe('alternatives within alternatives', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { c: deep(levels - 1) });
  const output = JSON.stringify(deep(60));
  const node = (keyword: string) => ({
    [keyword]: [
      { type: 'string' },
      {
        type: 'object',
        properties: { c: { $ref: '#/$defs/t' } },
        required: ['c'],
        unevaluatedProperties: false,
      },
    ],
  });

  test.each(['anyOf', 'oneOf'])(
    'by %s are each evaluated once, with and without error reports',
    (keyword) => {
      const $defs = { t: node(keyword) };
      const heard = scoreOne(bomb({ $ref: '#/$defs/t', $defs }), output);
      expect(heard).toMatchObject({ score: 0, errored: false });
      expect(heard.reason).toMatch(/^output must be string; \/c must be string; /);
      const unheard = { [keyword]: [{ $ref: '#/$defs/t' }, { type: 'object' }], $defs };
      expect(scoreOne(bomb(unheard), output)).toMatchObject({ score: 1, errored: false });
      expect(scoreOne(bomb({ not: { $ref: '#/$defs/t' }, $defs }), output)).toMatchObject({ score: 1 });
    },
  );

  test('that match have no errors, and those that match twice have one', () => {
    const schema = { oneOf: [{ type: 'number' }, { minimum: 0 }, { maxLength: 0 }], unevaluatedItems: false };
    expect(scoreOne(bomb(schema), '1').scorer_output.errors).toEqual([
      { instancePath: '', keyword: 'oneOf', message: 'must match exactly one schema in oneOf' },
    ]);
    const none = { anyOf: [{ type: 'number' }, { minLength: 2 }], unevaluatedItems: false };
    expect(scoreOne(bomb(none), '"a"').reason).toBe(
      'output must be number; output must NOT have fewer than 2 characters; output must match a schema in anyOf',
    );
  });
});

test('a schema that was compiled stays so when a validation is interrupted', () => {
  let read = 0;
  const schema = new Proxy(
    { type: 'string' },
    {
      ownKeys(target) {
        read++;
        return Reflect.ownKeys(target);
      },
    },
  );
  const scorer = schemaScorer(schema, { dualSided: false }, { timeout: SCHEMA_TIMEOUT, limitMs: 250 });
  const score = () => scorer.score(new Subject('"a"'), new Expected(null)).score;
  expect(score()).toBe(1);
  const readOnce = read;
  scorer.reset();
  expect(score()).toBe(1);
  expect([readOnce > 0, read]).toEqual([true, readOnce]);
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
