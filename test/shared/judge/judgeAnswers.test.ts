import { describe, expect, test } from '@jest/globals';
import { readJudgeAnswer } from '../../../shared/judge/judgeAnswer.ts';
import { content, raw, verdict } from '../../support/providers.ts';
import { ALL, startJudging } from './setup.ts';

const { providers, judgeOnce } = await startJudging();

const ONE_SIDED = { isDualSided: false, levels: [] };
const DUAL_SIDED = { isDualSided: true, levels: [] };

const NOT_A_VERDICT = [
  '',
  'I give it a 1.',
  '{}',
  '[{"reasoning":"a","score":1}]',
  '{"reasoning":"a","score":1}{"reasoning":"b","score":1}',
  'Here it is: {"reasoning":"a","score":1}',
  '{"reasoning":"a","score":1',
  '{"reasoning":"a","score":7}',
  '{"reasoning":"a","score":1.5}',
  '{"reasoning":"a","score":-0.1}',
  '{"reasoning":"a","score":1e999}',
  '{"reasoning":"a","score":NaN}',
  '{"reasoning":"a","score":"0.9"}',
  '{"reasoning":"a","score":true}',
  '{"reasoning":"a","score":null}',
  '{"reasoning":"a"}',
  '{"score":1}',
  '{"reasoning":"  ","score":1}',
  '{"reasoning":["a"],"score":1}',
  '{"reasoning":"a","score":1,"pass":true}',
  '{"reasoning":"a","score":0,"score":1}',
  '{"reasoning":"a","score":0,"\\u0073core":1}',
  '{"reasoning":"a","reasoning":"b","score":1}',
  '{"reasoning":"a","score":0.5,"__proto__":{"score":1}}',
  '{"verdict":{"reasoning":"a","score":1}}',
  '{"reasoning":"a","precision":1,"recall":1}',
  ...[
    ['```json\n', '\n```\nThat was my verdict.'],
    ['Here it is:\n```json\n', '\n```'],
    ['```json\n', ''],
    ['```json ', ' ```'],
    ['```json\n```json\n', '\n```\n```'],
    ['```json\n{"reasoning":"a","score":1}\n```\n```json\n', '\n```'],
    ['<think>It says 1.', ''],
    ['<think>', '</think>'],
    ['It says 1.</think>', ''],
    ['<think>a</think>b</think>', ''],
    ['', '<think>a</think>'],
    ['```json\n<think>a</think>', '\n```'],
    ['\ufeff\ufeff', ''],
    ['\u00a0', ''],
  ].map(([before, after]) => `${before}{"reasoning":"a","score":1}${after}`),
  '<think>The output says </think>{"reasoning":"a","score":1} </think>{"reasoning":"b","score":0}',
  '```json\n{"reasoning":"a","score":0,"score":1}\n```',
];

test.each(NOT_A_VERDICT)('%j is not a verdict', (text) => {
  expect(readJudgeAnswer(text, ONE_SIDED)).toBe('is not exactly one verdict object');
});

test.each([
  '{"reasoning":"a","score":1}',
  '{"reasoning":"a","precision":1}',
  '{"reasoning":"a","precision":1,"recall":1.01}',
  '{"reasoning":"a","precision":1,"recall":1,"score":1}',
  '{"reasoning":"a","precision":0,"precision":1,"recall":1}',
])('%j is not a dual-sided verdict', (text) => {
  expect(readJudgeAnswer(text, DUAL_SIDED)).toBe('is not exactly one verdict object');
});

test.each([
  ['{"reasoning":"a","score":0}', 0],
  [' {"score":1.0,"reasoning":"order does not matter"}\n', 1],
  ['{"reasoning":"says \\"score\\": 1 and {\\"score\\":0}","score":0.25}', 0.25],
  ['{"reasoning":"colons: \\\\","score":1e-3}', 0.001],
  ...['```json\n$\n```', '```\r\n$\r\n```\n', '````JSON \n$\n````', '~~~ json\n\n $\n\n~~~'].map(
    (fenced) => [fenced.replace('$', '{"reasoning":"a ``` b","score":0.5}'), 0.5] as const,
  ),
  ['<think>First I thought of {"reasoning":"a","score":1}.\n</think>\n\n{"reasoning":"a","score":0}', 0],
  ['<think></think>{"reasoning":"</think> is no tag here","score":0.5}', 0.5],
  ['\ufeff{"reasoning":"a","score":0.5}', 0.5],
  ['\ufeff\n<think>a</think>\n```json\n{"reasoning":"a","score":0.5}\n```', 0.5],
])('%j is a verdict', (text, score) => {
  expect(readJudgeAnswer(text, ONE_SIDED)).toMatchObject({ score });
});

test.each([
  [[0, 0.5, 1], 0.5, true],
  [[0, 0.5, 1], 0.75, false],
  [[0, 0.5, 1], 1, true],
  [[0.25, 0.75], 0, false],
  [[], 0.3, true],
])('of a scale with the levels %j the score %d counts: %p', (levels, score, counts) => {
  const read = readJudgeAnswer(JSON.stringify({ reasoning: 'a', score }), { isDualSided: false, levels });
  if (counts) expect(read).toMatchObject({ score });
  else expect(read).toBe(`gives the score ${score}, which is no level of the scale (${levels.join(', ')})`);
});

test('precision and recall are shares, whatever the scale', () => {
  const text = '{"reasoning":"a","precision":0.4,"recall":0.6}';
  expect(readJudgeAnswer(text, { isDualSided: true, levels: [0, 1] })).toMatchObject({ precision: 0.4 });
});

test('a long reasoning full of quotes is read', () => {
  const reasoning = '"\\:'.repeat(200_000);
  expect(readJudgeAnswer(JSON.stringify({ reasoning, score: 1 }), ONE_SIDED)).toMatchObject({ reasoning });
});

describe.each(ALL)('%s', (provider) => {
  test.each(NOT_A_VERDICT.slice(0, 3))('%j leads to one more call, then is unparsable', async (text) => {
    providers.always(provider, content(text));
    const { outcome, trace } = await judgeOnce({ provider });
    expect(outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNPARSABLE' });
    expect(providers.calls).toHaveLength(2);
    expect(trace.waitsMs).toEqual([]);
  });

  test('the second answer counts, and the tokens of both', async () => {
    providers.next(provider, content('No.'), verdict({ score: 0.5 }));
    const { outcome, trace } = await judgeOnce({ provider });
    expect(outcome).toMatchObject({
      kind: 'verdict',
      score: 0.5,
      usage: { input_tokens: 240, output_tokens: 60 },
    });
    expect(new Set(trace.delimiters).size).toBe(2);
  });
});

const CHOICE = {
  index: 0,
  finish_reason: 'stop',
  message: { role: 'assistant', content: '{"reasoning":"a","score":1}' },
};
const TEXT = { type: 'text', text: '{"reasoning":"a","score":1}' };

test.each([
  ['openai', { choices: [CHOICE, CHOICE] }],
  ['openai', { choices: [{ ...CHOICE, finish_reason: null }] }],
  ['openai', { choices: [{ ...CHOICE, finish_reason: 'tool_calls' }] }],
  ['openai', { choices: [{ ...CHOICE, message: { role: 'assistant', content: null } }] }],
  ['anthropic', { stop_reason: 'end_turn', content: [TEXT, TEXT] }],
  ['anthropic', { stop_reason: 'end_turn', content: [] }],
  [
    'anthropic',
    { stop_reason: 'end_turn', content: [{ type: 'tool_use', id: 't', name: 'n', input: { score: 1 } }] },
  ],
  ['anthropic', { stop_reason: null, content: [TEXT] }],
  ['anthropic', { stop_reason: 'pause_turn', content: [TEXT] }],
] as const)('%s: the envelope %j holds no verdict', async (provider, envelope) => {
  providers.always(provider, raw(JSON.stringify(envelope)));
  expect((await judgeOnce({ provider })).outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNPARSABLE' });
});

test('an answer that is nested without end is unparsable', async () => {
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  providers.always('openai', raw(`{"choices":[${JSON.stringify(CHOICE)}],"deep":${deep}}`));
  expect((await judgeOnce()).outcome).toMatchObject({ kind: 'error', code: 'JUDGE_UNPARSABLE' });
});

test('reason and raw response are well-formed, and the reason is bounded', async () => {
  providers.next(
    'openai',
    raw(
      `{"choices":[{"index":0,"finish_reason":"stop","message":{"content":${JSON.stringify(
        `{"reasoning":"a\\ud800b \\u202e\\u200b${'😀'.repeat(1_500)}","score":1}`,
      )}}}],"x":"\\udfff"}`,
    ),
  );
  const { outcome } = await judgeOnce();
  if (outcome.kind !== 'verdict') throw new Error(JSON.stringify(outcome));
  expect(outcome.reason.length).toBeLessThanOrEqual(2_000);
  expect(outcome.reason).toMatch(/^a\uFFFDb 😀+…$/u);
  expect(outcome.reason.isWellFormed()).toBe(true);
  expect(JSON.stringify(outcome.rawResponse)).not.toContain('\\udfff');
  expect(outcome.usage).toEqual({ input_tokens: 0, output_tokens: 0 });
});
