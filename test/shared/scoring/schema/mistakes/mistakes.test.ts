import { describe, expect, test } from '@jest/globals';
import { validateScorerConfig } from '../../../../../shared/scoring/registry.ts';
import { FORMATS } from '../../../../../shared/scoring/schema/formats/formats.ts';

const PERSON = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

async function issuesOf(schema: object) {
  const checked = await validateScorerConfig('json_schema', { schema });
  return checked.ok ? [] : checked.issues;
}

/** Where a schema may stand within another one. */
const AROUND: readonly (readonly [path: string, around: (schema: object) => object])[] = [
  ['', (schema) => schema],
  ['.properties.a', (schema) => ({ properties: { a: schema } })],
  ['.items', (schema) => ({ items: schema })],
  ['.$defs.a', (schema) => ({ $ref: '#/$defs/a', $defs: { a: schema } })],
  ['.definitions.a', (schema) => ({ $ref: '#/definitions/a', definitions: { a: schema } })],
  ['.anyOf.1.not', (schema) => ({ anyOf: [{ type: 'null' }, { not: schema }] })],
  [
    '.components.schemas.A',
    (schema) => ({ $ref: '#/components/schemas/A', components: { schemas: { A: schema } } }),
  ],
];

test.each([
  ['require', ['name'], 'required'],
  ['additional_properties', false, 'additionalProperties'],
  ['MAX_LENGTH', 5, 'maxLength'],
  ['maxLenght', 5, 'maxLength'],
  ['property', { a: {} }, 'properties'],
  ['tpye', 'string', 'type'],
  ['ref', '#/$defs/a', '$ref'],
  ['schema', 'http://json-schema.org/draft-07/schema#', '$schema'],
  ['min', 1, 'minimum'],
  ['divisibleBy', 2, 'multipleOf'],
  ['additional_props', false, 'additionalProperties'],
  ['minimumLength', 2, 'minLength'],
  ['exclusive_min', 2, 'exclusiveMinimum'],
  ['gte', 2, 'minimum'],
  ['requiredFields', ['name'], 'required'],
  ['optionalProperties', { b: {} }, 'properties'],
  ['bsonType', 'string', 'type'],
])('the misspelt keyword %s is refused wherever it is, with a suggestion', async (word, value, suggested) => {
  for (const beside of [{}, { type: 'object' }, PERSON]) {
    for (const [path, around] of AROUND) {
      const [issue] = await issuesOf(around({ ...beside, [word]: value }));
      expect(issue).toEqual({
        path: `config.schema${path}.${word}`,
        message: expect.stringContaining(`\`${suggested}\``),
      });
    }
  }
});

describe('a schema within something else', () => {
  test.each<[string, object, string]>([
    ['a name and a schema', { name: 'person', schema: PERSON }, 'schema'],
    ['a tool of Anthropic', { name: 'p', description: 'P', input_schema: PERSON }, 'input_schema'],
    ['a function', { name: 'p', strict: true, parameters: PERSON }, 'parameters'],
    [
      'a tool of OpenAI',
      { type: 'function', function: { name: 'p', parameters: PERSON } },
      'function.parameters',
    ],
    [
      'a response format',
      { type: 'json_schema', json_schema: { name: 'p', strict: true, schema: PERSON } },
      'json_schema.schema',
    ],
    [
      'a list of tools',
      { tools: [{ type: 'function', function: { parameters: PERSON } }] },
      'tools.0.function.parameters',
    ],
    [
      'a config of Gemini',
      { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT' } },
      'responseSchema',
    ],
    [
      'a validator of MongoDB',
      { $jsonSchema: { bsonType: 'object', properties: { a: { bsonType: 'int' } } } },
      '$jsonSchema',
    ],
    ['names of schemas', { Person: PERSON, Order: { $ref: '#/Person' } }, ''],
    ['a list of types', { schema: { type: ['object', 'null'] } }, 'schema'],
  ])('%s is refused, with the place of the schema', async (_, schema, place) => {
    const issues = await issuesOf(schema);
    expect(issues).not.toEqual([]);
    if (place !== '') expect(issues[0]?.message).toContain(`send the content of \`${place}\``);
  });

  test.each<[string, object, string]>([
    ['an object', { type: 'object', name: { type: 'string' } }, 'name'],
    [
      'a strict object',
      { type: 'object', required: ['name'], additionalProperties: true, name: { type: 'string' } },
      'name',
    ],
    ['an item', { items: { type: 'object', sku: { type: 'string' } } }, 'items.sku'],
    ['an object with fields', { type: 'object', fields: { name: { type: 'string' } } }, 'fields'],
    ['a list', { type: 'array', minItems: 1, of: { type: 'string' } }, 'of'],
    ['a wrapper with a type', { type: 'object', json_schema: { schema: PERSON } }, 'json_schema'],
    ['a property', { properties: { address: { street: { type: 'string' } } } }, 'properties.address.street'],
    [
      'a parameter of OpenAPI',
      { properties: { a: { in: 'query', schema: { type: 'integer' } } } },
      'properties.a.schema',
    ],
  ])(
    '%s with schemas beside its keywords instead of below `properties` is refused',
    async (_, schema, place) => {
      expect((await issuesOf(schema)).map(({ path }) => path)).toContain(`config.schema.${place}`);
    },
  );

  test.each<[string, object]>([
    ['an example of the data', { name: 'Ann', age: 30 }],
    ['a list of types by name', { name: 'string', age: 'number' }],
    ['definitions that nothing refers to', { $defs: { Person: PERSON } }],
    ['a name without a schema', { title: 'Person', strict: true }],
  ])('%s as the whole schema checks nothing and is refused', async (_, schema) => {
    expect(await issuesOf(schema)).toHaveLength(1);
  });
});

test.each<[keyword: string, schema: object]>([
  ['properties', { type: 'array', properties: { a: { type: 'string' } } }],
  ['required', { type: ['string', 'null'], required: ['a'] }],
  ['items', { type: 'object', items: { type: 'string' } }],
  ['minimum', { type: 'string', minimum: 3 }],
  ['maxLength', { type: ['integer', 'boolean'], maxLength: 3 }],
  ['format', { type: ['integer', 'null'], format: 'date' }],
  ['format', { type: 'string', format: 'int32' }],
  ['format', { type: 'array', format: 'double' }],
])(
  '%s that checks nothing beside the `type` of its schema is refused wherever it is',
  async (keyword, schema) => {
    for (const [path, around] of AROUND)
      expect((await issuesOf(around(schema))).map((issue) => issue.path)).toEqual([
        `config.schema${path}.${keyword}`,
      ]);
  },
);

test.each<[string, object]>([
  ['anything', {}],
  [
    'keywords of one type where another one may be, or none is said',
    {
      type: ['object', 'array', 'null'],
      properties: { a: { type: 'integer', minimum: 1 } },
      minItems: 1,
      anyOf: [{ required: ['a'] }, { minLength: 2 }, { type: 'string', required: [], properties: {} }],
    },
  ],
  [
    'anything of a draft, with a name',
    { $schema: 'http://json-schema.org/draft-07/schema#', title: 'Any', $comment: 'c' },
  ],
  ['words that begin with x-', { 'x-order': 1, 'X-Schema': { type: 'string' }, 'x-require': ['a'] }],
  ['$comment', { $comment: 'require' }],
  [
    'words of vendors',
    {
      ...PERSON,

      example: { type: 'object', require: 1 },
      discriminator: { propertyName: 'kind' },
      xml: { name: 'p' },

      externalDocs: { url: 'u' },
      errorMessage: { properties: { name: 'no' } },
      markdownDescription: 'm',
      enumNames: ['a'],
      tsType: 'T',
      propertyOrder: 1,
      multiple: true,
      note: 'n',
      cost: 1,
      when: 'now',
      options: {},
      label: 'l',
      version: '1',
      strict: true,
      name: 'n',
      unit: 'kg',
      id: 'person',
    },
  ],
  [
    'properties of such names',
    { properties: { require: {}, min: {}, schema: { type: 'string' }, parameters: PERSON } },
  ],
  [
    'data of such names',
    { const: { require: 1 }, enum: [{ schema: PERSON }], default: { input_schema: PERSON } },
  ],
  [
    'schemas that a reference leads to',
    { $ref: '#/components/schemas/A', components: { schemas: { A: PERSON } } },
  ],
  [
    'schemas beside properties that a reference leads to',
    { type: 'object', additionalProperties: { $ref: '#/Person' }, Person: PERSON },
  ],
])('%s stays allowed', async (_, schema) => {
  expect(await issuesOf(schema)).toEqual([]);
});

test.each(Object.entries(FORMATS))(
  'the format %s is taken beside the type of its values, and beside no other one alone',
  async (format, { type }) => {
    const own = type === 'number' ? ['number', 'integer', ['integer', 'string']] : ['string'];
    const others = ['string', 'number', 'integer', 'boolean'].filter((name) => !own.includes(name));
    for (const name of own) expect(await issuesOf({ type: name, format })).toEqual([]);
    for (const name of others)
      expect(await issuesOf({ type: name, format })).toMatchObject([
        { path: 'config.schema.format', message: expect.stringContaining(`for values of type ${type}`) },
      ]);
  },
);
