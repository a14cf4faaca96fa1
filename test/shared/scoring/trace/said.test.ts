import { describe, expect, test } from '@jest/globals';
import { traceExcerpt } from '../../../../shared/scoring/trace/excerpt.ts';
import { readTrace } from '../../../../shared/scoring/trace/read.ts';

const ofMessages = (messages: unknown) => readTrace('messages', messages);

function excerptOf(field: 'trace' | 'messages', list: unknown): string {
  const read = readTrace(field, list);
  return read.ok
    ? `${traceExcerpt(read.trace)} | ${read.output ?? ''}`
    : `${read.path.join('.')} ${read.message}`;
}

test('an id may repeat in a later step: a result answers the latest call of it', () => {
  const call = { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' };
  const result = { type: 'function_call_output', call_id: 'c', output: '' };
  expect(excerptOf('messages', [call, result, call, { ...result, status: 'incomplete' }])).toBe(
    'a({}) → a({}) failed | ',
  );
});

const deep = (levels: number) => JSON.parse(`{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`);
test.each([
  ['64 levels are arguments', deep(64), /^a\(\{"a":/],
  ['65 levels are malformed', deep(65), /^a\(no JSON object\)/],
  ['100,000 levels are malformed', deep(100_000), /^a\(no JSON object\)/],
  ['null is no argument', null, /^a\(\{\}\)/],
])('arguments as a value: %s', (_, value, expected) => {
  expect(excerptOf('trace', [{ type: 'call', tool: 'a', arguments: value }])).toMatch(expected);
  expect(excerptOf('messages', [{ type: 'tool_use', id: 't', name: 'a', input: value }])).toMatch(expected);
});

describe('calls that a model writes as one are calls of one step', () => {
  const parallel = (name: string, args: unknown) => ({
    id: 'c',
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  });
  const uses = [
    { recipient_name: 'functions.a', parameters: { x: 1 } },
    { recipient_name: 'b', parameters: [] },
  ];
  const shownOf = (call: object, ...more: object[]) =>
    excerptOf('messages', [{ role: 'assistant', content: null, tool_calls: [call] }, ...more]);

  test.each(['multi_tool_use.parallel', 'multi_tool_use_parallel', 'functions.multi_tool_use.parallel'])(
    '%s',
    (name) => {
      const call = parallel(name, { tool_uses: uses });
      expect(shownOf(call)).toBe('a({"x":1}) ∥ b(no JSON object) | ');
      const result = { role: 'tool', tool_call_id: 'c', content: '', is_error: true };
      expect(shownOf(call, result)).toBe('a({"x":1}) failed ∥ b(no JSON object) failed | ');
    },
  );

  test.each([
    {},
    { tool_uses: [] },
    { tool_uses: uses, Tool_uses: [] },
    { tool_uses: [...uses, { recipient_name: '' }] },
    { tool_uses: [...uses, null] },
    { tool_uses: [{ recipient_name: 'multi_tool_use.parallel', parameters: { tool_uses: uses } }] },
  ])('%j is malformed as a whole', (args) => {
    expect(shownOf(parallel('multi_tool_use.parallel', args))).toBe(
      'multi_tool_use.parallel(no JSON object) | ',
    );
  });
});

test.each([
  [
    'chat',
    {
      role: 'assistant',
      content: 'Hi.',
      refusal: null,
      annotations: [{ type: 'url_citation', url_citation: { url: 'a' } }],
      logprobs: { content: [{ token: 'a', logprob: 0, top_logprobs: [] }] },
      audio: { id: 'a', data: '', transcript: '' },
      usage: { total_tokens: 1 },
      finish_reason: 'stop',
      metadata: { run: 1 },
      name: 'agent',
    },
  ],
  [
    'a result',
    {
      role: 'user',
      content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }],
      created_at: 5,
    },
  ],
  [
    'Responses',
    {
      type: 'message',
      id: 'm',
      role: 'assistant',
      status: 'completed',
      phase: null,
      content: [{ type: 'output_text', text: 'Hi.', annotations: [{ type: 'file_citation' }], logprobs: [] }],
    },
  ],
  [
    'reasoning',
    {
      type: 'reasoning',
      id: 'r',
      status: 'completed',
      summary: [{ type: 'summary_text', text: 'a' }],
      content: [{ type: 'reasoning_text', text: 'b' }],
    },
  ],
  [
    'Anthropic',
    {
      role: 'assistant',
      stop_reason: 'end_turn',
      usage: { input_tokens: 1 },
      content: [
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'text', text: 'Hi.', citations: [{ type: 'char_location' }] },
      ],
    },
  ],
])('what providers write beside it and decides nothing does no harm: %s', (_, message) => {
  const answer = { role: 'assistant', content: 'Done.' };
  expect(ofMessages([message, answer])).toMatchObject({ ok: true, trace: [] });
});

test.each<[string, object[]]>([
  [
    'an exit code',
    [
      { type: 'shell_call', call_id: 'c', action: {} },
      {
        type: 'shell_call_output',
        call_id: 'c',
        output: [{ stdout: '', outcome: { type: 'exit', exit_code: 1 } }],
      },
    ],
  ],
  [
    'a return code',
    [
      {
        role: 'assistant',
        content: [
          { type: 'server_tool_use', id: 's', name: 'bash_code_execution', input: {} },
          {
            type: 'bash_code_execution_tool_result',
            tool_use_id: 's',
            content: { type: 'bash_code_execution_result', return_code: 2 },
          },
        ],
      },
    ],
  ],
  [
    'an error of an image',
    [{ type: 'image_generation_call', id: 'i', status: 'completed', error: { code: 'moderation' } }],
  ],
  [
    'a call that says so itself',
    [
      {
        role: 'assistant',
        tool_calls: [
          { id: 'c', type: 'function', status: 'error', function: { name: 'a', arguments: '{}' } },
        ],
      },
    ],
  ],
])('a call failed by %s', (_, list) => {
  expect(ofMessages(list)).toMatchObject({ ok: true, trace: [{ failed: true }] });
});

const ASKED = { role: 'user', content: 'Refund A1' };

test.each<[string, 'trace' | 'messages', object[]]>([
  ['the user only', 'messages', [ASKED]],
  [
    'the system and the developer only',
    'messages',
    [
      { role: 'system', content: 'S' },
      { role: 'developer', content: 'D' },
    ],
  ],
  [
    'the user only, in Anthropic\u2019s form',
    'messages',
    [{ role: 'user', content: [{ type: 'image', source: {} }] }],
  ],
  ['reasoning without an answer', 'messages', [{ type: 'reasoning', summary: [] }]],
  ['the user only, in the form of evalgate', 'trace', [{ type: 'message', role: 'user', text: 'Refund A1' }]],
])('a list with messages of %s does not show that the agent called nothing', (_, field, list) => {
  expect(excerptOf(field, list)).toMatch(/^ has no message and no call of the agent: send what it wrote/);
});

test.each<[string, object]>([
  ['tool_calls', { role: 'assistant', content: 'Done.', finish_reason: 'tool_calls' }],
  ['tool_use', { role: 'assistant', content: 'Done.', stop_reason: 'tool_use' }],
  ['tool-calls', { role: 'assistant', content: 'Done.', finishReason: 'tool-calls' }],
  ['length', { role: 'assistant', content: 'Do', finish_reason: 'length' }],
  [
    'pause_turn',
    {
      role: 'assistant',
      content: [{ type: 'text', text: 'D' }, { type: 'thinking' }],
      stop_reason: 'pause_turn',
    },
  ],
  [
    'incomplete',
    {
      type: 'message',
      role: 'assistant',
      status: 'incomplete',
      content: [{ type: 'output_text', text: 'D' }],
    },
  ],
])('a message of the agent that ends by %s without a call is refused by its place', (reason, message) => {
  expect(excerptOf('messages', [ASKED, message])).toMatch(new RegExp(`^1\\.\\w+ is "${reason}"`));
});

test('a message of the agent that ends by its calls, or by its answer, is read', () => {
  const call = { id: 'c', type: 'function', function: { name: 'pay', arguments: '{}' } };
  const calling = { role: 'assistant', content: null, tool_calls: [call], finish_reason: 'tool_calls' };
  const answer = { role: 'assistant', content: 'Paid.', finish_reason: 'stop' };
  const result = { role: 'tool', tool_call_id: 'c', content: '' };
  expect(excerptOf('messages', [ASKED, calling, result, answer])).toBe('pay({}) | Paid.');
});

test.each<[string, 'trace' | 'messages', object[]]>([
  ['Chat Completions', 'messages', [{ role: 'assistant', content: 'Hello.' }, ASKED]],
  [
    'Responses',
    'messages',
    [
      { type: 'message', role: 'assistant', content: 'Hello.' },
      { type: 'message', ...ASKED },
    ],
  ],
  [
    'Anthropic',
    'messages',
    [{ role: 'assistant', content: [{ type: 'thinking' }, { type: 'text', text: 'Hello.' }] }, ASKED],
  ],
  [
    'evalgate',
    'trace',
    [
      { type: 'message', role: 'assistant', text: 'Hello.' },
      { type: 'message', role: 'user', text: 'Refund' },
    ],
  ],
])('what the agent wrote before the last message of the user is no answer to it: %s', (_, field, list) => {
  expect(readTrace(field, list)).toEqual({ ok: true, trace: [] });
});
