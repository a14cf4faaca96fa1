import { expect, test } from '@jest/globals';
import { jsonTextsOf } from '../../../../clients/files/read/jsonLists.ts';
import { Problems } from '../../../../clients/files/read/problems.ts';
import { mismatchedSentences } from '../../../../clients/gate/outputs/mismatched.ts';
import { Evidence } from '../../../../clients/importers/outputs/evidence.ts';
import {
  type TextsOf,
  textsOfInspect,
  textsOfMapping,
  textsOfPromptfoo,
} from '../../../../clients/importers/outputs/foreign.ts';
import { formOf } from '../../../../clients/importers/outputs/forms.ts';
import { type Mapping, mappingOf } from '../../../../clients/importers/outputs/mapping.ts';
import { readOutputs } from '../../../../clients/importers/outputs/readOutputs.ts';

const ASKED = ['one', 'two'].map((key) => ({ case: key, input: { q: key } }));

function read(text: string, textsOf: TextsOf) {
  const problems = new Problems();
  const { items } = readOutputs('file', { bytes: Buffer.from(text) }, problems, { textsOf });
  const said = problems.sorted().map(({ line, message }) => `${line}: ${message}`);
  return { items, said, isRefused: problems.hasErrors };
}
const promptfoo = (results: readonly unknown[]) =>
  read(results.map((one) => JSON.stringify(one)).join('\n'), textsOfPromptfoo(ASKED, new Evidence()));
const mapping = (text: string, map = 'case=id,output=answer') =>
  read(text, textsOfMapping(mappingOf(map) as Mapping));

const result = (q: string, fields: object = {}) => ({
  provider: { id: 'p' },
  prompt: { label: 'ask' },
  promptIdx: 0,
  vars: { q },
  testCase: { vars: { q } },
  response: { output: q },
  ...fields,
});

const LONG = 'You are a patient assistant who answers questions of customers about returns. ';

test.each([
  ['one id and label', { promptIdx: 1 }],
  ['prompts that begin alike', { prompt: { label: `${LONG}B` } }],
])('results of two candidates with %s are not taken for samples of one', (_, other) => {
  const { said, isRefused } = promptfoo([
    result('one', { prompt: { label: `${LONG}A` } }),
    result('one', { prompt: { label: `${LONG}A` }, ...other }),
  ]);
  expect({ said, isRefused }).toEqual({
    said: [expect.stringContaining('results of 2 providers or prompts')],
    isRefused: true,
  });
});

test('a text that a provider gives beside its error is no output, as in promptfoo', () => {
  const { items } = promptfoo([result('one', { response: { output: 'half', error: 'cut off' } })]);
  expect(items).toEqual([{ case: 'one', error: 'cut off' }]);
});

test.each([
  ['is cut off', '{"vars": {"q": "tw'],
  ['is of our own form', '{"case": "two", "output": "two"}'],
  ['has no variables', '{"response": {"output": "two"}}'],
  ['has variables that are no map', '{"vars": ["two"], "response": {"output": "two"}}'],
])('a line of promptfoo that %s is an error, and is not left out', (_, line) => {
  const text = `${JSON.stringify(result('one'))}\n${line}\n`;
  const { said, isRefused } = read(text, textsOfPromptfoo(ASKED, new Evidence()));
  expect({ said, isRefused }).toEqual({ said: [expect.stringMatching(/^2: is /)], isRefused: true });
});

test('a message names a line of a file that has another form than its others', () => {
  const own = '{"case": "one", "output": "one"}';
  const of = JSON.stringify(result('one'));
  const span = '{"resourceSpans": []}';
  const inspect = '{"eval": {}, "samples": []}';
  const message = (text: string, textsOf?: TextsOf) =>
    read(text, textsOf ?? ((file, all, problems) => jsonTextsOf(file, all, problems))).said;
  const why = (what: string) => [
    `2: is ${what}, and others of the file are of another form: give each form a file of its own`,
  ];
  expect(message(`${own}\n${of}`)).toEqual([`2: is no output: ${why('a result of promptfoo')[0]?.slice(3)}`]);
  expect(message(`${own}\n${span}`)[0]).toContain('is a line of OTLP JSON');
  expect(message(`${own}\n${inspect}`)[0]).toContain('is a log of Inspect');
  expect(message(`${of}\n${own}`, textsOfPromptfoo(ASKED, new Evidence()))).toEqual(
    why('an output with a case'),
  );
  expect(message(`${of}\n${span}`, textsOfPromptfoo(ASKED, new Evidence()))).toEqual(
    why('a line of OTLP JSON'),
  );
});

test("what promptfoo adds to a test's variables does not keep its result from the case", () => {
  const [added, asked] = [{ _conversation: [{ input: 'a' }], sessionId: 's' }, { q: 'one' }];
  for (const fields of [
    { vars: { ...asked, ...added }, testCase: { vars: asked } },
    { vars: { ...asked, ...added }, testCase: { vars: { ...asked, ...added } } },
    { vars: { ...asked, ...added }, testCase: undefined },
    { vars: { ...asked, stored: 'by storeOutputAs' }, testCase: { vars: asked } },
  ])
    expect(promptfoo([result('one', fields)]).items).toMatchObject([{ case: 'one' }]);
  for (const fields of [
    { vars: { ...asked, other: 1 }, testCase: { vars: { ...asked, other: 1 } } },
    { vars: { ...asked, other: 1 }, testCase: undefined },
    { vars: { q: 'replaced' }, testCase: { vars: asked } },
  ])
    expect(promptfoo([result('one', fields)])).toMatchObject({ items: [], isRefused: true });
});

test('a path of a mapping that finds nothing is named', () => {
  const line = '{"id": "one", "answer": "a", "took": "12 ms", "cost": ""}';
  const messages = (map: string) => mapping(line, map).said;
  expect(messages('case=$.key,output=answer')).toEqual([
    '1: has nothing at $.key (case): correct --map, or the line',
  ]);
  expect(messages('case=id,output=$.text,error=$.failed')).toEqual([
    '1: has nothing at $.text (output), nor at $.failed (error): correct --map, or the line',
  ]);
  expect(mapping(line, 'case=id,output=answer,cost_usd=cost,latency_ms=$.ms')).toMatchObject({
    isRefused: false,
    said: [
      '1: --map latency_ms=$.ms finds nothing in any line',
      '1: --map cost_usd=cost finds nothing in any line',
    ],
  });
  expect(messages('case=id,output=answer,latency_ms=took')).toEqual([
    '1: has no number of at least 0 where --map finds latency_ms',
  ]);
});

const TWICE = '"x": 1, "x": 2';
test.each<[string, string, TextsOf]>([
  [
    'promptfoo',
    JSON.stringify(result('one')).replace('"promptIdx":0', TWICE),
    textsOfPromptfoo(ASKED, new Evidence()),
  ],
  [
    'Inspect',
    `{"eval": {}, "samples": [{"id": "one", "output": {"completion": "a", ${TWICE}}}]}`,
    textsOfInspect(new Evidence()),
  ],
  [
    'a mapping',
    `{"id": "one", "answer": {${TWICE}}}`,
    textsOfMapping(mappingOf('case=id,output=answer') as Mapping),
  ],
])('a name that an object has twice is refused in results of %s', (_, text, textsOf) => {
  expect(read(text, textsOf)).toMatchObject({
    isRefused: true,
    said: [expect.stringContaining('"x" twice')],
  });
});

test.each(['1e400', '-1e400', '1e-400', '12345678901234567890'])(
  'an output that is no text and holds %s, which is read as something else, is refused',
  (number) => {
    expect(mapping(`{"id": "one", "answer": {"a": ${number}}}`).isRefused).toBe(true);
  },
);

test('one of several values that a path finds is not taken for the output of all', () => {
  const text = '{"r": [{"id": "one", "o": "1"}, {"id": "two", "o": "2"}]}';
  expect(mapping(text, 'case=$.r[*].id,output=$.r[*].o')).toMatchObject({
    isRefused: true,
    said: ['1: has several values where --map finds output: let its path find one'],
  });
});

test.each([
  ['more fields than columns', 'one,Yes, but no'],
  ['fewer, as a file that is cut off', 'one'],
  ['a quote that is not closed', 'one,"Yes'],
  ['text behind its closing quote', 'one,"Yes" and no'],
])('a row of a table with %s is refused', (_, row) => {
  expect(mapping(`id,answer\n${row}\n`)).toMatchObject({
    isRefused: true,
    said: [expect.stringMatching(/^2: has/)],
  });
});

const CHOICE = { message: { role: 'assistant', content: 'a' }, stop_reason: 'stop' };
const inspect = (sample: object) =>
  read(JSON.stringify({ eval: {}, samples: [{ id: 'one', ...sample }] }), textsOfInspect(new Evidence()));

test.each<[string, object, string]>([
  [
    'stop_reason tool_calls',
    { output: { completion: 'a', choices: [{ ...CHOICE, stop_reason: 'tool_calls' }] } },
    'stop_reason: tool_calls',
  ],
  [
    'stop_reason content_filter',
    { output: { completion: 'a', choices: [{ ...CHOICE, stop_reason: 'content_filter' }] } },
    'stop_reason: content_filter',
  ],
  [
    'stop_reason max_tokens',
    { output: { completion: 'a', choices: [{ ...CHOICE, stop_reason: 'max_tokens' }] } },
    'stop_reason: max_tokens',
  ],
  [
    'stop_reason model_length',
    { output: { completion: 'a', choices: [{ ...CHOICE, stop_reason: 'model_length' }] } },
    'stop_reason: model_length',
  ],
  [
    'stop_reason unknown',
    { output: { completion: 'a', choices: [{ ...CHOICE, stop_reason: 'unknown' }] } },
    'stop_reason: unknown',
  ],
  [
    'a stop_reason that is null',
    { output: { completion: 'a', choices: [{ ...CHOICE, stop_reason: null }] } },
    'stop_reason: null',
  ],
  [
    'a limit',
    { limit: { type: 'message', limit: 30 }, output: { completion: 'a', choices: [CHOICE] } },
    'stopped at a limit: message',
  ],
  [
    'a limit as text',
    { limit: 'token', output: { completion: 'a', choices: [CHOICE] } },
    'stopped at a limit: token',
  ],
  [
    'an error',
    { error: { message: 'tool died' }, output: { completion: 'a', choices: [CHOICE] } },
    'tool died',
  ],
  ['an error as text', { error: 'tool died', output: { completion: 'a', choices: [CHOICE] } }, 'tool died'],
  ['an error of its output', { output: { completion: 'a', choices: [CHOICE], error: 'refused' } }, 'refused'],
  [
    'an invalidation',
    { invalidation: { reason: 'leaked' }, output: { completion: 'a', choices: [CHOICE] } },
    'invalidated: leaked',
  ],
  [
    'two choices',
    { output: { completion: 'a', choices: [CHOICE, CHOICE] } },
    '2 choices: an output is one answer',
  ],
  [
    'content null',
    { output: { completion: '', choices: [{ ...CHOICE, message: { content: null } }] } },
    'no output',
  ],
  [
    'content null beside a completion',
    { output: { completion: 'a', choices: [{ ...CHOICE, message: { content: null } }] } },
    'no output',
  ],
  ['no content', { output: { choices: [{ ...CHOICE, message: {} }] } }, 'no output'],
  [
    'blocks without a text',
    { output: { choices: [{ ...CHOICE, message: { content: [{ type: 'reasoning' }] } }] } },
    'no output',
  ],
  [
    'a block whose text is missing',
    { output: { choices: [{ ...CHOICE, message: { content: [{ type: 'text' }] } }] } },
    'no output',
  ],
  ['no choice and no completion', { output: { completion: '', choices: [] } }, 'no output'],
  ['no output', {}, 'no output'],
])('a sample of Inspect with %s is an error, not an answer', (_, sample, error) => {
  expect(inspect(sample).items).toEqual([{ case: 'one', error }]);
});

test('a text that a sample of Inspect ends with is its answer, an empty one, too', () => {
  for (const [content, output] of [
    ['a', 'a'],
    ['', ''],
    [[{ type: 'reasoning' }, { type: 'text', text: 'a' }], 'a'],
  ])
    expect(inspect({ output: { choices: [{ ...CHOICE, message: { content } }] } }).items).toEqual([
      { case: 'one', output },
    ]);
});

test.each<[string, object, string]>([
  ['failureReason 2', { failureReason: 2 }, 'failureReason: 2'],
  ['failureReason 2 and its error', { failureReason: 2, error: 'timed out' }, 'timed out'],
  ['an unknown failureReason', { failureReason: 3 }, 'failureReason: 3'],
  ['an error that no assertion has', { failureReason: 0, error: 'timed out' }, 'timed out'],
  [
    'an error without a failureReason',
    { error: 'timed out', gradingResult: { pass: false, reason: 'wrong' } },
    'timed out',
  ],
  ['finishReason length', { response: { output: 'one', finishReason: 'length' } }, 'finishReason: length'],
  [
    'finishReason content_filter',
    { response: { output: 'one', finishReason: 'content_filter' } },
    'finishReason: content_filter',
  ],
  [
    'an unknown finishReason',
    { response: { output: 'one', finishReason: 'SAFETY' } },
    'finishReason: SAFETY',
  ],
  [
    'isRefusal and an empty output',
    { response: { output: '', isRefusal: true } },
    'isRefusal, and no output',
  ],
  [
    'guardrails and an empty output',
    { response: { output: '', guardrails: { flaggedInput: true } } },
    'guardrails: {"flaggedInput":true}',
  ],
  ['no output', { response: {} }, 'no output'],
  ['an output that is null', { response: { output: null } }, 'no output'],
])('a result of promptfoo with %s is an error, not an answer', (_, fields, error) => {
  expect(promptfoo([result('one', fields)]).items).toEqual([{ case: 'one', error }]);
});

test.each<[string, object]>([
  ['whose assertion failed', { failureReason: 1, error: 'wrong' }],
  [
    'whose assertion failed in an older promptfoo',
    { error: 'wrong', gradingResult: { pass: false, reason: 'wrong' } },
  ],
  ['that ended', { failureReason: 0, response: { output: 'one', finishReason: 'STOP' } }],
  ['that ended with a call', { response: { output: 'one', finishReason: 'tool_calls' } }],
  ['that refuses in words', { response: { output: 'one', isRefusal: true, guardrails: { flagged: true } } }],
])('a result of promptfoo %s is an answer', (_, fields) => {
  expect(promptfoo([result('one', fields)]).items).toEqual([{ case: 'one', output: 'one' }]);
});

test.each([
  ['empty', 'id,answer\none,\n', undefined],
  ['quoted and empty', 'id,answer\none,""\n', undefined],
  ['blank', 'id,answer\none,  \n', undefined],
  ['empty beside an empty error', 'id,answer,why\none,,\n', 'case=id,output=answer,error=why'],
])('a cell of a table that is %s is no answer', (_, text, map) => {
  expect(mapping(text, map).items).toEqual([{ case: 'one', error: 'no output' }]);
});

test('an empty answer can be given in JSON', () => {
  expect(mapping('{"id": "one", "answer": ""}').items).toEqual([{ case: 'one', output: '' }]);
});

test('a table that names a column twice is refused', () => {
  expect(mapping('id,answer,answer\none,bad,good\n').said[0]).toBe('1: names the column "answer" twice');
});

test('fields that every object inherits are no fields of an item', () => {
  for (const name of ['constructor', '__proto__', 'toString'])
    expect(mapping('{"id": "one"}', `case=id,output=${name}`).isRefused).toBe(true);
});

test('an error that is false is none', () => {
  const { items } = mapping(
    '{"id": "one", "answer": "a", "failed": false}',
    'case=id,output=answer,error=failed',
  );
  expect(items).toEqual([{ case: 'one', output: 'a' }]);
});

test('an id of Inspect that is no text or whole number names no case', () => {
  for (const id of ['12345678901234567890', 'null', '{}', '1.5'])
    expect(
      read(
        `{"eval": {}, "samples": [{"id": ${id}, "output": {"completion": "a"}}]}`,
        textsOfInspect(new Evidence()),
      ),
    ).toMatchObject({
      isRefused: true,
    });
});

test('a table of millions of doubled quotes is read, and millions of wrong lines are refused at once', () => {
  const quotes = '""'.repeat(1_000_000);
  expect(mapping(`id,answer\none,"${quotes}"\n`).items[0]?.output).toHaveLength(1_000_000);
  expect(mapping(`id,answer\none,"${quotes}\n`).isRefused).toBe(true);
  const wrong = read(
    `${JSON.stringify(result('one'))}\n${'{\n'.repeat(1_000_000)}`,
    textsOfPromptfoo(ASKED, new Evidence()),
  );
  expect(wrong).toMatchObject({ isRefused: true, items: [] });
});

test('keys of any size are compared with names for a bounded time only', () => {
  const keys = Array.from({ length: 10_000 }, (_, at) => `${'k'.repeat(80)}${at}`);
  const names = Array.from({ length: 20 }, (_, at) => `${'q'.repeat(190)}${at}`);
  expect(mismatchedSentences([...names, 'kk'], [...keys, 'kj'])).toHaveLength(1);
  expect(mismatchedSentences(['windo'], ['window', 'refund'])).toEqual([
    'windo is no case of the suite: is it window?',
  ]);
});

test('line ends of Windows and a byte order mark change nothing', () => {
  expect(mapping('\ufeffid,answer\r\none,"a\r\nb"\r\n').items).toEqual([{ case: 'one', output: 'a\r\nb' }]);
  const text = `\ufeff${JSON.stringify(result('one'))}\r\n${JSON.stringify(result('two'))}\r\n`;
  expect(read(text, textsOfPromptfoo(ASKED, new Evidence())).items.map(({ output }) => output)).toEqual([
    'one',
    'two',
  ]);
  expect(formOf(text.slice(1))).toBe('promptfoo');
});
