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
      status: 'incomplete',
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
  expect(ofMessages([message])).toMatchObject({ ok: true, trace: [] });
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
