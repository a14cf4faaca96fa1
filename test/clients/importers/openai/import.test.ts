import { expect, test } from '@jest/globals';
import { Problems } from '../../../../clients/files/read/problems.ts';
import { criteriaOf } from '../../../../clients/importers/openai/criteria.ts';
import { importEvals } from '../../../../clients/importers/openai/import.ts';

async function made(rows: readonly unknown[], criteria?: unknown) {
  const text = rows.map((row) => JSON.stringify(row)).join('\n');
  const found = criteriaOf(criteria, { data: '/work/data.jsonl', name: undefined });
  if (found !== undefined && 'several' in found) throw new Error('several evals');
  const options = { file: 'data.jsonl', slug: 'd', criteria: found, judge: undefined };
  const imported = await importEvals(text, options, new Problems());
  if (imported === undefined) throw new Error('not imported');
  return imported;
}

const ITEM = { item: { ticket: 'My monitor is dark', correct_label: 'Hardware' } };
const ANSWER = '{{ sample.output_text }}';
const grading = (grader: object) =>
  made([ITEM], {
    testing_criteria: [{ name: 'g', input: ANSWER, reference: '{{item.correct_label}}', ...grader }],
  });

test.each([
  ['eq', { type: 'exact_match', config: {} }, 'Hardware'],
  ['ne', { type: 'regex', config: { pattern: '^Hardware$', should_match: false } }, undefined],
  ['like', { type: 'contains', config: { values: ['Hardware'] } }, undefined],
  ['ilike', { type: 'contains', config: { values: ['Hardware'], case_sensitive: false } }, undefined],
])('string_check with %s is mapped', async (operation, scorer, expected) => {
  const { scorers, cases } = await grading({ type: 'string_check', operation });
  expect([scorers[0], cases[0]?.expected]).toEqual([expect.objectContaining(scorer), expected]);
});

test('what a grader compares with is not for the program that answers', async () => {
  const { cases, questions, report } = await grading({ type: 'string_check', operation: 'eq' });
  expect(questions).toEqual([{ case: ['my-monitor-is-dark-g'], input: { ticket: 'My monitor is dark' } }]);
  expect(cases[0]?.input).toEqual({ ticket: 'My monitor is dark' });
  expect(report.notes[0]?.message).toBe('inputs are without the fields that hold answers: correct_label');
});

test('nor is what a grader compares with by a template that is not understood', async () => {
  const check = { type: 'string_check', operation: 'eq', input: ANSWER };
  const { cases } = await made(
    [ITEM],
    [
      { ...check, name: 'odd', reference: '{{ item.correct_label | trim }}' },
      { ...check, name: 'fixed', reference: 'Hardware' },
    ],
  );
  expect(cases.map(({ input }) => input)).toEqual([{ ticket: 'My monitor is dark' }]);
});

test('no key depends on the order of samples that begin alike', async () => {
  const rows = ['a', 'b', 'c'].map((more) => ({ item: { system: 'You are a bot', more } }));
  const keysIn = async (order: readonly unknown[]) => {
    const criteria = [{ type: 'string_check', name: 'g', operation: 'eq', input: ANSWER, reference: 'x' }];
    const { cases } = await made(order, criteria);
    return Object.fromEntries(cases.map(({ key, input }) => [JSON.stringify(input), key]));
  };
  const keys = await keysIn(rows);
  expect(new Set(Object.values(keys)).size).toBe(3);
  expect(await keysIn(rows.toReversed())).toEqual(keys);
});

test('an ideal answer of JSON that is a text or null is not mapped: another output would be equal to it', async () => {
  for (const ideal of ['"yes"', 'null']) {
    const { cases, report } = await made([{ input: 'x', ideal }], {
      e: { class: 'evals.elsuite.basic.json_match:JsonMatch' },
    });
    expect([cases.length, report.not_mapped]).toEqual([0, 1]);
  }
});

test('text_similarity, score_model and label_model are mapped with what differs', async () => {
  const messages = [{ role: 'user', content: `Is it polite? ${ANSWER}` }];
  const { scorers, cases, report } = await made(
    [ITEM],
    [
      {
        type: 'text_similarity',
        input: ANSWER,
        reference: '{{item.correct_label}}',
        evaluation_metric: 'fuzzy_match',
        pass_threshold: 0.8,
      },
      { type: 'score_model', model: 'gpt-5', input: messages, range: [1, 5], pass_threshold: 4 },
      {
        type: 'label_model',
        model: 'gpt-5',
        input: messages,
        labels: ['polite', 'rude'],
        passing_labels: ['polite'],
      },
    ],
  );
  expect(report).toMatchObject({ assertions: 3, mapped: 0, mapped_with_difference: 3 });
  expect(cases.map(({ threshold }) => threshold)).toEqual([0.8, 0.75, undefined]);
  const rubric = 'Is it polite? (the output that is judged)';
  expect(scorers).toMatchObject([
    { type: 'similarity', config: { metric: 'levenshtein' } },
    { type: 'llm_judge', config: { _provider: 'openai', model: 'gpt-5', rubric } },
    {
      config: {
        rubric,
        scale: [
          { score: 1, label: 'polite' },
          { score: 0, label: 'rude' },
        ],
      },
    },
  ]);
});

test.each([
  ['a program', { type: 'python', source: 'x' }, 'is a program, which is not run'],
  ['an unknown type', { type: 'multi' }, 'the type multi'],
  ['an unknown operation', { type: 'string_check', operation: 'gt' }, 'the operation gt'],
  ['another metric', { type: 'text_similarity', evaluation_metric: 'bleu' }, 'the metric bleu'],
  ['no threshold', { type: 'text_similarity', evaluation_metric: 'rouge_l' }, 'has no pass_threshold'],
  [
    'another input',
    { type: 'string_check', operation: 'eq', input: '{{item.ticket}}' },
    'does not compare {{sample.output_text}} alone',
  ],
  [
    'a field that is missing',
    { type: 'string_check', operation: 'eq', reference: '{{item.none}}' },
    'names item.none, which is not there',
  ],
  [
    'labels that all pass',
    { type: 'label_model', labels: ['a'], passing_labels: ['a'] },
    'has no labels of which some pass and some do not',
  ],
])('%s is not mapped, and the report states why', async (_, grader, why) => {
  const { cases, report } = await grading(grader);
  expect([cases, report.missing[0]?.reason]).toEqual([[], why]);
});

const SAMPLE = { input: [{ role: 'user', content: 'Capital of France?' }], ideal: ['Paris', 'paris'] };
const registry = (name: string, args: object = {}) => ({
  caps: { id: 'caps.dev.v0' },
  'caps.dev.v0': { class: `evals.elsuite.basic.${name.toLowerCase()}:${name}`, args },
});

test('input and ideal are compared as their class does, to the letter without one', async () => {
  const bare = await made([SAMPLE]);
  expect(bare.cases).toMatchObject([{ key: 'capital-of-france', input: { input: SAMPLE.input } }]);
  expect(bare.scorers).toMatchObject([{ type: 'regex', config: { pattern: '^(?:Paris|paris)$' } }]);
  const one = await made([{ input: 'x', ideal: 'no' }]);
  expect([one.scorers, one.cases]).toMatchObject([[{ type: 'exact_match' }], [{ expected: 'no' }]]);
  const match = await made([SAMPLE], registry('Match'));
  expect(match.scorers).toMatchObject([{ type: 'regex', config: { pattern: '^(?:Paris|paris)' } }]);
  const includes = await made([SAMPLE], registry('Includes', { ignore_case: true }));
  expect(includes.scorers).toMatchObject([
    { type: 'contains', config: { mode: 'any', case_sensitive: false } },
  ]);
  const json = await made([{ input: 'x', ideal: '{"a":1}' }], registry('JsonMatch'));
  expect(json.cases[0]).toMatchObject({ expected: { a: 1 } });
  const other = await made([SAMPLE], registry('Sql'));
  expect(other.report.missing[0]?.reason).toBe('the class Sql');
});

const EVALS = {
  a: { id: 'a.v0' },
  'a.v0': { class: 'x:Includes', args: { samples_jsonl: 'one/a.jsonl' } },
  'b.v0': { class: 'x:Match', args: { samples_jsonl: 'two/b.jsonl' } },
};
const SAME_NAME = {
  first: { class: 'x:Match', args: { samples_jsonl: 'one/samples.jsonl' } },
  second: { class: 'x:Includes', args: { samples_jsonl: 'two/samples.jsonl' } },
};
const BARE = { only: { class: 'x:Includes' } };

test.each<[string, object, string, string | undefined, string | undefined]>([
  ['by its folder and file', SAME_NAME, '/data/two/samples.jsonl', undefined, 'Includes'],
  ['by its file, which no other one has', EVALS, '/here/b.jsonl', undefined, 'Match'],
  ['by its name', EVALS, '/here/other.jsonl', 'b.v0', 'Match'],
  ['by a name that stands for it', EVALS, '/here/other.jsonl', 'a', 'Includes'],
  ['as the only one, which names no samples', BARE, '/here/data.jsonl', undefined, 'Includes'],
  ['not where no one names the file', EVALS, '/here/data.jsonl', undefined, undefined],
  ['not where several have a file of its name', SAME_NAME, '/here/samples.jsonl', undefined, undefined],
  [
    'not where two name the file',
    { x: EVALS['a.v0'], y: EVALS['a.v0'] },
    '/one/a.jsonl',
    undefined,
    undefined,
  ],
  ['not where the only one names another file', { b: EVALS['b.v0'] }, '/here/a.jsonl', undefined, undefined],
  ['not by an unknown name', EVALS, '/one/a.jsonl', 'c', undefined],
  ['not by a name that every object has', EVALS, '/one/a.jsonl', 'constructor', undefined],
])('the eval of a file of the registry is found %s', (_, file, data, name, expected) => {
  const found = criteriaOf(file, { data, name });
  const isSeveral = found !== undefined && 'several' in found;
  expect(isSeveral ? undefined : found?.evalClass?.name).toBe(expected);
  if (isSeveral)
    expect(found.several.length).toBe(Object.values(file).filter((one) => 'class' in one).length);
});

test('no metric replaces one that fewer outputs reach', async () => {
  const config = async (evaluation_metric: string) =>
    (await grading({ type: 'text_similarity', evaluation_metric, pass_threshold: 0.8 })).scorers[0]?.config;
  expect(await config('fuzzy_match')).toEqual({ metric: 'levenshtein', normalize_whitespace: false });
  expect(await config('rouge_1')).toEqual({ metric: 'rouge_l', case_sensitive: false });
  for (const metric of ['rouge_2', 'rouge_5', 'constructor']) expect(await config(metric)).toBeUndefined();
});

test('answers of samples are outputs, and the report lists an item without graders', async () => {
  const row = { ...ITEM, sample: { output_text: 'Hardware' } };
  const grader = {
    type: 'string_check',
    operation: 'eq',
    name: 'Label',
    input: ANSWER,
    reference: '{{item.correct_label}}',
  };
  expect((await made([row], grader)).outputs).toEqual([
    { case: ['my-monitor-is-dark-label'], output: 'Hardware' },
  ]);
  expect((await made([row])).report.missing[0]?.reason).toBe('has an item, and no graders: give --criteria');
});

test.each([
  ['was cut', { finish_reason: 'length' }, 'its output is left out: finish_reason: length'],
  ['called a tool', { finish_reason: 'tool_calls' }, 'its output is left out: finish_reason: tool_calls'],
  ['failed', { error: { message: 'overloaded' } }, 'its output is left out: error: overloaded'],
])('the output of a sample that %s is left out, and listed', async (_, fields, message) => {
  const criteria = {
    testing_criteria: [
      {
        name: 'g',
        type: 'string_check',
        operation: 'eq',
        input: ANSWER,
        reference: '{{item.correct_label}}',
      },
    ],
  };
  const of = (sample: object) =>
    made([{ ...ITEM, sample: { output_text: 'Hardware', ...sample } }], criteria);
  const { outputs, report } = await of(fields);
  expect(outputs).toEqual([]);
  expect(report.notes.map((note) => note.message)).toContain(message);
  expect((await of({ finish_reason: 'stop', error: null })).outputs).toHaveLength(1);
});
