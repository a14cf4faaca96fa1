import { expect, test } from '@jest/globals';
import { type Attributes, attributesOf, callsIn, lineOf, ROOT, readLines, readText, span } from './otlp.ts';

/** One span below the root. */
const one = (given: Attributes, more: object = {}) => span('root/a', [10, 20], given, more);
const lookup = (more: Attributes = {}) => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'lookup',
  ...more,
});
const list = (...parts: readonly object[]) => JSON.stringify([{ role: 'assistant', parts }]);
const OPENINFERENCE = { 'openinference.span.kind': 'TOOL', 'tool.name': 'delete_account' };
const VERCEL = {
  'ai.operationId': 'ai.toolCall',
  'ai.toolCall.name': 'delete_account',
  'ai.toolCall.id': 'c1',
};
const NAMED = JSON.stringify([{ toolCallId: 'c1', toolName: 'delete_account', input: '{}' }]);
const FLAT = 'llm.output_messages.0.message.tool_calls.0.tool_call';

test.each<[title: string, calls: string, spans: readonly object[]]>([
  ['OpenInference', 'delete_account(…)', [one(OPENINFERENCE)]],
  [
    'OpenInference, its kind in lower case',
    'delete_account(…)',
    [one({ ...OPENINFERENCE, 'openinference.span.kind': 'tool' })],
  ],
  [
    'OpenInference, its kind with the name of the list',
    'delete_account(…)',
    [one({ ...OPENINFERENCE, 'openinference.span.kind': 'SpanKind.TOOL' })],
  ],
  [
    'OpenInference, with an input',
    'delete_account({"id":1})',
    [one({ ...OPENINFERENCE, 'input.value': '{"id": 1}' })],
  ],
  [
    'OpenInference, with the arguments of a function',
    'delete_account({"id":1})',
    [one({ ...OPENINFERENCE, 'input.value': '{"args": [], "kwargs": {"id": 1}}' })],
  ],
  [
    'OpenInference, with arguments that have no name',
    'delete_account(…)',
    [one({ ...OPENINFERENCE, 'input.value': '{"args": [1], "kwargs": {}}' })],
  ],
  [
    'OpenInference, with a definition of parameters',
    'delete_account(…)',
    [one({ ...OPENINFERENCE, 'tool.parameters': '{"id": "int"}' })],
  ],
  ['OpenInference, its name alone', 'delete_account(…)', [one({ 'tool.name': 'delete_account' })]],
  ['the AI SDK of Vercel', 'delete_account({"id":1})', [one({ ...VERCEL, 'ai.toolCall.args': '{"id":1}' })]],
  [
    'the AI SDK of Vercel, its name alone',
    'delete_account(…)',
    [one({ 'ai.toolCall.name': 'delete_account' })],
  ],
  [
    'two conventions on one span',
    'lookup({"id":1})',
    [
      one({
        ...lookup({ 'gen_ai.tool.call.arguments': '{"id":1}' }),
        'tool.name': 'lookup',
        'ai.toolCall.name': 'lookup',
        'input.value': '{"id": 1}',
        'langfuse.observation.type': 'tool',
      }),
    ],
  ],
  [
    'a span of MCP within that of the call',
    'lookup({"id":1})',
    [
      span('root/a', [10, 20], lookup()),
      span('a/b', [11, 19], {
        'mcp.method.name': 'tools/call',
        'gen_ai.tool.name': 'lookup',
        'gen_ai.tool.call.arguments': { id: 1 },
      }),
    ],
  ],
  [
    'a span of another convention within that of the call',
    'lookup(…)',
    [span('root/a', [10, 20], { 'ai.toolCall.name': 'lookup' }), span('a/b', [11, 19], lookup())],
  ],
  ['a span that was exported twice', 'lookup(…)', [one(lookup()), one(lookup())]],
  [
    'calls of a model, with a span each',
    'delete_account(…)',
    [
      span('root/m', [1, 9], {
        'ai.operationId': 'ai.generateText.doGenerate',
        'ai.response.toolCalls': NAMED,
        'ai.response.finishReason': 'tool-calls',
      }),
      one(VERCEL),
    ],
  ],
  [
    'two conventions in the messages of one answer',
    'delete_account(…)',
    [
      span('root/m', [1, 9], {
        'gen_ai.output.messages': list({ type: 'tool_call', id: 'c1', name: 'delete_account' }),
        'ai.response.toolCalls': NAMED,
        [`${FLAT}.id`]: 'c1',
        [`${FLAT}.function.name`]: 'delete_account',
      }),
      one(VERCEL),
    ],
  ],
  [
    'messages of OpenInference, with a history',
    'delete_account(…)',
    [
      span('root/m', [1, 9], {
        'openinference.span.kind': 'LLM',
        [`${FLAT}.function.name`]: 'delete_account',
      }),
      span('root/n', [30, 40], {
        'openinference.span.kind': 'LLM',
        'llm.input_messages.0.message.tool_calls.0.tool_call.function.name': 'delete_account',
        'llm.input_messages.1.message.role': 'tool',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.content': 'Done.',
      }),
      one(OPENINFERENCE),
    ],
  ],
  [
    'a node of a graph around its calls',
    'delete_account(…)',
    [
      span('root/tools', [1, 30], { 'openinference.span.kind': 'CHAIN' }),
      span('tools/a', [2, 3], OPENINFERENCE),
    ],
  ],
  [
    'calls at once around which Pydantic AI has a span',
    'lookup(…)',
    [
      span('root/w', [1, 30], { tools: ['lookup'] }, { name: 'running 1 tool' }),
      span('w/a', [2, 3], lookup({ tool_arguments: '{}' })),
    ],
  ],
])('a call is read from %s', (_, calls, spans) => {
  const read = callsIn(...spans);
  expect(read?.replace('({})', '(…)')).toBe(calls);
});

const event = (name: string, attributes: object[] = []) => ({ events: [{ name, attributes }] });
const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
const CHAT = { 'gen_ai.operation.name': 'chat' };

/** An answer that calls nothing. */
const answer = (content: string, more: Attributes = {}) => ({
  ...CHAT,
  'gen_ai.output.messages': list({ type: 'text', content }),
  ...more,
});

type Rows = readonly [evidence: string, span: object][];

const UNREAD: Rows = [
  ['traceloop.span.kind', one({ 'traceloop.span.kind': 'tool', 'traceloop.entity.name': 'delete_account' })],
  ['langsmith.span.kind', one({ 'langsmith.span.kind': 'tool' })],
  ['langfuse.observation.type', one({ 'langfuse.observation.type': 'TOOL' })],
  ['mlflow.spanType', one({ 'mlflow.spanType': '"TOOL"' })],
  ['mcp.method.name', one({ 'mcp.method.name': 'tools/call' })],
  ['app.type', one({ 'app.type': 'mcp_call' })],
  ['rpc.method', one({ 'rpc.method': 'tools/call' })],
  ['sentry.op', one({ 'sentry.op': 'gen_ai.execute_tool' })],
  ['gen_ai.operation.name', one({ 'gen_ai.operation.name': 'call_tool' })],
  ['span.type', one({ 'span.type': 'function' })],
  ['app.span_attributes', one({ 'app.span_attributes': '{"type": "tool"}' })],
  ['tool_name', one({ tool_name: 'delete_account' })],
  ['app.function.name', one({ 'app.function.name': 'delete_account' })],
  ['app.toolCalls', one({ 'app.toolCalls': ['delete_account'] })],
  ['app.function_call', one({ 'app.function_call': '{"name": "delete_account"}' })],
  ['app.tool_calls', one({ 'app.tool_calls': 2 })],
  ['the name of', one({}, { name: 'execute_tool delete_account' })],
  ['the name of', one({}, { name: 'running tool' })],
  ['the name of', one({}, { name: 'execute_tool transfer_to_agent' })],
  ['the name of', one({}, { name: 'execute_tool agent' })],
  ['the name of', one({}, { name: 'execute_tool list_tools' })],
  ['the name of', one({}, { name: 'tools/call get_weather' })],
  ['the name of', one({}, { name: 'Function: delete_account' })],
  ['the event tool.called', one({}, event('tool.called'))],
];

const IN_MESSAGES: Rows = [
  ['gen_ai.completion', one({ 'gen_ai.completion.0.tool_calls.0.name': 'delete_account' })],
  [
    'gen_ai.completion',
    one({ 'gen_ai.completion': '[{"content": [{"type": "tool_use", "name": "delete_account"}]}]' }),
  ],
  [
    'gen_ai.choice',
    one(
      CHAT,
      event('gen_ai.choice', [text('message', '{"tool_calls": [{"function": {"name": "delete_account"}}]}')]),
    ),
  ],
  [
    'gen_ai.choice',
    one(CHAT, event('gen_ai.choice', [text('message', '[{"toolUse": {"name": "delete_account"}}]')])),
  ],
  ['gen_ai.choice', one(CHAT, event('gen_ai.choice', [text('finish_reason', 'tool_use')]))],
  ['gen_ai.tool.message', one(CHAT, event('gen_ai.tool.message', [text('content', 'deleted')]))],
  [
    'gen_ai.output.messages',
    one(
      CHAT,
      event('gen_ai.client.inference.operation.details', [
        text('gen_ai.output.messages', list({ type: 'tool_call', name: 'delete_account' })),
      ]),
    ),
  ],
  [
    'gen_ai.input.messages',
    one({ ...CHAT, 'gen_ai.input.messages': list({ type: 'tool_call', name: 'delete_account' }) }),
  ],
  [
    'gen_ai.input.messages',
    one({
      'gen_ai.input.messages': JSON.stringify([
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c1' }] },
      ]),
    }),
  ],
  [
    'gen_ai.input.messages',
    one({
      'gen_ai.input.messages': [
        { role: 'assistant', tool_calls: [{ function: { name: 'delete_account', arguments: '{}' } }] },
      ],
    }),
  ],
  ['ai.response.toolCalls', one({ 'ai.response.toolCalls': NAMED })],
  ['ai.response.toolCalls', one({ 'ai.response.toolCalls': NAMED.slice(0, 20) })],
  [
    'ai.prompt.messages',
    one({
      'ai.prompt.messages': JSON.stringify([
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c1', toolName: 'delete_account' }] },
      ]),
    }),
  ],
  ['llm.output_messages', one({ [`${FLAT}.function.name`]: 'delete_account' })],
  ['llm.output_messages', one({ 'llm.output_messages.0.message.function_call_name': 'delete_account' })],
  [
    'output.value',
    one({
      'output.value':
        '{"choices": [{"message": {"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "delete_account", "arguments": "{}"}}]}}]}',
    }),
  ],
  ['output.value', one({ 'output.value': '{"choices": [{"message": {"tool_calls": [{"id"' })],
  [
    'mlflow.spanOutputs',
    one({
      'mlflow.spanOutputs':
        '{"output": [{"type": "function_call", "call_id": "c1", "name": "delete_account"}]}',
    }),
  ],
  ['gen_ai.response.finish_reasons', one({ 'gen_ai.response.finish_reasons': ['tool-calls'] })],
  ['gen_ai.response.finish_reasons', one({ 'gen_ai.response.finish_reasons': '["tool_calls"]' })],
  ['ai.response.finishReason', one({ 'ai.response.finishReason': 'tool-calls' })],
  ['llm.response.stop_reason', one({ 'llm.response.stop_reason': 'TOOL_USE' })],
  ['llm.response.finish_reason', one({ 'llm.response.finish_reason': 'FinishReason.FUNCTION_CALL' })],
];

test.each([...UNREAD, ...IN_MESSAGES])(
  'a call that is not read makes the trace unusable, and %s is named',
  (evidence, found) => {
    const { items, said } = readLines([ROOT, found, span('root/z', [90, 99], answer('Done.'))]);
    expect({ items, said }).toEqual({ items: [], said: [expect.stringContaining(evidence)] });
    expect(said[0]).toMatch(/: error: the trace t1 .*the span "[^"]+" \(a\)/);
  },
);

test('a call in a log beside the spans makes the trace unusable', () => {
  const body = {
    kvlistValue: {
      values: attributesOf({ message: { tool_calls: [{ id: 'c1', name: 'delete_account' }] } }),
    },
  };
  const log = (name: string) => ({ traceId: 'T1', spanId: 'm', eventName: name, body });
  const logs = (name: string) =>
    JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [log(name)] }] }] });
  const spans = lineOf([ROOT, span('root/m', [1, 2], answer('Done.'))]);
  for (const name of ['gen_ai.choice', 'other']) {
    const { items, said } = readText(`${spans}\n${logs(name)}\n`);
    expect({ items, said }).toEqual({
      items: [],
      said: [expect.stringContaining('a call of "delete_account" in')],
    });
  }
});

test('a call that is read replaces none of another convention', () => {
  for (const [, found] of UNREAD)
    expect(readLines([ROOT, found, span('root/b', [30, 40], lookup())]).items).toEqual([]);
});

test.each<[title: string, attributes: Attributes, name?: string]>([
  [
    'definitions of tools',
    {
      'gen_ai.tool.definitions': '[{"type": "function", "name": "delete_account"}]',
      'gen_ai.request.tools': ['delete_account'],
      'llm.tools.0.tool.json_schema': '{"type": "function", "function": {"name": "delete_account"}}',
      'llm.tools.0.tool.name': 'delete_account',
      'llm.request.functions.0.name': 'delete_account',
      'llm.invocation_parameters':
        '{"tools": [{"type": "function", "name": "delete_account"}], "tool_choice": "auto"}',
      'ai.prompt.tools': ['{"type": "function", "name": "delete_account", "parameters": {}}'],
      'ai.prompt.toolChoice': '{"type": "auto"}',
      'ai.settings.maxToolRoundtrips': 3,
      'agent.allowed_tools': ['delete_account'],
      'input.value':
        '{"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function", "function": {"name": "delete_account", "parameters": {}}}]}',
    },
  ],
  [
    'a prompt about tools',
    {
      'input.value': 'Call the tool delete_account: {"tool_calls": [{"name": "delete_account"}]}',
      'llm.input_messages.0.message.content': '[{"type": "tool_use", "name": "delete_account"}]',
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [{ type: 'text', content: '"tool_calls": execute_tool' }] },
      ]),
      'logfire.msg': 'running tool: delete_account',
    },
  ],
  [
    'lists of calls that are empty',
    {
      'ai.response.toolCalls': '[]',
      'app.tool_calls': 0,
      'output.value': '{"message": {"tool_calls": [], "function_call": null}}',
    },
  ],
  [
    'other reasons of an end',
    { 'gen_ai.response.finish_reasons': ['stop'], 'ai.response.finishReason': 'stop' },
  ],
  ['a list of tools that was asked for', { 'mcp.method.name': 'tools/list' }, 'tools/list'],
  ['a route', { 'http.request.method': 'POST' }, 'POST /tools/run'],
  ['a tool to work with', { 'input.value': '{"type": "tool", "name": "hammer"}', 'app.type': 'wood' }],
  ['kinds with the word', { 'agent.type': 'tool_calling_agent', 'openai.type': 'mcp_tools' }],
  ['an agent', { 'openinference.span.kind': 'AGENT' }, 'ToolCallingAgent.run'],
])('%s is no call', (_, attributes, name = 'x') => {
  const said = readLines([ROOT, one(attributes, { name }), span('root/m', [30, 40], answer('Done.'))]);
  expect(said).toMatchObject({ said: [], items: [{ output: 'Done.', trace: [] }] });
});

test.each<[title: string, spans: readonly object[]]>([
  ['messages of OpenTelemetry', [one(answer('Done.'))]],
  [
    'messages of OpenTelemetry whose text is left out',
    [one({ ...CHAT, 'gen_ai.output.messages': list({ type: 'text' }) })],
  ],
  [
    'a text of the AI SDK of Vercel',
    [one({ 'ai.operationId': 'ai.generateText.doGenerate', 'ai.response.text': 'Done.' })],
  ],
  [
    'messages of OpenInference',
    [
      one({
        'openinference.span.kind': 'LLM',
        'llm.output_messages.0.message.role': 'assistant',
        'llm.output_messages.0.message.contents.0.message_content.type': 'text',
        'llm.output_messages.0.message.contents.0.message_content.text': 'Done.',
      }),
    ],
  ],
])('no call was made where every answer of a model is shown by %s', (_, spans) => {
  const { items } = readLines([ROOT, ...spans]);
  expect(items).toMatchObject([{ trace: [] }]);
  const isLeftOut = JSON.stringify(spans).includes('content') === false;
  if (!isLeftOut && items[0]?.output !== undefined) expect(items[0].output).toBe('Done.');
});

test.each<[title: string, spans: readonly object[]]>([
  ['a model that shows nothing', [one(CHAT)]],
  [
    'a model of another convention',
    [one({ 'llm.request.type': 'chat', 'gen_ai.completion.0.content': 'Done.' })],
  ],
  [
    'an answer with parts that are not known',
    [one({ ...CHAT, 'gen_ai.output.messages': list({ type: 'compaction' }) })],
  ],
  ['a list without an answer', [one({ ...CHAT, 'gen_ai.output.messages': '[]' })]],
])('a trace that shows an answer beside %s is sent without calls, with a warning', (_, spans) => {
  const { items, said } = readLines([ROOT, ...spans, span('root/z', [90, 99], answer('Done.'))]);
  expect(items).toEqual([expect.objectContaining({ output: 'Done.' })]);
  expect(items[0]).not.toHaveProperty('trace');
  expect(said).toEqual([
    expect.stringContaining('1:1: warning: the trace t1 does not show whether a tool was called'),
  ]);
});

test('a trace that shows neither what was called nor what was answered is an error', () => {
  for (const spans of [[], [one(CHAT)]])
    expect(readLines([ROOT, ...spans])).toEqual({
      items: [],
      said: [expect.stringContaining('shows neither what was called')],
    });
});

const call = (id: string | undefined, name = 'lookup') => ({ type: 'tool_call', ...(id && { id }), name });
const model = (id: string, parts: readonly object[], more: Attributes = {}) =>
  span(`root/${id}`, [1, 5], { ...CHAT, 'gen_ai.output.messages': list(...parts), ...more });
const made = (id: string, more: Attributes = {}) => span(`root/${id}`, [10, 20], lookup(more));

test.each<[title: string, said: RegExp, spans: readonly object[]]>([
  [
    'two calls of one answer',
    /2 calls of "lookup" in gen_ai.output.messages, and 1 of its spans/,
    [model('m', [call('c1'), call('c2')]), made('a')],
  ],
  [
    'calls of two answers',
    /2 calls of "lookup"/,
    [model('m', [call('c1')]), model('n', [call('c2')]), made('a')],
  ],
  [
    'calls of two answers with one id',
    /2 calls of "lookup"/,
    [model('m', [call('c1')]), model('n', [call('c1')]), made('a')],
  ],
  ['calls without an id', /2 calls of "lookup"/, [model('m', [call(undefined), call(undefined)]), made('a')]],
  [
    'calls of a history',
    /2 calls of "lookup" in gen_ai.input.messages/,
    [
      span('root/m', [1, 2], answer('x', { 'gen_ai.input.messages': list(call('c1'), call('c2')) })),
      made('a'),
    ],
  ],
  [
    'another id',
    /no span of its id c2/,
    [
      model('m', [call('c1'), call('c2')]),
      made('a', { 'gen_ai.tool.call.id': 'c1' }),
      made('b', { 'gen_ai.tool.call.id': 'c1' }),
    ],
  ],
  [
    'answers that ended by calls',
    /2 calls of a tool in gen_ai.response.finish_reasons, and 1 of its spans/,
    ['m', 'n']
      .map((id) => span(`root/${id}`, [1, 5], { ...CHAT, 'gen_ai.response.finish_reasons': ['tool_calls'] }))
      .concat(made('a')),
  ],
])('calls are counted, not named: %s', (_, said, spans) => {
  expect(readLines([ROOT, ...spans])).toEqual({ items: [], said: [expect.stringMatching(said)] });
});

test('answers that a history, or a span around them, repeats are counted once', () => {
  const spans = [
    span('root/agent', [1, 50], { 'gen_ai.output.messages': list(call('c1'), call('c2')) }),
    span('agent/m', [2, 5], { ...CHAT, 'gen_ai.output.messages': list(call('c1'), call('c2')) }),
    span('agent/n', [30, 40], answer('Done.', { 'gen_ai.input.messages': list(call('c1'), call('c2')) })),
    span('agent/a', [6, 8], lookup()),
    span('agent/b', [9, 12], lookup()),
  ];
  expect(callsIn(...spans)).toBe('lookup(…) → lookup(…)');
});

const FAILED: Rows = [
  ['error.type', one(lookup({ 'error.type': 'timeout' }))],
  ['gen_ai.tool.status', one(lookup({ 'gen_ai.tool.status': 'error' }))],
  ['gen_ai.tool.is_error', one(lookup({ 'gen_ai.tool.is_error': true }))],
  ['tool.success', one(lookup({ 'tool.success': false }))],
  ['the code of an exit', one(lookup({ 'process.exit.code': 1 }))],
  ['a time that ran out', one(lookup({ 'tool.timed_out': true }))],
  ['the level of Langfuse', one(lookup({ 'langfuse.observation.level': 'ERROR' }))],
  [
    'an exception',
    one({ 'ai.toolCall.name': 'lookup' }, event('exception', [text('exception.type', 'Timeout')])),
  ],
  ['a result of MCP', one(lookup({ 'gen_ai.tool.call.result': '{"isError": true, "content": []}' }))],
  [
    'an output of OpenInference',
    one({
      'openinference.span.kind': 'TOOL',
      'tool.name': 'lookup',
      'output.value': '{"type": "tool", "status": "error"}',
    }),
  ],
  ['the status of the span by its name', one(lookup(), { status: { code: 'STATUS_CODE_ERROR' } })],
  [
    'an event of its result',
    one(lookup(), event('gen_ai.choice', [text('message', '[{"toolResult": {"status": "error"}}]')])),
  ],
];

test.each(FAILED)('a call failed by %s', (_, found) => {
  expect(callsIn(found)).toBe('lookup(…) failed');
});

test('a call failed by its result in the messages', () => {
  const result = JSON.stringify([
    { role: 'user', parts: [{ type: 'tool_result', tool_use_id: 'c1', is_error: true }] },
  ]);
  const history = span('root/m', [30, 40], answer('x', { 'gen_ai.input.messages': result }));
  expect(callsIn(made('a', { 'gen_ai.tool.call.id': 'c1' }), history)).toBe('lookup(…) failed');
  expect(callsIn(made('a'), history)).toContain('has a result in gen_ai.input.messages that failed');
});

test.each(['success', 'OK', 'completed'])('a call did not fail by the status %s', (status) => {
  expect(
    callsIn(
      one(
        lookup({ 'gen_ai.tool.status': status, 'order.status': 'open', 'tool.timeout': 30, 'exit.code': 0 }),
      ),
    ),
  ).toBe('lookup(…)');
});

test.each<[title: string, said: RegExp, spans: readonly object[]]>([
  [
    'a status that is not known',
    /has gen_ai.tool.status "odd"/,
    [one(lookup({ 'gen_ai.tool.status': 'odd' }))],
  ],
  [
    'a good status beside a failure',
    /has the status OK and a failure/,
    [one(lookup({ 'error.type': 'x' }), { status: { code: 1 } })],
  ],
  [
    'a status of a span that is not known',
    /a status that is not known/,
    [one(lookup(), { status: { code: 7 } })],
  ],
  ['names of two tools', /two different names of tools/, [one(lookup({ 'tool.name': 'delete_account' }))]],
  ['two ids', /two different ids/, [one(lookup({ 'gen_ai.tool.call.id': 'a', 'ai.toolCall.id': 'b' }))]],
  [
    'two arguments',
    /two different arguments/,
    [one(lookup({ 'gen_ai.tool.call.arguments': '{"a":1}', 'ai.toolCall.args': '{"a":2}' }))],
  ],
  [
    'other arguments in the span of MCP',
    /two different calls for one/,
    [
      made('a', { 'gen_ai.tool.call.arguments': '{"a":1}' }),
      span(
        'a/b',
        [11, 12],
        lookup({ 'mcp.method.name': 'tools/call', 'gen_ai.tool.call.arguments': '{"a":2}' }),
      ),
    ],
  ],
  ['a call without a name', /does not name the tool/, [one({ 'openinference.span.kind': 'TOOL' })]],
  [
    'two different spans of one id',
    /two different spans with the id/,
    [one(lookup()), one(lookup({ 'gen_ai.tool.call.arguments': '{}' }))],
  ],
  ['two different answers', /two different answers/, [one(answer('a', { 'ai.response.text': 'b' }))]],
  [
    'an attribute twice',
    /the attribute "tool.name" twice/,
    [one({}, { attributes: [...attributesOf({ 'tool.name': 'a' }), ...attributesOf({ 'tool.name': 'b' })] })],
  ],
  ['attributes that were dropped', /has droppedAttributesCount/, [one({}, { droppedAttributesCount: 1 })]],
  [
    'attributes in another form',
    /"attributes" in a form/,
    [one({}, { attributes: { 'gen_ai.tool.name': 'x' } })],
  ],
  ['attributes under another name', /"tags" in a form/, [one({}, { tags: [] })]],
  ['a span without its id', /no traceId or no spanId/, [one({}, { spanId: undefined })]],
  ['a call without an end', /no start or no end/, [one(lookup(), { endTimeUnixNano: undefined })]],
  [
    'a name that is no text',
    /does not name the tool/,
    [one({}, { attributes: [{ key: 'tool.name', value: { text: 'x' } }] })],
  ],
])('what cannot be one call is an error: %s', (_, said, spans) => {
  expect(readLines([ROOT, ...spans])).toEqual({ items: [], said: [expect.stringMatching(said)] });
});

test.each<[title: string, calls: string, spans: readonly object[]]>([
  [
    'with parents of their own',
    'lookup(…) ∥ lookup(…)',
    [
      span('root/w1', [5, 30], {}),
      span('root/w2', [5, 30], {}),
      span('w1/a', [10, 20], lookup()),
      span('w2/b', [15, 25], lookup()),
    ],
  ],
  [
    'that began together',
    'lookup(…) ∥ lookup(…)',
    [span('root/a', [10, 10], lookup()), span('root/b', [10, 10], lookup())],
  ],
  [
    'below each other',
    'lookup(…) → lookup(…)',
    [span('root/a', [10, 40], lookup()), span('a/w', [11, 39], {}), span('w/b', [15, 25], lookup())],
  ],
  [
    'within each other in the same moment',
    'lookup(…) → search(…)',
    [span('a/b', [10, 10], lookup({ 'gen_ai.tool.name': 'search' })), span('root/a', [10, 10], lookup())],
  ],
  [
    'after each other',
    'lookup(…) → lookup(…)',
    [span('root/w', [5, 30], {}), span('w/a', [10, 20], lookup()), span('root/b', [20, 25], lookup())],
  ],
  [
    'of two sub-agents',
    'lookup(…) ∥ lookup(…) ∥ lookup(…) ∥ lookup(…)',
    [
      span('root/a', [10, 40], lookup()),
      span('root/b', [10, 40], lookup()),
      span('a/c', [15, 25], lookup()),
      span('b/d', [20, 30], lookup()),
    ],
  ],
])('overlap decides on the steps of calls %s', (_, calls, spans) => {
  expect(callsIn(...spans)).toBe(calls);
});

test('what a sub-agent answered is no output of the agent that ended with its call', () => {
  const { items } = readLines([ROOT, made('a'), span('a/m', [12, 18], answer('Of the sub-agent.'))]);
  expect(items[0]).not.toHaveProperty('output');
});

test('an answer before one that is not shown is no output', () => {
  const { items } = readLines([
    ROOT,
    made('a'),
    span('root/m', [1, 2], answer('First.')),
    span('root/n', [30, 40], CHAT),
  ]);
  expect(items[0]).not.toHaveProperty('output');
});
