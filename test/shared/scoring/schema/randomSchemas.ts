import fc from 'fast-check';

export type Version = 4 | 6 | 7 | 2019 | 2020;

export const DRAFTS = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
  2020: 'https://json-schema.org/draft/2020-12/schema',
};
export const VERSIONS: readonly Version[] = [4, 6, 7, 2019, 2020];

const NAMES = ['a', 'b', 'x-a', 'toString', 'constructor'];
const name = fc.constantFrom(...NAMES);
const scalar = fc.constantFrom<unknown>(0, 1, 2, 1.5, '', 'a', 'x-a', 'abc', null, true, false);

/** Small documents over few names and values, so that schemas of the same names and values often fit them. */
export const documents: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

const limit = fc.integer({ min: 0, max: 3 });
const names = fc.uniqueArray(name, { maxLength: 2 });
const pattern = fc.constantFrom('^x-', 'a', '^.$', 't');

type Schemas = fc.Arbitrary<unknown>;
type Keyword = readonly [
  since: Version,
  until: Version,
  keyword: string,
  value: (schema: Schemas) => Schemas,
];
const list = (schema: Schemas) => fc.array(schema, { minLength: 1, maxLength: 3 });
const map = (schema: Schemas) => fc.dictionary(name, schema, { maxKeys: 3, noNullPrototype: true });

const KEYWORDS: readonly Keyword[] = [
  [
    4,
    2020,
    'type',
    () => fc.constantFrom('object', 'array', 'string', 'integer', ['null', 'number', 'array']),
  ],
  [4, 2020, 'enum', () => fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 })],
  [6, 2020, 'const', () => documents],
  [4, 2020, 'minimum', () => limit],
  [6, 2020, 'exclusiveMaximum', () => limit],
  [4, 2020, 'maxLength', () => limit],
  [4, 2020, 'minItems', () => limit],
  [4, 2020, 'maxItems', () => limit],
  [4, 2020, 'uniqueItems', () => fc.boolean()],
  [4, 2020, 'maxProperties', () => limit],
  [4, 2020, 'required', () => fc.uniqueArray(name, { minLength: 1, maxLength: 2 })],
  [4, 2020, 'pattern', () => pattern],
  [4, 2020, 'properties', map],
  [4, 2020, 'properties', map],
  [
    4,
    2020,
    'patternProperties',
    (schema) => fc.dictionary(pattern, schema, { maxKeys: 2, noNullPrototype: true }),
  ],
  [4, 2020, 'additionalProperties', (schema) => schema],
  [6, 2020, 'propertyNames', (schema) => schema],
  [4, 2020, 'items', (schema) => schema],
  [4, 2019, 'items', list],
  [4, 2019, 'additionalItems', (schema) => schema],
  [2020, 2020, 'prefixItems', list],
  [6, 2020, 'contains', (schema) => schema],
  [2019, 2020, 'minContains', () => limit],
  [2019, 2020, 'maxContains', () => limit],
  [4, 2020, 'allOf', list],
  [4, 2020, 'anyOf', list],
  [4, 2020, 'oneOf', list],
  [4, 2020, 'not', (schema) => schema],
  [7, 2020, 'if', (schema) => schema],
  [7, 2020, 'then', (schema) => schema],
  [7, 2020, 'else', (schema) => schema],
  [4, 2020, 'dependencies', (schema) => fc.dictionary(name, schema, { maxKeys: 2, noNullPrototype: true })],
  [2019, 2020, 'dependentSchemas', map],
  [2019, 2020, 'dependentRequired', () => fc.dictionary(name, names, { maxKeys: 2, noNullPrototype: true })],
  [4, 2020, '$ref', () => fc.constantFrom('#/$defs/a', '#/$defs/b')],
];
const UNEVALUATED: readonly Keyword[] = [
  [2019, 2020, 'unevaluatedProperties', (schema) => fc.oneof(fc.constant(false), schema)],
  [2019, 2020, 'unevaluatedProperties', () => fc.constant(false)],
  [2019, 2020, 'unevaluatedItems', (schema) => fc.oneof(fc.constant(false), schema)],
  [2019, 2020, 'unevaluatedItems', () => fc.constant(false)],
];
const DYNAMIC: readonly Keyword[] = [
  [2020, 2020, '$dynamicRef', () => fc.constantFrom('#node', '#plain', '#/$defs/a', 'other#node')],
  [2019, 2019, '$recursiveRef', () => fc.constant('#')],
];

/** Schemas of one draft; `beyondAjv` are those with keywords that ajv is not trusted with. */
export function schemas(version: Version, beyondAjv: boolean): fc.Arbitrary<Record<string, unknown>> {
  const all = beyondAjv ? [...KEYWORDS, ...UNEVALUATED, ...UNEVALUATED, ...DYNAMIC] : KEYWORDS;
  const known = all.filter(([since, until]) => version >= since && version <= until);
  const { object } = fc.letrec<{ schema: unknown; object: Record<string, unknown> }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      version === 4 ? fc.constant({}) : fc.constantFrom<unknown>(true, false, {}),
      tie('object'),
      tie('object'),
      tie('object'),
    ),
    object: fc
      .uniqueArray(
        fc.oneof(
          ...known.map(([, , keyword, value]) =>
            value(tie('schema')).map((made) => [keyword, made] as const),
          ),
        ),
        { selector: ([keyword]) => keyword, minLength: 1, maxLength: 4 },
      )
      .map((entries) => Object.fromEntries(entries)),
  }));
  const root: fc.Arbitrary<Record<string, unknown>> = beyondAjv ? withAnchors(version, object) : object;
  return fc.record({ root, a: object, b: object }).map(({ root: schema, a, b }) => ({
    $schema: DRAFTS[version],
    ...schema,
    $defs: { ...(schema.$defs as object | undefined), a, b },
  }));
}

function withAnchors(
  version: Version,
  object: fc.Arbitrary<Record<string, unknown>>,
): fc.Arbitrary<Record<string, unknown>> {
  if (version === 2019) return object.map((schema) => ({ ...schema, $recursiveAnchor: true }));
  return fc.record({ root: object, plain: object, node: object, other: object }).map((made) => ({
    ...made.root,
    $dynamicAnchor: 'node',
    $defs: {
      plain: { ...made.plain, $anchor: 'plain' },
      other: {
        ...made.other,
        $id: 'other',
        $defs: {
          node: { ...made.node, $dynamicAnchor: 'node' },
          a: { ...made.plain, $anchor: 'plain' },
          b: { minItems: 1 },
        },
      },
    },
  }));
}
