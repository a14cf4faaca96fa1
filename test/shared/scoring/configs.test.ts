import { describe, expect, test } from '@jest/globals';
import type { ScorerType } from '../../../shared/contracts/base/scorerTypes.ts';
import { validateScorerConfig } from '../../../shared/scoring/registry.ts';
import { caseOf, scoreOne } from './cases.ts';
import { doublingAnyOf, doublingRefs, nested } from './hostile.ts';

async function issuesOf(type: ScorerType, config: unknown, dualSided = false) {
  const checked = await validateScorerConfig(type, config, { dualSided });
  return checked.ok ? [] : checked.issues;
}

describe('a config that is accepted', () => {
  test.each<[ScorerType, object, object]>([
    ['exact_match', {}, { case_sensitive: true }],
    ['contains', { values: ['a'] }, { values: ['a'], mode: 'all' }],
    ['regex', { pattern: 'a' }, { pattern: 'a', flags: '', should_match: true }],
    ['json_schema', { schema: {} }, { schema: {} }],
    [
      'json_path',
      { assertions: [{ path: '$.a', op: 'exists' }] },
      { assertions: [{ path: '$.a', op: 'exists' }], extract: 'whole', partial: false },
    ],
    [
      'similarity',
      { metric: 'rouge_l' },
      { metric: 'rouge_l', case_sensitive: true, normalize_whitespace: true },
    ],
    ['metric', { field: 'cost_usd', max: 0 }, { field: 'cost_usd', max: 0 }],
    ['llm_judge', { rubric: 'r', _provider: 'provider_a' }, { rubric: 'r', _provider: 'provider_a' }],
    [
      'llm_judge',
      { rubric: 'r', _provider: 'azure_openai', model: 'https://x.openai.azure.com|d' },
      { rubric: 'r', _provider: 'azure_openai', model: 'https://x.openai.azure.com|d' },
    ],
  ])('%s %j gets its defaults', async (type, config, stored) => {
    expect(await validateScorerConfig(type, config)).toEqual({ ok: true, config: stored });
  });

  test('keeps its schema as it was sent, `__proto__` included', async () => {
    const config: unknown = JSON.parse('{"schema":{"const":{"__proto__":{"type":"number"}}}}');
    const checked = await validateScorerConfig('json_schema', config);
    expect(checked.ok && JSON.stringify(checked.config)).toBe(JSON.stringify(config));
  });
});

describe('a config that is refused', () => {
  test.each<[ScorerType, unknown, string]>([
    ['exact_match', null, 'config'],
    ['exact_match', { case_sensitiv: false }, 'config.case_sensitiv'],
    ['exact_match', { case_sensitive: 'no' }, 'config.case_sensitive'],
    ['json_path', {}, 'config.assertions'],
    ['similarity', {}, 'config.metric'],
    ['metric', { field: 'latency_ms' }, 'config.max'],
    ['metric', { field: 'latency_ms', max: 1, equals: 'stop' }, 'config.equals'],
    ['metric', { field: 'finish_reason', max: 1 }, 'config.equals'],
    ['metric', { field: 'finish_reason', equals: 'stop', max: 1 }, 'config.max'],
    ['metric', { field: 'latency_ms', max: -1 }, 'config.max'],
    ['metric', { field: 'latency', max: 1 }, 'config.field'],
    ['contains', {}, 'config.values'],
    ['contains', { values: [] }, 'config.values'],
    ['contains', { values: ['a', ''] }, 'config.values.1'],
    ['contains', { values: new Array(1001).fill('a') }, 'config.values'],
    ['regex', {}, 'config.pattern'],
    ['regex', { pattern: '(' }, 'config.pattern'],
    ['regex', { pattern: 'a'.repeat(513) }, 'config.pattern'],
    ['regex', { pattern: 'a', flags: 'v' }, 'config.flags'],
    ['regex', { pattern: '\\-', flags: 'u' }, 'config.pattern'],
    ['json_schema', { schema: true }, 'config.schema'],
    ['json_schema', { schema: { type: 'objekt' } }, 'config.schema.type'],
    ['json_schema', { schema: { $schema: 'https://example.com/draft' } }, 'config.schema.$schema'],
    ['json_schema', { schema: { $schema: 7 } }, 'config.schema.$schema'],
    ['json_schema', { schema: { $ref: 'https://example.com/x' } }, 'config.schema'],
    ['json_schema', { schema: { $ref: '#/$defs/none' } }, 'config.schema'],
    ['json_schema', { schema: { $ref: 'toString' } }, 'config.schema.$ref'],
    ['json_schema', { schema: { $ref: '#/constructor' } }, 'config.schema.$ref'],
    [
      'json_schema',
      { schema: { properties: { a: { pattern: '(' } } } },
      'config.schema.properties.a.pattern',
    ],
    ['json_schema', { schema: { pattern: 'a'.repeat(513) } }, 'config.schema.pattern'],
    ['json_schema', { schema: { patternProperties: { '(': {} } } }, 'config.schema.patternProperties'],
    ['json_schema', { schema: { $async: true } }, 'config.schema.$async'],
    ['json_schema', { schema: nested(40) }, 'config.schema'],
    ['json_schema', { schema: { description: 'x'.repeat(65_536) } }, 'config.schema'],
    ['json_schema', { schema: nested(5000) }, 'config'],
    ['exact_match', { note: 'x'.repeat(131_072) }, 'config'],
    ['llm_judge', { _provider: 'openai' }, 'config.rubric'],
    ['llm_judge', { rubric: 'x'.repeat(40_000), _provider: 'openai' }, 'config.rubric'],
    ['llm_judge', { rubric: 'r', _provider: 'oracle' }, 'config._provider'],
    ['llm_judge', { rubric: 'r' }, 'config._provider'],
    ['llm_judge', { rubric: 'r', _provider: 'azure_openai', model: 'gpt' }, 'config.model'],
    ['llm_judge', { rubric: 'r', _provider: 'provider_a_cloud', model: '|d' }, 'config.model'],
  ])('%s names the field at fault', async (type, config, path) => {
    expect((await issuesOf(type, config)).map((issue) => issue.path)).toContain(path);
  });

  test.each<[string, readonly unknown[]]>([
    ['numbers from 1 to 5', [1, 2, 3, 4, 5]],
    ['percentages', [{ score: 0 }, { score: 50 }, { score: 100 }]],
    ['a level below 0', [-1, 0, 1]],
    ['a level a little above 1', [0, { score: 1.0001 }]],
    ['a level without a score', [{ score: 0 }, { value: 1 }]],
    ['a level whose score is a text', [{ score: '0' }, { score: '1' }]],
    ['levels that are texts', ['bad', 'good']],
    ['null as a level', [0, null]],
    ['levels in a list of their own', [[0, 1]]],
    ['a single level', [{ score: 1, label: 'good' }]],
    ['the same level twice', [0.5, { score: 0.5 }]],
  ])('of a judge names its scale where it has %s', async (_, scale) => {
    const issues = await issuesOf('llm_judge', { rubric: 'r', _provider: 'openai', scale });
    expect(issues.map(({ path }) => path)).toEqual(['config.scale']);
  });

  test('names at most 20 unknown fields, each by at most 100 characters', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`.repeat(100), 1]));
    const issues = await issuesOf('exact_match', many);
    expect(issues).toHaveLength(20);
    for (const { path } of issues) expect(path.length).toBeLessThanOrEqual(107);
  });

  test.each([
    ['exact_match', { case_sensitiv: false }, { expected: 'a' }],
    ['contains', { values: ['x'], modus: 'none' }, {}],
    ['regex', { pattern: 'secret', shouldMatch: false }, {}],
    ['json_schema', { schema: {}, strict: true }, {}],
    ['json_path', { assertions: [{ path: '$', op: 'exists' }], partly: true }, {}],
    ['similarity', { metric: 'levenshtein', trim: true }, { expected: 'a' }],
    ['metric', { field: 'latency_ms', max: 1, min: 0 }, {}],
  ])('of type %s clears nothing where it was stored all the same', (type, config, options) => {
    const unknown = Object.keys(config).at(-1);
    expect(scoreOne(caseOf(type, config, { threshold: 0, ...options }), 'a')).toMatchObject({
      passed: false,
      errored: true,
      scorer_output: { error: 'SCORER_CONFIG_INVALID' },
      reason: expect.stringContaining(`config.${unknown} is not a field of ${type}`),
    });
  });

  test.each<[ScorerType, object, string]>([
    ['contains', { values: ['a'], mode: 'none' }, 'config.mode'],
    ['regex', { pattern: 'a', should_match: false }, 'config.should_match'],
  ])('%s that asks for absence cannot be dual-sided', async (type, config, path) => {
    expect(await issuesOf(type, config)).toEqual([]);
    expect((await issuesOf(type, config, true)).map((issue) => issue.path)).toEqual([path]);
  });

  test.each<[ScorerType, object]>([
    ['json_path', { assertions: [{ path: '$', op: 'exists' }] }],
    ['similarity', { metric: 'levenshtein' }],
    ['metric', { field: 'latency_ms', max: 1 }],
  ])(
    '%s measures no precision and recall: it cannot be dual-sided, nor clear anything so',
    async (type, config) => {
      expect(await issuesOf(type, config)).toEqual([]);
      expect((await issuesOf(type, config, true)).map((issue) => issue.path)).toEqual(['dual_sided']);
      const stored = caseOf(type, config, { dual_sided: true, threshold: 0, expected: '{}' });
      expect(scoreOne(stored, '{}')).toMatchObject({
        passed: false,
        errored: true,
        scorer_output: { error: 'SCORER_CONFIG_INVALID' },
      });
    },
  );

  test.each([
    ['a schema that refers to itself', { $ref: '#' }, 'refers back to itself'],
    [
      'two that refer to each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      'refers back to itself',
    ],
    ['30 levels of doubled references', doublingRefs(30), 'takes too long'],
  ])('%s is found when it is written', async (_, schema, message) => {
    expect((await issuesOf('json_schema', { schema }))[0]?.message).toContain(message);
  });

  test('a schema is still judged rightly after another was interrupted', async () => {
    await issuesOf('json_schema', { schema: doublingRefs(30) });
    await issuesOf('json_schema', { schema: doublingAnyOf(20) });
    expect(
      await issuesOf('json_schema', { schema: { type: 'object', properties: { a: { minimum: 1 } } } }),
    ).toEqual([]);
    expect(await issuesOf('json_schema', { schema: { minimum: 'one' } })).not.toEqual([]);
  });
});
