import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { caseOf, scoreOne } from '../cases.ts';
import { DRAFTS, type Version } from './randomSchemas.ts';

/** Places that a meta-schema takes for no schema, each with a schema that refers there. */
const BEHIND: Readonly<Record<string, (part: unknown) => object>> = {
  '#/x': (x) => ({ $ref: '#/x', x }),
  '#/default': (part) => ({ $ref: '#/default', default: part }),
  '#/examples/0': (part) => ({ items: { $ref: '#/examples/0' }, examples: [part] }),
  '#/x/0/0': (part) => ({ properties: { a: { $ref: '#/x/0/0' } }, x: [[part]] }),
  '#/components/schemas/P': (P) => ({ $ref: '#/components/schemas/P', components: { schemas: { P } } }),
  '#/components/schemas/properties': (properties) => ({
    allOf: [{ $ref: '#/components/schemas/properties' }],
    components: { schemas: { properties } },
  }),
  'an enum': (part) => ({ anyOf: [{ $ref: '#/enum/0/a' }], enum: [{ a: part }] }),
  'a reference to a reference': (part) => ({ $ref: '#/x', x: { items: { $ref: '#/y' } }, y: part }),
};
const OLD_DEFS = (U: unknown) => ({ $ref: '#/$defs/U', $defs: { U } });
const places = Object.entries(BEHIND);

const score = (schema: unknown, output: string) => scoreOne(caseOf('json_schema', { schema }), output);

async function expectRefused(schema: object, path?: string) {
  const checked = await validateScorerConfig('json_schema', { schema });
  expect({ schema, ok: checked.ok }).toEqual({ schema, ok: false });
  if (path !== undefined && !checked.ok) expect(checked.issues[0]?.path).toContain(path);
  // One that was stored before it would have been refused.
  for (const output of ['1', '{}', '[[1,"a"]]']) {
    expect({ schema, ...score(schema, output) }).toMatchObject({ schema, passed: false, errored: true });
  }
}

/** By keyword, a value that no draft takes. */
const WRONG: readonly (readonly [since: Version, keywords: Record<string, unknown>])[] = [
  [4, { type: 5 }],
  [4, { enum: 'a' }],
  [4, { minimum: '5' }],
  [4, { maxProperties: '1' }],
  [4, { required: 'name' }],
  [4, { required: true }],
  [4, { properties: { a: 'string' } }],
  [4, { anyOf: ['string'] }],
  [6, { exclusiveMinimum: true }],
  [7, JSON.parse('{"if":{},"then":"x"}')],
  [2019, { contains: {}, minContains: '1' }],
  [2019, { dependentRequired: { a: 'b' } }],
  [2020, { prefixItems: { 0: {} } }],
];

describe('a keyword of which the value has a wrong type', () => {
  const versions = Object.keys(DRAFTS).map(Number) as Version[];
  const inDraft = WRONG.flatMap(([since, keywords]) =>
    versions.filter((version) => version >= since).map((version) => [version, keywords] as const),
  );

  test.each(inDraft)(
    'of draft %s, %j, is refused wherever a reference leads to it',
    async (version, keywords) => {
      const $schema = DRAFTS[version];
      await expectRefused({ $schema, ...OLD_DEFS(keywords) }, 'config.schema.$defs.U');
      await expectRefused({ $schema, ...OLD_DEFS({ properties: { a: keywords } }) });
      const some = version === 2020 ? places : places.slice(0, 1);
      for (const [, behind] of some) await expectRefused({ $schema, ...behind(keywords) });
    },
  );
});

describe.each(places)('a schema behind %s', (_, behind) => {
  test.each<[string, Version, object]>([
    ['a format that is not checked', 2020, { format: 'emial' }],
    ['no keyword of JSON Schema', 2020, { type: 'string', nullable: true }],
    ['a rule for __proto__', 2020, { properties: JSON.parse('{"__proto__":{"type":"string"}}') }],
    ['a keyword of another draft', 7, { prefixItems: [{ type: 'string' }] }],
    ['another draft', 2020, { $schema: DRAFTS[7], type: 'string' }],
    ['a number that is not exact', 2020, { const: 2 ** 53 }],
    ['a pattern that does not compile', 2020, { pattern: '(' }],
    ['a promise', 2020, { $async: true }],
  ])('is refused with %s', async (_why, version, part) => {
    const schema = { $schema: DRAFTS[version], ...behind(part) };
    const checked = await validateScorerConfig('json_schema', { schema });
    expect(checked.ok).toBe(false);
  });

  test('is judged by keywords that generated code enforces in part', async () => {
    const text = { type: 'string' };
    const part = {
      anyOf: [{ type: 'array' }, { prefixItems: [text, text] }],
      unevaluatedItems: false,
      contains: { const: 'none' },
    };
    const schema = behind(part);
    expect(await validateScorerConfig('json_schema', { schema })).toMatchObject({ ok: true });
    for (const output of ['["a",1]', '[["a",1]]', '[[["a",1]]]', '{"a":["a",1]}']) {
      const { score: given } = score(schema, output);
      const applied = score(withoutReferences(part, schema), output).score;
      expect({ output, given }).toEqual({ output, given: applied });
    }
  });
});

/** The same schema, with the part in the place of the references to it. */
function withoutReferences(part: object, schema: object): object {
  const replaced = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value)
      return value.$ref === '#/x' && 'x' in schema && 'y' in schema ? { items: part } : part;
    return Array.isArray(value)
      ? value.map(replaced)
      : Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replaced(one)]));
  };
  const { $ref, ...rest } = schema as { $ref?: string };
  return $ref === undefined ? (replaced(rest) as object) : { allOf: [replaced({ $ref })], ...rest };
}

test.each([
  [{ type: 'object', 'x-ui': { format: 'textarea' } }, '{}'],
  [{ type: 'object', 'x-ui': { nullable: true, type: 5, $ref: '#/none' } }, '{}'],
  [{ default: { format: 'x', $anchor: 'a' }, examples: [{ $id: 'x' }, { $id: 'x' }] }, '1'],
])('what no reference leads to is no schema: %j', async (schema, output) => {
  expect(await validateScorerConfig('json_schema', { schema })).toMatchObject({ ok: true });
  expect(score(schema, output).score).toBe(1);
});

test.each([
  [{ $defs: { a: { $anchor: 'x', type: 'string' }, b: { $anchor: 'x' } }, $ref: '#x' }],
  [{ $defs: { a: { $dynamicAnchor: 'x', type: 'string' }, b: { $dynamicAnchor: 'x' } }, $ref: '#x' }],
  [{ $defs: { a: { $anchor: 'x', type: 'string' }, b: { $dynamicAnchor: 'x' } }, $ref: '#x' }],
  [
    {
      $schema: DRAFTS[7],
      definitions: { a: { $id: '#x', type: 'string' }, b: { $id: '#x' } },
      items: { $ref: '#x' },
    },
  ],
  [
    {
      $ref: '#/x',
      x: { $anchor: 'x' },
      allOf: [{ $ref: '#x' }],
      $defs: { a: { $anchor: 'x', type: 'string' } },
    },
  ],
])('one name of two schemas is refused: %j', async (schema) => {
  await expectRefused(schema);
});

test.each<[string, object, string, number]>([
  ['an encoded slash', { $ref: '#/$defs/a%2Fb', $defs: { 'a/b': {}, a: { b: false } } }, '1', 0],
  ['an encoded slash', { $ref: '#/$defs/a~1b', $defs: { 'a/b': false } }, '1', 0],
  [
    'an $id in a place that holds no schema',
    {
      $id: 'https://example.com/main',
      $ref: '#/$defs/a',
      $defs: { a: false },
      'x-other': { $id: 'https://example.com/main#/$defs/a' },
    },
    '1',
    0,
  ],
  [
    'a reference below such an $id',
    { $ref: '#/x/a', x: { $id: 'https://example.com/x', a: { $ref: '#/b' }, b: {} }, b: false },
    '1',
    0,
  ],
])(
  'a reference by %s, which generated code could resolve otherwise, leads where the draft defines',
  (_, schema, output, expected) => {
    expect(score(schema, output)).toMatchObject({ score: expected, errored: false });
  },
);
