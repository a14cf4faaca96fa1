import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { traceExcerpt } from '../../../../shared/scoring/trace/excerpt.ts';
import { readTrace } from '../../../../shared/scoring/trace/read.ts';
import { sized } from '../../../support/soak.ts';
import { ANTHROPIC, CHAT, OWN, RESPONSES } from './fixtures.ts';
import { asAnthropic, asChat, asOwn, asResponses, type Form } from './forms.ts';

const ofMessages = (messages: unknown) => readTrace('messages', messages);

function excerptOf(field: 'trace' | 'messages', list: unknown): string {
  const read = readTrace(field, list);
  return read.ok
    ? `${traceExcerpt(read.trace)} | ${read.output ?? ''}`
    : `${read.path.join('.')} ${read.message}`;
}

test.each([
  [
    'trace',
    OWN,
    'lookup({"order":"A1"}) ∥ sql("select 1") → agent(…) → refund({"order":"A1"}) failed | Refunded.',
  ],
  ['messages', CHAT, 'lookup({"order":"A1"}) ∥ sql("select 1") → refund({"order":"A1"}) | Refunded.'],
  [
    'messages',
    ANTHROPIC,
    'web_search({"query":"parcel"}) failed → find({"id":1}) → lookup({"order":"A1"}) ∥ log({}) failed → bash_code_execution({"command":"ls"}) | Refunded.',
  ],
  [
    'messages',
    RESPONSES,
    'lookup({"order":"A1"}) ∥ sql("select 1") → web_search({"type":"search","query":"parcel"}) → ' +
      'file_search({"queries":["parcel"]}) failed → code_interpreter({"code":"1+1"}) → image_generation(…) → ' +
      'computer({"type":"screenshot"}) → local_shell({"type":"exec","command":["ls"],"env":{}}) → ' +
      'shell({"commands":["ls"]}) failed → apply_patch({"type":"delete_file","path":"a.ts"}) failed → find({"id":1}) → ' +
      'erase({"id":1}) failed ∥ tool_search({"query":"refund"}) → program({"code":"refund()"}) ∥ refund({}) | Refunded.',
  ],
] as const)('the calls of a list in %s are read with their steps and failures', (field, list, expected) => {
  expect(excerptOf(field, list)).toBe(expected);
});

const jsonMembers = fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
const drawnForm: fc.Arbitrary<Form> = fc.record({
  steps: fc.array(
    fc.array(fc.record({ tool: fc.constantFrom('a', 'b', '工具', 'x*y'), members: jsonMembers }), {
      minLength: 1,
      maxLength: 3,
    }),
    { maxLength: 4 },
  ),
  said: fc.string(),
});

test('one trace has one normal form in all four formats, however the calls of a step are ordered', () => {
  fc.assert(
    fc.property(drawnForm, fc.boolean(), (form, isTurned) => {
      const turned = { ...form, steps: form.steps.map((step) => (isTurned ? step.toReversed() : step)) };
      const own = readTrace('trace', asOwn(turned));
      expect(own.ok && (own.output ?? '')).toBe(form.said);
      const bare = (read: ReturnType<typeof readTrace>) =>
        read.ok && { ...read, trace: read.trace.map(({ at: _, ...call }) => call) };
      for (const list of [asChat(form), asResponses(form), asAnthropic(form)]) {
        expect(bare(ofMessages(list))).toEqual(bare(own));
      }
    }),
    { numRuns: sized(200, 10_000) },
  );
});

describe('what cannot be read whole is refused with its place', () => {
  const call = { id: 'c', type: 'function', function: { name: 'a', arguments: '{}' } };
  const use = { type: 'tool_use', id: 't', name: 'a', input: {} };
  test.each<[string, unknown]>([
    ['must be a list', { role: 'user' }],
    ['0 must be an object', ['a']],
    ['0.role is "robot": must be', [{ role: 'robot', content: 'a' }]],
    ['0.content.0.type is "video", which', [{ role: 'user', content: [{ type: 'video' }] }]],
    [
      '0.tool_calls.0.function.name must be the name',
      [{ role: 'assistant', tool_calls: [{ ...call, function: { arguments: '{}' } }] }],
    ],
    [
      '0.tool_calls.0.function.arguments is missing',
      [{ role: 'assistant', tool_calls: [{ ...call, function: { name: 'a' } }] }],
    ],
    [
      '0.tool_calls.0.custom must not be sent beside function',
      [{ role: 'assistant', tool_calls: [{ ...call, custom: { name: 'b', input: '' } }] }],
    ],
    ['0.tool_calls must be a list', [{ role: 'assistant', tool_calls: { 0: call } }]],
    [
      '0.toolCalls is not known here, and may hold calls',
      [{ role: 'assistant', content: '', toolCalls: [call] }],
    ],
    ['0.tool_calls is not known here', [{ role: 'user', content: '', tool_calls: [call] }]],
    ['0.tool_call_id must be the id of a call before it', [{ role: 'tool', tool_call_id: 'c', content: '' }]],
    [
      '1.name must be the id of a call before it',
      [
        { role: 'assistant', content: '' },
        { role: 'function', name: 'a' },
      ],
    ],
    [
      '1.type does not go with',
      [
        { role: 'assistant', tool_calls: [call] },
        { type: 'function_call', name: 'a' },
      ],
    ],
    [
      '1.content.0.type is "tool_use"',
      [
        { role: 'assistant', tool_calls: [call] },
        { role: 'assistant', content: [use] },
      ],
    ],
    ['0.content.0.type is "tool_use", which only', [{ role: 'user', content: [use] }]],
    ['0.content.0.input is missing', [{ role: 'assistant', content: [{ ...use, input: undefined }] }]],
    [
      '1.content.0.tool_use_id must be',
      [
        { role: 'assistant', content: [use] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] },
      ],
    ],
    [
      '0.content.0.type is "compaction", which may hide',
      [{ role: 'assistant', content: [{ type: 'compaction' }] }],
    ],
    ['0.type is "compaction", which may hide', [{ type: 'compaction', encrypted_content: 'x' }]],
    ['0.type is "item_reference", which may hide', [{ type: 'item_reference', id: 'x' }]],
    ['0.type is "teleport_call", which is not', [{ type: 'teleport_call', id: 'x' }]],
    [
      '0.tool_calls.1.function has the id "c" of a call of the same step',
      [{ role: 'assistant', tool_calls: [call, { ...call, function: { name: 'b', arguments: '{}' } }] }],
    ],
    ['0.content.1 has the id "t" of a call', [{ role: 'assistant', content: [use, use] }]],
    [
      '2 has the id "c" of a call',
      [
        { type: 'function_call', call_id: 'c', name: 'a', arguments: '{}' },
        { role: 'assistant', content: 'a' },
        { type: 'custom_tool_call', call_id: 'c', name: 'b', input: '' },
      ],
    ],
    [
      '0.tool_calls.0.function.Name differs from name by case only',
      [{ role: 'assistant', tool_calls: [{ ...call, function: { ...call.function, Name: 'b' } }] }],
    ],
    ['0.type is missing', [{ id: 'x' }]],
    [
      '0.status is "cancelled", which',
      [{ type: 'function_call', name: 'a', arguments: '{}', status: 'cancelled' }],
    ],
    ['0.call_id must be the id', [{ type: 'function_call_output', call_id: 'c', output: '' }]],
    ['1.role is missing', [use, { content: 'a' }]],
  ])('%s', (expected, list) => {
    expect(excerptOf('messages', list)).toContain(expected.replace('1.role is missing', '1.type is none'));
  });

  const own = { type: 'call', tool: 'a' };
  test.each<[string, unknown]>([
    ['0.type is "tool"', [{ type: 'tool' }]],
    ['0.tool must be the name of a tool', [{ type: 'call', tool: 'a'.repeat(257) }]],
    ['0.output is not known here', [{ ...own, output: 'a' }]],
    ['0.arguments must be an object, or a text', [{ ...own, arguments: [1] }]],
    ['1.step must be given in all calls or in none', [{ ...own, step: 0 }, own]],
    [
      '1.step must be a whole number from 0 on, and never fall',
      [
        { ...own, step: 2 },
        { ...own, step: 1 },
      ],
    ],
    ['0.parent must be the id of a call before it', [{ ...own, id: 'c', parent: 'c' }]],
    ['0.error must be a text', [{ ...own, error: '' }]],
    ['0.role is "tool"', [{ type: 'message', role: 'tool', text: '' }]],
    ['must hold at most 1,000 calls', Array.from({ length: 1_001 }, () => own)],
    ['must hold at most 4,000 entries', Array.from({ length: 4_001 }, () => own)],
    ['must be at most 256 kB', [{ ...own, arguments: 'a'.repeat(262_144) }]],
  ])('of our form: %s', (expected, list) => {
    expect(excerptOf('trace', list)).toContain(expected);
  });
});

test.each([
  [null, '{}'],
  ['', '{}'],
  ['{"a":1,"\\u0061":2}', 'no JSON object'],
  ['{"a":', 'no JSON object'],
  ['[]', 'no JSON object'],
  ['{"a":1e999}', 'no JSON object'],
  ['{"a":"\\ud800"}', 'no JSON object'],
  [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, 'no JSON object'],
])('arguments %j are read as %s', (written, expected) => {
  const call = { id: 'c', type: 'function', function: { name: 'a', arguments: written } };
  expect(excerptOf('messages', [{ role: 'assistant', content: null, tool_calls: [call] }])).toBe(
    `a(${expected}) | `,
  );
});

test.each([
  [
    'a call',
    { type: 'function_call', call_id: 'x', name: 'delete_account', arguments: '{}' },
    'delete_account({})',
  ],
  [
    'a request for another tool',
    { type: 'mcp_approval_request', id: 'x', name: 'delete_account', arguments: '{}' },
    'delete_account({}) failed',
  ],
])('no call takes the place of what it does not answer: %s', (_, item, shown) => {
  const made = { type: 'mcp_call', id: 'm', name: 'think', arguments: '{}', approval_request_id: 'x' };
  expect(excerptOf('messages', [item, made])).toBe(`${shown} ∥ think({}) | `);
});

test('an empty list states that no call was made', () => {
  expect(readTrace('trace', [])).toEqual({ ok: true, trace: [] });
  expect(ofMessages([])).toEqual({ ok: true, trace: [] });
});
