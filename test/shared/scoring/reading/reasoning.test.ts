import { describe, expect, test } from '@jest/globals';
import { withoutReasoning } from '../../../../shared/scoring/kit/reading/reasoning.ts';
import { Subject } from '../../../../shared/scoring/kit/reading/subject.ts';
import { validateScorerConfig } from '../../../../shared/scoring/registry.ts';
import { caseOf, scoreOne } from '../cases.ts';

describe('an output without its reasoning', () => {
  test.each([
    ['Paris', 'Paris'],
    ['<think>Rome? No.</think>\n\nParis', 'Paris'],
    ['<think></think>Paris\n', 'Paris\n'],
    ['\n<think>a</think>\n<think>b</think>\nParis', 'Paris'],
    ['Par<think>a</think>is', 'Paris'],
    ['a <think>b</think> c', 'a  c'],
    ['Paris\n<think>or Rome', 'Paris'],
    ['Paris <think>or</think> ', 'Paris'],
    ['<think>only', ''],
    ['<think>a<think>b</think>c</think>d', 'c</think>d'],
    ['a</think>b', 'a</think>b'],
    ['<Think>a</Think><thinking>b</thinking>', '<Think>a</Think><thinking>b</thinking>'],
  ])('of %j is %j', (text, answer) => {
    expect(withoutReasoning(text)).toBe(answer);
  });

  test('of many blocks takes time by its length', () => {
    expect(withoutReasoning('<think>'.repeat(200_000))).toBe('');
    expect(withoutReasoning('<think></think>a'.repeat(100_000))).toBe('a'.repeat(100_000));
  });
});

/** For each scorer that reads text, a config and a case by which `answer` is good. */
const SCORERS: readonly (readonly [type: string, config: object, expected: unknown, answer: string])[] = [
  ['exact_match', {}, 'Paris', 'Paris'],
  ['exact_match', { normalize: true }, "it's", 'it’s'],
  ['contains', { values: ['Rome'], mode: 'none' }, null, 'Paris'],
  ['regex', { pattern: '^Paris$' }, null, 'Paris'],
  ['json_schema', { schema: { type: 'object' } }, null, '{"city":"Paris"}'],
  ['json_schema', { schema: { type: 'object' }, extract: 'embedded' }, null, 'It is {"city":"Paris"}'],
  ['json_path', { assertions: [{ path: '$.city', op: 'exists' }] }, null, '{"city":"Paris"}'],
  ['similarity', { metric: 'levenshtein' }, 'Paris', 'Paris'],
];

describe('ignore_reasoning', () => {
  test.each(SCORERS)('lets %s %j see the answer only', (type, config, expected, answer) => {
    const scored = (more: object, output: string) =>
      scoreOne(caseOf(type, { ...config, ...more }, { expected, threshold: 1 }), output).passed;
    const output = `<think>{"a":1} Rome</think>\n${answer}`;
    expect(scored({}, output)).toBe(false);
    expect(scored({ ignore_reasoning: false }, output)).toBe(false);
    expect(scored({ ignore_reasoning: true }, output)).toBe(true);
    expect(scored({ ignore_reasoning: true }, answer)).toBe(true);
  });

  test('shows the answer as what was compared', () => {
    const evalCase = caseOf('exact_match', { ignore_reasoning: true }, { expected: 'Rome' });
    expect(scoreOne(evalCase, '<think>x</think>Paris').scorer_output).toMatchObject({ actual: 'Paris' });
  });

  test('goes with a judge, and not with a scorer that reads no text', async () => {
    const judge = { rubric: 'r', _provider: 'openai', ignore_reasoning: true };
    expect(await validateScorerConfig('llm_judge', judge)).toMatchObject({ ok: true, config: judge });
    const metric = { field: 'latency_ms', max: 1, ignore_reasoning: true };
    expect(await validateScorerConfig('metric', metric)).toMatchObject({ ok: false });
  });
});

test('what scorers look for in an output is looked for once, however many cases there are', () => {
  const subject = new Subject('<think>a</think> ```json\n{"a":[1]}\n``` “b”');
  const look = () => [
    subject.answer,
    subject.normalized('lines'),
    subject.extracted('fenced').parsed,
    subject.parsed,
    subject.shownText,
    subject.shownJson,
    subject.shownDocument,
    subject.parts('words', true),
    subject.parts('words', false),
  ];
  const [first, again] = [look(), look()];
  for (const [index, found] of first.entries()) expect(again[index]).toBe(found);
});
