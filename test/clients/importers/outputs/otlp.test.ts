import { expect, test } from '@jest/globals';
import { readItemTrace } from '../../../../clients/files/read/traces.ts';
import { formOf } from '../../../../clients/importers/outputs/forms.ts';
import { traceExcerpt } from '../../../../shared/scoring/trace/excerpt.ts';
import { type Attributes, lineOf, ROOT, readLines, readText, span } from './otlp.ts';

const tool = (name: string, more: Attributes = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  ...more,
});
const chat = (text: string) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.usage.input_tokens': 10,
  'gen_ai.usage.output_tokens': 2,
  'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: text }] }]),
});

test('the spans of a trace are an output with its calls, whichever lines they stand in', () => {
  expect(formOf(lineOf([ROOT]))).toBe('otlp');
  const { items, said } = readLines(
    [
      span('root/c', [50, 60], tool('refund', { 'gen_ai.tool.call.arguments': { order: 'A1' } }), {
        status: { code: 2, message: 'timeout' },
      }),
      ROOT,
    ],
    [
      span('root/a', [10, 40], tool('lookup', { 'gen_ai.tool.call.arguments': '{"order":"A1"}' })),
      span('a/sub', [12, 20], tool('search', { 'gen_ai.tool.call.arguments': 'no object' })),
      span('root/b', [30, 45], tool('log')),
      span('root/m1', [0, 9], chat('A moment.')),
      span('root/m2', [61, 99], chat('Done.')),
    ],
  );
  expect(said).toEqual([]);
  expect(items).toMatchObject([
    { case: 'refund-a1', output: 'Done.', metadata: { latency_ms: 100, input_tokens: 20, output_tokens: 4 } },
  ]);
  const read = readItemTrace(items[0]!);
  const trace = read?.ok ? read.trace : [];
  expect(traceExcerpt(trace)).toBe(
    'lookup({"order":"A1"}) ∥ log(…) → search("no object") → refund({"order":"A1"}) failed',
  );
  expect(trace.filter(({ nested }) => nested).map(({ tool: name }) => name)).toEqual(['search']);
});

test('an agent that ended with a call has no output, and a trace without a case, or with two, is named', () => {
  const { items } = readLines([
    ROOT,
    span('root/m', [1, 2], chat('First.')),
    span('root/a', [5, 6], tool('x')),
  ]);
  expect(items[0]).not.toHaveProperty('output');
  expect(readLines([span('root', [0, 1], {})]).said).toEqual([
    'spans.jsonl:1:1: error: the trace t1 names no case: set evalgate.case on its root span',
  ]);
  const two = readLines([
    span('root', [0, 1], {}),
    span('root/a', [0, 1], { 'evalgate.case': 'a' }),
    span('root/b', [0, 1], { 'evalgate.case': 'b' }),
  ]);
  expect(two.said[0]).toContain('names two cases');
  const listed = readLines([
    span('root', [0, 9], { 'evalgate.case': ['a', 'b'] }),
    span('root/c', [0, 1], tool('lookup')),
  ]);
  expect(listed.items.map((item) => item.case)).toEqual(['a', 'b']);
});

const says = (parts: unknown, more: Attributes = {}) => ({
  ...chat(''),
  'gen_ai.output.messages':
    typeof parts === 'string' ? parts : JSON.stringify([{ role: 'assistant', parts }]),
  ...more,
});
const CALLED = [{ type: 'tool_call', id: 'c1', name: 'delete_account', arguments: {} }];

test.each<[title: string, said: RegExp, spans: readonly object[]]>([
  [
    'a call that stands only in messages of a model',
    /t1 has a call of "delete_account" in gen_ai.output.messages, and no span of it/,
    [span('root/m', [1, 2], says(CALLED)), span('root/a', [3, 4], tool('lookup'))],
  ],
  [
    'answers that ended by calls, without a span of one',
    /t1 ended answers by calls, and has no span of one/,
    [
      span(
        'root/m',
        [1, 2],
        {},
        {
          attributes: [
            {
              key: 'gen_ai.response.finish_reasons',
              value: { arrayValue: { values: [{ stringValue: 'tool_calls' }] } },
            },
          ],
        },
      ),
    ],
  ],
  [
    'messages that were cut',
    /t1 has gen_ai.output.messages that are no JSON list/,
    [span('root/m', [1, 2], says('[{"role": "assis'))],
  ],
  [
    'roots of two cases',
    /t1 names two cases/,
    [span('elsewhere/other', [0, 1], { 'evalgate.case': 'b' }), span('other/a', [0, 1], tool('lookup'))],
  ],
])('what might lose a call is an error: %s', (_, said, spans) => {
  const read = readLines([ROOT, ...spans]);
  expect(read.said).toEqual([expect.stringMatching(said)]);
  expect(read.items).toEqual([]);
});

test('a span that names a tool is a call of it, and the same one as in the messages of its model', () => {
  const own = span('root/a', [3, 4], { 'gen_ai.tool.name': 'delete_account' });
  const { items } = readLines([ROOT, span('root/m', [1, 2], says(CALLED)), own]);
  expect(items[0]?.trace).toMatchObject([{ tool: 'delete_account' }]);
});

test.each([
  ['a line that was cut', '{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"t1"'],
  ['an older form', '{"resourceSpans":[{"instrumentationLibrarySpans":[{"spans":[]}]}]}'],
  [
    'a line of our own form',
    '{"case": "refund-a1", "output": "Done."}',
    'is an output with a case, and others',
  ],
  ['a result of promptfoo', '{"vars": {}, "response": {}}', 'is a result of promptfoo, and others'],
])('no line is passed over: %s', (_, line, why = 'is no line of OTLP JSON: export it again') => {
  const { items, said } = readText(`${lineOf([ROOT])}\n{"resourceMetrics":[]}\n\n${line}\n`);
  expect(items).toEqual([]);
  expect(said).toEqual([expect.stringContaining(`spans.jsonl:4:1: error: ${why}`)]);
});

const CHAT = { 'gen_ai.operation.name': 'chat' };
const saying = (parts: readonly object[], finish_reason = 'stop') =>
  JSON.stringify([{ role: 'assistant', parts, finish_reason }]);
const HALF = [{ type: 'text', content: 'half' }];
const FAILED = { status: { code: 2, message: 'boom' } };

test.each<[string, string, readonly object[]]>([
  [
    'whose last answer ends by length',
    'finish reason: length',
    [ROOT, span('root/m', [1, 9], { ...CHAT, 'gen_ai.output.messages': saying(HALF, 'length') })],
  ],
  [
    'whose last answer was filtered',
    'finish reason: content_filter',
    [
      ROOT,
      span('root/m', [1, 9], {
        ...CHAT,
        'gen_ai.output.messages': saying(HALF),
        'gen_ai.response.finish_reasons': ['content_filter'],
      }),
    ],
  ],
  [
    "whose last answer of Vercel's AI SDK ends by length",
    'finish reason: length',
    [
      ROOT,
      span('root/m', [1, 9], {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.response.text': 'half',
        'ai.response.finishReason': 'length',
      }),
    ],
  ],
  [
    'whose last answer failed',
    'boom',
    [ROOT, span('root/m', [1, 9], { ...CHAT, 'gen_ai.output.messages': saying(HALF) }, FAILED)],
  ],
  [
    'whose agent failed',
    'boom',
    [{ ...ROOT, ...FAILED }, span('root/m', [1, 9], { ...CHAT, 'gen_ai.output.messages': saying(HALF) })],
  ],
])('a trace %s is an error, not an answer', (_, error, spans) => {
  expect(readLines(spans).items).toEqual([expect.objectContaining({ error })]);
  expect(readLines(spans).items[0]).not.toHaveProperty('output');
});

test('an answer of a model that shows no text is no empty output', () => {
  for (const parts of [[], [{ type: 'reasoning', content: 'x' }]]) {
    const { items } = readLines([
      ROOT,
      span('root/m', [1, 9], { ...CHAT, 'gen_ai.output.messages': saying(parts) }),
    ]);
    for (const item of items) expect(item).not.toHaveProperty('output');
  }
  const empty = saying([{ type: 'text', content: '' }]);
  const { items } = readLines([ROOT, span('root/m', [1, 9], { ...CHAT, 'gen_ai.output.messages': empty })]);
  expect(items).toMatchObject([{ output: '' }]);
});

const RESULT = { approved: true };
const resultsOf = (...spans: readonly object[]): unknown[] => {
  const { items, said } = readLines([ROOT, ...spans]);
  expect(said.filter((line) => line.includes(': error: '))).toEqual([]);
  const read = readItemTrace(items[0]!);
  return read?.ok ? read.trace.map(({ result }) => result) : [];
};

test.each<[string, Attributes, unknown]>([
  ['OpenTelemetry, as JSON', tool('a', { 'gen_ai.tool.call.result': JSON.stringify(RESULT) }), RESULT],
  ['OpenTelemetry, as members', tool('a', { 'gen_ai.tool.call.result': RESULT }), RESULT],
  ['OpenTelemetry, as a text', tool('a', { 'gen_ai.tool.call.result': 'denied' }), 'denied'],
  ['OpenInference', { 'openinference.span.kind': 'TOOL', 'tool.name': 'a', 'output.value': '[1]' }, [1]],
  [
    'Vercel',
    { 'ai.operationId': 'ai.toolCall', 'ai.toolCall.name': 'a', 'ai.toolCall.result': '{"a":1}' },
    { a: 1 },
  ],
  [
    'two that agree',
    tool('a', { 'gen_ai.tool.call.result': '{"a": 1}', 'output.value': '{"a":1}' }),
    { a: 1 },
  ],
  ['two that differ', tool('a', { 'gen_ai.tool.call.result': 'ok', 'output.value': 'denied' }), undefined],
  ['half a character', tool('a', { 'gen_ai.tool.call.result': '\ud800' }), undefined],
  [
    'deeper than 64 levels',
    tool('a', { 'gen_ai.tool.call.result': `${'['.repeat(70)}${']'.repeat(70)}` }),
    undefined,
  ],
  ['none', tool('a'), undefined],
])('the result of a call is that of its span: %s', (_, attributes, result) => {
  expect(resultsOf(span('root/a', [1, 2], attributes))).toEqual([result]);
});

test('a call and the span that carries it have one result, or none that is known', () => {
  const carried = (outer: string, inner: string) =>
    resultsOf(
      span('root/a', [1, 9], tool('a', { 'gen_ai.tool.call.result': outer })),
      span('a/b', [2, 3], tool('a', { 'mcp.method.name': 'tools/call', 'gen_ai.tool.call.result': inner })),
    );
  expect(carried('{"a":1}', '{"a": 1}')).toEqual([{ a: 1 }]);
  expect(carried('ok', 'denied')).toEqual([undefined]);
});

test('a call that others are within has its result when they ended', () => {
  const { items } = readLines([
    ROOT,
    span('root/agent', [1, 30], tool('agent', { 'gen_ai.tool.call.result': 'ok' })),
    span('agent/in', [5, 6], tool('in', { 'gen_ai.tool.call.result': 'ok' })),
    span('root/last', [40, 50], tool('last')),
  ]);
  const read = readItemTrace(items[0]!);
  expect(read?.ok && read.trace).toMatchObject([
    { tool: 'agent', step: 0, since: 2 },
    { tool: 'in', step: 1 },
    { tool: 'last', step: 2 },
  ]);
});

test('the largest results are left out where a trace would be too long with them', () => {
  const texts = ['x'.repeat(200_000), 'small', 'y'.repeat(100_000)];
  const spans = texts.map((text, at) =>
    span(`root/s${at}`, [at * 10, at * 10 + 5], tool(`t${at}`, { 'gen_ai.tool.call.result': text })),
  );
  expect(resultsOf(...spans)).toEqual([undefined, texts[1], texts[2]]);
});
