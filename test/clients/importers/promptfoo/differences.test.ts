import { describe, expect, test } from '@jest/globals';
import { asserting, loaded, passes } from './importing.ts';

describe('judges', () => {
  const judged = async (assertion: object, options: object = {}, judge?: string) => {
    const config = { tests: [{ options, assert: [{ type: 'llm-rubric', value: 'Polite?', ...assertion }] }] };
    const { definition, report } = await loaded(config, {}, judge);
    const [scorer] = definition.scorers.values();
    return { ...scorer?.config, threshold: definition.cases[0]?.threshold, why: report.missing[0]?.reason };
  };

  test.each([
    ['openai:gpt-4o', { _provider: 'openai', model: 'gpt-4o' }],
    ['openai:chat:gpt-4o', { _provider: 'openai', model: 'gpt-4o' }],
    ['openai:responses:ft:gpt-4o:acme', { _provider: 'openai', model: 'ft:gpt-4o:acme' }],
    ['anthropic:messages:claude-x', { _provider: 'anthropic', model: 'claude-x' }],
    ['google:gemini-x', { _provider: 'google', model: 'gemini-x' }],
  ])('%s is taken over, from the assertion or from its test', async (provider, judge) => {
    expect(await judged({ provider })).toMatchObject(judge);
    expect(await judged({ provider: { id: provider, config: { apiKey: 'k' } } })).toMatchObject(judge);
    expect(await judged({}, { provider: { text: { id: provider } } })).toMatchObject(judge);
  });

  test('the judge of the assertion goes before that of the test, and --judge replaces one that is not known', async () => {
    expect(await judged({ provider: 'openai:a' }, { provider: 'google:b' })).toMatchObject({ model: 'a' });
    expect(await judged({ provider: 'ollama:llama' }, {}, 'anthropic/c')).toMatchObject({
      _provider: 'anthropic',
      model: 'c',
    });
    expect(await judged({ provider: 'file://judge.py' }, {}, 'nobody/x')).toMatchObject({
      why: 'names a judge that is not known here: give --judge',
    });
    expect(await judged({}, {}, 'nobody/x')).toMatchObject({ why: 'names no judge: give --judge' });
  });

  test('rubrics, criteria and statements are rubrics, with the thresholds of their types', async () => {
    expect(await judged({ threshold: 0.8 })).toMatchObject({ rubric: 'Polite?', threshold: 0.8 });
    expect(await judged({ threshold: 0 })).toMatchObject({ threshold: 0.5 });
    expect(await judged({ type: 'g-eval' })).toMatchObject({ rubric: 'Polite?', threshold: 0.7 });
    expect(await judged({ type: 'g-eval', value: ['a', 'b'] })).toMatchObject({ rubric: 'a\nb' });
    expect(await judged({ type: 'factuality', value: 'Rome is in Italy' })).toMatchObject({
      rubric: expect.stringContaining('\nRome is in Italy'),
    });
    expect(await judged({ value: '{% raw %}file://a{% endraw %}' })).toMatchObject({ rubric: 'file://a' });
  });
});

test('levenshtein and rouge-n become similarity, with what that changes', async () => {
  const { definition, report } = await loaded(
    asserting(
      { type: 'levenshtein', value: 'a'.repeat(20), threshold: 5 },
      { type: 'rouge-n', value: 'a b' },
    ),
  );
  expect(definition.cases.map(({ threshold }) => threshold)).toEqual([0.8, 0.75]);
  expect([...definition.scorers.values()].map(({ config }) => config.metric)).toEqual([
    'levenshtein',
    'rouge_l',
  ]);
  expect(report).toMatchObject({
    mapped: 0,
    mapped_with_difference: 2,
    differences: Array(5).fill({ assertions: 1 }),
  });
  expect(report.differences.map(({ reason }) => reason).join('\n')).toMatch(/in their case.*\n.*punctuation/);
});

test('no output passes levenshtein that differs in more characters than there', async () => {
  const suite = await loaded(asserting({ type: 'levenshtein', value: 'abcdefgh', threshold: 2 }));
  for (const good of ['abcdefgh', 'abcdefghxx', 'xabcdefgh', 'abcdefgx'])
    expect(await passes(suite, good)).toBe(true);
  for (const bad of ['abcdefghxxx', 'xxxdefgh', 'abcdefxxx', 'abcxxxdefgh', 'abcde'])
    expect(await passes(suite, bad)).toBe(false);
  const exact = await loaded(asserting({ type: 'levenshtein', value: 'abc', threshold: 0 }));
  expect([await passes(exact, 'abc'), await passes(exact, 'abd')]).toEqual([true, false]);
});

test('weight is kept, weight 0 and metricOnly make a case inactive, and metric is its name', async () => {
  const one = { type: 'contains', value: 'a' };
  const { definition, report } = await loaded({
    tests: [
      {
        description: 'T',
        assert: [
          { ...one, weight: 2, metric: 'Tone' },
          { ...one, weight: 0 },
          { ...one, metricOnly: true },
        ],
      },
    ],
  });
  expect(
    definition.cases.map(({ key, name, weight, is_active }) => ({ key, name, weight, is_active })),
  ).toEqual([
    { key: 't-contains', name: 'T / Tone', weight: 2, is_active: true },
    { key: 't-contains-2', name: 'T / contains', weight: 1, is_active: false },
    { key: 't-contains-3', name: 'T / contains', weight: 1, is_active: false },
  ]);
  expect(report.differences).toEqual([
    expect.objectContaining({ reason: expect.stringContaining('weight 0'), assertions: 2 }),
  ]);
});

test('letters whose case the two compare in another way are listed', async () => {
  const { report } = await loaded(
    asserting(
      { type: 'icontains', value: 'ΟΔΟΣ' },
      { type: 'not-icontains', value: 'Ali' },
      { type: 'icontains', value: 'a' },
      { type: 'not-icontains', value: 'in' },
    ),
  );
  expect(report).toMatchObject({ mapped: 2, mapped_with_difference: 2 });
});

test('differences are reported: transforms, rubric prompts, judges, settings and candidates', async () => {
  const { report } = await loaded({
    prompts: ['a', 'b'],
    providers: ['x', 'y', 'z'],
    derivedMetrics: [],
    tests: [
      {
        options: { transform: 'output.a', rubricPrompt: 'Mine' },
        assert: [{ type: 'llm-rubric', value: 'a', provider: { id: 'openai:m', config: {} } }],
      },
    ],
  });
  expect(report.differences.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('there the judge decides whether it passes'),
    "the judge's config is not taken over",
    'its rubricPrompt is not taken over',
    expect.stringContaining('there the output is transformed first'),
  ]);
  expect(report.notes.map(({ message }) => message)).toEqual([
    '`derivedMetrics` is not imported',
    expect.stringContaining('6 pairs of a prompt and a provider'),
  ]);
});

const TRANSFORMED = 'there a provider transforms its output: send what its transform makes of it';
const FINE = { assert: [{ type: 'is-json' }] };
const reportOf = async (config: unknown, files: Readonly<Record<string, string>> = {}) =>
  (await loaded(config, files)).report;

test.each([
  ['of the config', { providers: ['openai:a', { id: 'openai:b', transform: 'output.a' }] }],
  ['of the config by its name', { targets: [{ 'openai:b': { transform: 'output.a' } }] }],
  ['of HTTP', { providers: [{ id: 'https', config: { transformResponse: 'json.a' } }] }],
  ['of a file', { providers: ['file://p.yaml'] }],
  ['of a list in a file', { providers: 'file://list.json' }],
  ['of a test', { defaultTest: { provider: { id: 'openai:b', transform: 'output.a' } } }],
])('the transform of a provider %s is a difference of each assertion', async (_, config) => {
  const files = {
    'p.yaml': 'id: openai:a\ntransform: output.a\n',
    'list.json': '[{"id":"a","transform":"x"}]',
  };
  const { differences } = await reportOf({ tests: [FINE, FINE], ...config }, files);
  expect(differences.map(({ reason, assertions }) => [reason, assertions])).toEqual([[TRANSFORMED, 2]]);
});

test('a provider without a transform is no difference', async () => {
  const providers = [
    'openai:a',
    { id: 'openai:b', config: { temperature: 0 } },
    'file://p.py',
    'file://p.yaml',
  ];
  const report = await reportOf({ tests: [FINE], providers }, { 'p.yaml': 'id: openai:a\n' });
  expect(report).toMatchObject({ mapped: 1, differences: [], unread: [] });
});

test('variables that a test transforms are reported, and none of its templates is filled in', async () => {
  const options = { transformVars: 'file://vars.js' };
  const assert = [
    { type: 'contains', value: '{{q}}' },
    { type: 'contains', value: 'a' },
  ];
  const report = await reportOf({ tests: [{ vars: { q: 'a' }, options, assert }] });
  expect(report).toMatchObject({
    missing: [{ reason: 'uses variables that its test changes by transformVars', assertions: 1 }],
    differences: [{ reason: expect.stringContaining('transformVars'), assertions: 1 }],
  });
});
