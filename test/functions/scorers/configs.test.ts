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

/** One of each kind; what a config may hold is tested in `test/shared/scoring`. `kept` is the config as it is answered. */
const GOOD: readonly [type: string, title: string, config: object, kept?: object][] = [
  ['exact_match', 'nothing', {}, { case_sensitive: true }],
  ['contains', '1,000 values', { values: Array(1_000).fill('é🎉'), mode: 'any' }],
  ['regex', 'all fields', { pattern: '\\p{L}(?<x>a)\\k<x>', flags: 'dgimsuy', should_match: false }],
  ['json_schema', 'an unknown keyword', { schema: { 'x-note': 1, title: 'T', format: 'date-time' } }],
  [
    'json_path',
    'an assertion only',
    { assertions: [{ path: '$.a', op: 'exists' }] },
    { assertions: [{ path: '$.a', op: 'exists' }], extract: 'whole', partial: false },
  ],
  [
    'similarity',
    'all fields',
    { metric: 'rouge_l', case_sensitive: false, normalize_whitespace: false, same_numbers: true },
  ],
  ['metric', 'both fields', { field: 'total_tokens', max: 1_000 }],
  ['llm_judge', 'a scale', { rubric: RUBRIC, _provider: 'google', scale: [{ score: 1, label: 'yes' }, 0] }],
  [
    'llm_judge',
    'a deployment under an alias',
    { rubric: RUBRIC, _provider: 'provider_a_cloud', model: 'https://x.services.ai.azure.com|d' },
  ],
];

const judging = (model: unknown) => ({ rubric: RUBRIC, _provider: 'openai', model });

const BAD: readonly (readonly [type: string, title: string, config: object, ...paths: string[]])[] = [
  ['exact_match', 'case_sensitive null', { case_sensitive: null }, 'config.case_sensitive'],
  ['exact_match', 'more than 128 kB', { case_sensitive: true, x: 'x'.repeat(131_072) }, 'config'],
  ['contains', 'everything wrong', { values: 1, mode: 1 }, 'config.values', 'config.mode'],
  ['contains', 'an empty value', { values: ['a', ''] }, 'config.values.1'],
  ['regex', 'an open group', { pattern: '(' }, 'config.pattern'],
  ['json_schema', 'a bad pattern', { schema: { items: { pattern: '(' } } }, 'config.schema.items.pattern'],
  ['json_schema', 'a reference to a URL', { schema: { $ref: 'https://example.com/s' } }, 'config.schema'],
  ['json_path', 'no path', { assertions: [{ path: 'a', op: 'exists' }] }, 'config.assertions.0.path'],
  ['similarity', 'an unknown metric', { metric: 'cosine' }, 'config.metric'],
  ['similarity', 'a text', { metric: 'rouge_l', same_numbers: 'yes' }, 'config.same_numbers'],
  ['metric', 'nothing', {}, 'config.field'],
  ['llm_judge', 'nothing', {}, 'config.rubric', 'config._provider'],
  ['llm_judge', 'a blank model', judging(' '), 'config.model'],
  ['llm_judge', 'a line break in its model', judging('m\n'), 'config.model'],
  ['llm_judge', 'a model that is null', judging(null), 'config.model'],
  ['llm_judge', 'a model too long', judging('m'.repeat(2_049)), 'config.model'],
  ['llm_judge', 'no deployment', { ...judging('gpt'), _provider: 'azure_openai' }, 'config.model'],
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
