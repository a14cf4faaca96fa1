import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const create = (type: string, config: unknown) =>
  client('POST', `/v1/projects/${project.slug}/scorers`, { name: 'n', type, config });

const RUBRIC = 'Is the answer polite?';

/** One of each operation, and names of object internals. */
const ASSERTIONS: readonly object[] = [
  { path: "$.a['b c'][0, -1][::2][?@.d > 1 && !@.e]..*", op: 'equals', value: { constructor: [null, 1.5] } },
  { path: '$.a', op: 'not_equals', value: { $expected: '/a/0' }, tolerance: 0.5 },
  { path: '$.a', op: 'contains', value: '' },
  { path: "$[?search(@.a, '[0-9]+')]", op: 'matches', value: '^a+$', flags: 'i' },
  { path: '$.a', op: 'gte', value: -1 },
  { path: '$.a', op: 'lte', value: { $expected: '' } },
  { path: '$', op: 'exists' },
  { path: '$.a', op: 'absent' },
  { path: '$.a', op: 'length_gte', value: 0 },
  { path: '$.a', op: 'length_lte', value: 10 },
];

/** `kept` is the config as it is answered, where that is more or less than what was sent. */
const GOOD: readonly [type: string, title: string, config: object, kept?: object][] = [
  ['exact_match', 'nothing', {}, { case_sensitive: true }],
  ['exact_match', 'case_sensitive', { case_sensitive: false }],
  ['contains', 'values only', { values: ['a'] }, { values: ['a'], mode: 'all' }],
  ['contains', 'mode all', { values: ['a', 'é🎉'], mode: 'all' }],
  ['contains', 'mode any', { values: ['a', 'a'], mode: 'any' }],
  ['contains', 'mode none', { values: [' '], mode: 'none' }],
  ['contains', '1,000 values', { values: Array(1_000).fill('v'), mode: 'any' }],
  ['regex', 'a pattern only', { pattern: '^ok$' }, { pattern: '^ok$', flags: '', should_match: true }],
  ['regex', 'all fields', { pattern: '\\p{L}(?<x>a)\\k<x>', flags: 'dgimsuy', should_match: false }],
  ['regex', 'a pattern of 512 characters', { pattern: 'a'.repeat(512), flags: '', should_match: true }],
  ['json_schema', 'an empty schema', { schema: {} }],
  [
    'json_schema',
    'a schema',
    { schema: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } } },
  ],
  ['json_schema', 'draft 04', { schema: { $schema: 'http://json-schema.org/draft-04/schema#', id: 'x' } }],
  [
    'json_schema',
    'draft 07',
    { schema: { $schema: 'http://json-schema.org/draft-07/schema#', contains: {}, const: 1 } },
  ],
  ['json_schema', 'draft 2019-09', { schema: { $schema: 'https://json-schema.org/draft/2019-09/schema' } }],
  [
    'json_schema',
    'an unknown keyword and format',
    { schema: { 'x-note': 1, title: 'T', format: 'date-time' } },
  ],
  ['json_schema', 'references within', { schema: { $ref: '#/$defs/a', $defs: { a: { type: 'null' } } } }],
  ['contains', 'case_sensitive', { values: ['a'], mode: 'none', case_sensitive: false }],
  ['json_schema', 'extract', { schema: {}, extract: 'embedded' }],
  [
    'json_path',
    'an assertion only',
    { assertions: [{ path: '$.a', op: 'exists' }] },
    { assertions: [{ path: '$.a', op: 'exists' }], extract: 'whole', partial: false },
  ],
  ['json_path', 'all fields', { assertions: ASSERTIONS, extract: 'fenced', partial: true }],
  [
    'similarity',
    'a metric only',
    { metric: 'levenshtein' },
    { metric: 'levenshtein', case_sensitive: true, normalize_whitespace: true },
  ],
  ['similarity', 'all fields', { metric: 'rouge_l', case_sensitive: false, normalize_whitespace: false }],
  ['exact_match', 'forms', { case_sensitive: true, normalize: true, ignore_reasoning: true }],
  ['contains', 'forms', { values: ['a'], mode: 'none', normalize: true, ignore_reasoning: false }],
  [
    'regex',
    'forms',
    { pattern: 'a', flags: '', should_match: false, normalize: true, ignore_reasoning: true },
  ],
  ['json_schema', 'ignore_reasoning', { schema: {}, ignore_reasoning: true }],
  ['llm_judge', 'ignore_reasoning', { rubric: RUBRIC, _provider: 'openai', ignore_reasoning: true }],
  ['metric', 'both fields', { field: 'total_tokens', max: 1_000 }],
  ['llm_judge', 'the least', { rubric: RUBRIC, _provider: 'openai' }],
  ['llm_judge', 'a model', { rubric: RUBRIC, _provider: 'anthropic', model: 'm-1' }],
  ['llm_judge', 'a scale', { rubric: RUBRIC, _provider: 'google', scale: [{ score: 1, label: 'yes' }, 0] }],
  [
    'llm_judge',
    'a deployment',
    { rubric: RUBRIC, _provider: 'azure_openai', model: 'https://x.openai.azure.com|dep' },
  ],
  ['llm_judge', 'a default deployment', { rubric: RUBRIC, _provider: 'azure_openai' }],
  ['llm_judge', 'alias provider_a', { rubric: RUBRIC, _provider: 'provider_a' }],
  ['llm_judge', 'alias provider_b', { rubric: RUBRIC, _provider: 'provider_b' }],
  ['llm_judge', 'alias provider_c', { rubric: RUBRIC, _provider: 'provider_c' }],
  [
    'llm_judge',
    'alias provider_a_cloud',
    { rubric: RUBRIC, _provider: 'provider_a_cloud', model: 'https://x.services.ai.azure.com|d' },
  ],
];

/** A chain of references that doubles at each step: 2^24 ways through it. */
const doublingSchema = {
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: 25 }, (_, i) => [
      `d${i}`,
      i === 24
        ? { type: 'string' }
        : { anyOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  ),
};
const deepSchema = (levels: number): object =>
  levels === 0 ? {} : { properties: { a: deepSchema(levels - 1) } };

type Bad = readonly [type: string, title: string, config: object, ...paths: string[]];

const asserting = (title: string, assertion: object, field: string): Bad => [
  ...(['json_path', title, { assertions: [assertion] }] as const),
  `config.assertions.0.${field}`,
];

/** Whatever is wrong with one of its levels, the scale is named. */
const scaling = (title: string, scale: readonly unknown[]): Bad => [
  ...(['llm_judge', title, { rubric: RUBRIC, _provider: 'openai', scale }] as const),
  'config.scale',
];

const BAD: readonly Bad[] = [
  ['exact_match', 'case_sensitive as text', { case_sensitive: 'false' }, 'config.case_sensitive'],
  ['exact_match', 'case_sensitive null', { case_sensitive: null }, 'config.case_sensitive'],
  ['contains', 'nothing', {}, 'config.values'],
  ['contains', 'no values', { values: [] }, 'config.values'],
  ['contains', 'values as text', { values: 'a' }, 'config.values'],
  ['contains', 'an empty value', { values: ['a', ''] }, 'config.values.1'],
  ['contains', 'a value that is no text', { values: [1] }, 'config.values.0'],
  ['contains', '1,001 values', { values: Array(1_001).fill('v') }, 'config.values'],
  ['contains', 'an invisible value', { values: ['\u200b'], normalize: true }, 'config.values.0'],
  ['contains', 'normalize as text', { values: ['a'], normalize: 'yes' }, 'config.normalize'],
  ['regex', 'what is never normalized', { pattern: '“', normalize: true }, 'config.pattern'],
  ['metric', 'reasoning', { field: 'cost_usd', max: 1, ignore_reasoning: true }, 'config.ignore_reasoning'],
  ['similarity', 'normalize', { metric: 'rouge_l', normalize: true }, 'config.normalize'],
  ['contains', 'an unknown mode', { values: ['a'], mode: 'most' }, 'config.mode'],
  ['contains', 'everything wrong', { values: 1, mode: 1 }, 'config.values', 'config.mode'],
  ['regex', 'nothing', {}, 'config.pattern'],
  ['regex', 'a pattern that is no text', { pattern: 5 }, 'config.pattern'],
  ['regex', 'an open group', { pattern: '(' }, 'config.pattern'],
  ['regex', 'an empty pattern', { pattern: '' }, 'config.pattern'],
  ['regex', 'an anchor of other engines', { pattern: '\\Asecret', should_match: false }, 'config.pattern'],
  ['regex', 'a class of POSIX', { pattern: '[[:digit:]]' }, 'config.pattern'],
  asserting('a class of Unicode without u', { path: '$', op: 'matches', value: '\\p{L}' }, 'value'),
  asserting('flags without a pattern', { path: '$', op: 'exists', flags: 'i' }, 'flags'),
  ['regex', 'a bad range', { pattern: 'a{2,1}' }, 'config.pattern'],
  ['regex', 'what only the flag u refuses', { pattern: '\\-', flags: 'u' }, 'config.pattern'],
  ['regex', 'a pattern of 513 characters', { pattern: 'a'.repeat(513) }, 'config.pattern'],
  ['regex', 'an unknown flag', { pattern: 'a', flags: 'x' }, 'config.flags'],
  ['regex', 'the flag v', { pattern: 'a', flags: 'v' }, 'config.flags'],
  ['regex', 'a flag twice', { pattern: 'a', flags: 'ii' }, 'config.flags'],
  ['regex', 'flags that are no text', { pattern: 'a', flags: ['i'] }, 'config.flags'],
  ['regex', 'should_match as text', { pattern: 'a', should_match: 'yes' }, 'config.should_match'],
  [
    'regex',
    'everything wrong',
    { flags: 'v', should_match: 0 },
    'config.pattern',
    'config.flags',
    'config.should_match',
  ],
  ['json_schema', 'nothing', {}, 'config.schema'],
  ['json_schema', 'a schema as text', { schema: '{}' }, 'config.schema'],
  ['json_schema', 'a boolean schema', { schema: true }, 'config.schema'],
  ['json_schema', 'an unknown type', { schema: { type: 'strin' } }, 'config.schema.type'],
  [
    'json_schema',
    'a type in a property',
    { schema: { properties: { a: { type: 5 } } } },
    'config.schema.properties.a.type',
  ],
  ['json_schema', 'required as text', { schema: { required: 'a' } }, 'config.schema.required'],
  ['json_schema', 'a bad pattern', { schema: { items: { pattern: '(' } } }, 'config.schema.items.pattern'],
  [
    'json_schema',
    'an unknown draft',
    { schema: { $schema: 'http://json-schema.org/draft-99/schema' } },
    'config.schema.$schema',
  ],
  [
    'json_schema',
    'a reference to a URL',
    { schema: { $ref: 'https://example.com/s.json' } },
    'config.schema',
  ],
  ['json_schema', 'a reference to nothing', { schema: { $ref: '#/$defs/none' } }, 'config.schema'],
  ['json_schema', 'a reference to itself', { schema: { $ref: '#' } }, 'config.schema'],
  [
    'json_schema',
    'a misspelt keyword',
    { schema: { items: { type: 'object', require: ['a'] } } },
    'config.schema.items.require',
  ],
  [
    'json_schema',
    'a schema within a tool',
    { schema: { name: 'a', input_schema: { type: 'object' } } },
    'config.schema.input_schema',
  ],
  ['json_schema', '$async', { schema: { $async: true } }, 'config.schema.$async'],
  ['json_schema', 'a bomb of references', { schema: doublingSchema }, 'config.schema'],
  ['json_schema', 'more than 32 levels', { schema: deepSchema(17) }, 'config.schema'],
  ['json_schema', 'more than 64 kB', { schema: { description: 'x'.repeat(65_536) } }, 'config.schema'],
  ['llm_judge', 'nothing', {}, 'config.rubric', 'config._provider'],
  ['llm_judge', 'a blank rubric', { rubric: ' \n', _provider: 'openai' }, 'config.rubric'],
  ['llm_judge', 'a rubric too long', { rubric: 'r'.repeat(32_769), _provider: 'openai' }, 'config.rubric'],
  ['llm_judge', 'an unknown provider', { rubric: RUBRIC, _provider: 'provider_d' }, 'config._provider'],
  ['llm_judge', 'an empty model', { rubric: RUBRIC, _provider: 'openai', model: '' }, 'config.model'],
  ['llm_judge', 'a blank model', { rubric: RUBRIC, _provider: 'openai', model: ' ' }, 'config.model'],
  [
    'llm_judge',
    'a line break in its model',
    { rubric: RUBRIC, _provider: 'google', model: 'm\n' },
    'config.model',
  ],
  [
    'llm_judge',
    'a model that is no text',
    { rubric: RUBRIC, _provider: 'openai', model: ['m'] },
    'config.model',
  ],
  ['llm_judge', 'a model that is null', { rubric: RUBRIC, _provider: 'openai', model: null }, 'config.model'],
  [
    'llm_judge',
    'a model too long',
    { rubric: RUBRIC, _provider: 'openai', model: 'm'.repeat(2_049) },
    'config.model',
  ],
  ['llm_judge', 'no deployment', { rubric: RUBRIC, _provider: 'azure_openai', model: 'gpt' }, 'config.model'],
  [
    'llm_judge',
    'half a deployment',
    { rubric: RUBRIC, _provider: 'provider_a_cloud', model: 'https://x|' },
    'config.model',
  ],
  [
    'llm_judge',
    'a scale that is no list',
    { rubric: RUBRIC, _provider: 'openai', scale: '1-5' },
    'config.scale',
  ],
  scaling(
    'levels from 1 to 5',
    [1, 2, 3, 4, 5].map((score) => ({ score, label: `${score}` })),
  ),
  scaling('numbers from 1 to 5', [1, 2, 3, 4, 5]),
  scaling('percentages', [{ score: 0 }, { score: 50 }, { score: 100 }]),
  scaling('a level below 0', [-1, 0, 1]),
  scaling('a level a little above 1', [0, { score: 1.0001 }]),
  scaling('a level without a score', [{ score: 0 }, { label: 'good' }]),
  scaling('a level whose score is a text', [{ score: '0' }, { score: '1' }]),
  scaling('a level whose score has another name', [{ value: 0 }, { value: 1 }]),
  scaling('levels that are texts', ['bad', 'good']),
  scaling('null as a level', [0, null]),
  scaling('levels in a list of their own', [[0, 1]]),
  scaling('a single level', [{ score: 1, label: 'good' }]),
  scaling('the same level twice', [0.5, { score: 0.5 }]),
  ['contains', 'case_sensitive as text', { values: ['a'], case_sensitive: 'no' }, 'config.case_sensitive'],
  ['json_schema', 'an unknown extract', { schema: {}, extract: 'last' }, 'config.extract'],
  ['json_path', 'nothing', {}, 'config.assertions'],
  [
    'json_path',
    'an assertion of nothing',
    { assertions: [{}] },
    'config.assertions.0.path',
    'config.assertions.0.op',
  ],
  ['json_path', 'a text as an assertion', { assertions: ['$.a'] }, 'config.assertions.0'],
  asserting('no path', { path: 'store.book', op: 'exists' }, 'path'),
  asserting('a path that goes on with nothing', { path: '$.a.', op: 'exists' }, 'path'),
  asserting('a script', { path: '$[(@.length-1)]', op: 'exists' }, 'path'),
  asserting('an unknown function', { path: '$[?first(@.a)]', op: 'exists' }, 'path'),
  asserting('a pattern from the output', { path: '$[?match(@.a, $.p)]', op: 'absent' }, 'path'),
  asserting('a pattern that never matches', { path: "$[?match(@.a, '^a$')]", op: 'absent' }, 'path'),
  asserting(
    'a pattern of 513 characters',
    { path: `$[?match(@.a, '${'a'.repeat(513)}')]`, op: 'absent' },
    'path',
  ),
  asserting('a path of 1,025 characters', { path: `$.${'a'.repeat(1_023)}`, op: 'exists' }, 'path'),
  asserting('an unknown operation', { path: '$', op: 'is' }, 'op'),
  asserting('no value', { path: '$', op: 'gte' }, 'value'),
  asserting('a value too much', { path: '$', op: 'exists', value: true }, 'value'),
  asserting('a value of a wrong type', { path: '$', op: 'lte', value: '5' }, 'value'),
  asserting('a pattern that does not compile', { path: '$', op: 'matches', value: '(' }, 'value'),
  asserting('a misspelt field', { path: '$', op: 'equals', value: 1, tolerence: 1 }, 'tolerence'),
  asserting('a tolerance for a text', { path: '$', op: 'equals', value: '1', tolerance: 1 }, 'tolerance'),
  asserting('a bad pointer', { path: '$', op: 'equals', value: { $expected: 'a' } }, 'value'),
  [
    'json_path',
    '101 assertions',
    { assertions: Array(101).fill({ path: '$', op: 'exists' }) },
    'config.assertions',
  ],
  ['similarity', 'nothing', {}, 'config.metric'],
  ['similarity', 'an unknown metric', { metric: 'cosine' }, 'config.metric'],
  ['metric', 'nothing', {}, 'config.field', 'config.max'],
  ['metric', 'a limit below 0', { field: 'cost_usd', max: -0.1 }, 'config.max'],
  ['metric', 'an unknown field', { field: 'tokens', max: 1 }, 'config.field'],
  ['exact_match', 'more than 128 kB', { case_sensitive: true, x: 'x'.repeat(131_072) }, 'config'],
];

describe('the config of a scorer', () => {
  test.each(GOOD)('of type %s may have %s', async (type, _, config, kept = config) => {
    const answer = await create(type, config);
    expect({ status: answer.status, config: answer.body.data?.config }).toEqual({
      status: 201,
      config: kept,
    });
    expect((await client('GET', `/v1/scorers/${answer.body.data.id}`)).body.data).toEqual(answer.body.data);
  });

  test.each(BAD)('of type %s may not have %s, and the answer names it', async (type, _, config, ...paths) => {
    expectInvalid(await create(type, config), ...paths);
  });

  test.each([
    ['exact_match', {}, 'caseSensitive', ['case_sensitive']],
    ['contains', { values: ['a'] }, 'Mode', ['values', 'mode', 'case_sensitive']],
    ['regex', { pattern: 'secret' }, 'shouldMatch', ['pattern', 'flags', 'should_match']],
    ['json_schema', { schema: {} }, 'strict', ['schema', 'extract']],
    [
      'json_path',
      { assertions: [{ path: '$', op: 'exists' }] },
      'partly',
      ['assertions', 'extract', 'partial'],
    ],
    ['similarity', { metric: 'rouge_l' }, 'trim', ['metric', 'case_sensitive', 'normalize_whitespace']],
    ['metric', { field: 'latency_ms', max: 1 }, 'min', ['field', 'max']],
    [
      'llm_judge',
      { rubric: RUBRIC, _provider: 'openai' },
      'provider',
      ['rubric', 'model', '_provider', 'scale'],
    ],
  ])(
    'of type %s is not taken with an unknown field: the answer names it and the known ones',
    async (...row) => {
      const [type, config, unknown, known] = row;
      const answer = await create(type, { ...config, [unknown]: false });
      expectInvalid(answer, `config.${unknown}`);
      for (const name of known) expect(answer.body.error.details.issues[0].message).toContain(`\`${name}\``);
      const scorer = (await create(type, config)).body.data;
      const changed = await client('PATCH', `/v1/scorers/${scorer.id}`, {
        config: { ...config, [unknown]: false },
      });
      expectInvalid(changed, `config.${unknown}`);
      expect((await client('GET', `/v1/scorers/${scorer.id}`)).body.data).toEqual(scorer);
    },
  );

  test.each([
    ['json_path', { assertions: [{ path: '$', op: 'exists' }] }],
    ['similarity', { metric: 'rouge_l' }],
    ['metric', { field: 'latency_ms', max: 1 }],
  ])('of type %s does not go with dual_sided, whenever that is set', async (type, config) => {
    const both = { name: 'n', type, config, dual_sided: true };
    expectInvalid(await client('POST', `/v1/projects/${project.slug}/scorers`, both), 'dual_sided');
    const { id } = (await create(type, config)).body.data;
    expectInvalid(await client('PATCH', `/v1/scorers/${id}`, { dual_sided: true }), 'dual_sided');
  });

  test('is not taken with a field named as object internals are', async () => {
    const body =
      '{"name":"n","type":"exact_match","config":{"__proto__":{"case_sensitive":false},"toString":1}}';
    const answer = await client('POST', `/v1/projects/${project.slug}/scorers`, body);
    expectInvalid(answer, 'config.__proto__', 'config.toString');
  });

  test.each([
    '((((a{1,100}){1,100}){1,100}){1,100})',
    '(?:a{0,65535}){0,65535}'.repeat(20),
    '(a+)+'.repeat(100),
    '(('.repeat(128) + '))'.repeat(128),
  ])('with a pattern that is a bomb is answered, one way or the other: %#', async (pattern) => {
    const answer = await create('regex', { pattern });
    if (answer.status !== 201) expectInvalid(answer, 'config.pattern');
    expect((await client('GET', '/health')).status).toBe(200);
  });

  test('keeps a schema as it was sent, names of object internals and all', async () => {
    const schema =
      '{"properties":{"":{},"constructor":{"const":{"__proto__":{"type":"string"},"b":1,"a":2}}}}';
    const body = `{"name":"n","type":"json_schema","config":{"schema":${schema}}}`;
    const made = (await client('POST', `/v1/projects/${project.slug}/scorers`, body)).body.data;
    const read = (await client('GET', `/v1/scorers/${made.id}`)).body.data;
    for (const { config } of [made, read]) expect(JSON.stringify(config.schema)).toBe(schema);
  });

  test('may not hold half of a character, anywhere', async () => {
    const body = '{"name":"n","type":"contains","config":{"values":["ok","\\ud800"]}}';
    expectInvalid(await client('POST', `/v1/projects/${project.slug}/scorers`, body), 'config.values.1');
  });
});
