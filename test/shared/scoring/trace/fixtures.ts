import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';

/** Lists as the providers' interfaces take and answer them, checked by the types of their own packages. */
export const CHAT: OpenAI.ChatCompletionMessageParam[] = [
  { role: 'developer', content: 'You help with orders.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Where is it?' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ],
  },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'call_1', type: 'function', function: { name: 'lookup', arguments: '{"order":"A1"}' } },
      { id: 'call_2', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
    ],
  },
  { role: 'tool', tool_call_id: 'call_1', content: '{"state":"lost"}' },
  { role: 'tool', tool_call_id: 'call_2', content: [{ type: 'text', text: '1' }] },
  { role: 'assistant', function_call: { name: 'refund', arguments: '{"order":"A1"}' } },
  { role: 'function', name: 'refund', content: 'ok' },
  { role: 'assistant', content: [{ type: 'text', text: 'Refunded.' }] },
];

export const RESPONSES: OpenAI.Responses.ResponseInputItem[] = [
  { role: 'user', content: 'Where is it?' },
  { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'A1' }] },
  { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Look it up.' }] },
  { type: 'function_call', call_id: 'c1', name: 'lookup', arguments: '{"order":"A1"}', status: 'completed' },
  { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'select 1' },
  { type: 'function_call_output', call_id: 'c1', output: 'lost' },
  { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: '1' }] },
  { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'parcel' } },
  { type: 'file_search_call', id: 'fs_1', status: 'failed', queries: ['parcel'], results: [] },
  {
    type: 'code_interpreter_call',
    id: 'ci_1',
    status: 'completed',
    container_id: 'cntr_1',
    code: '1+1',
    outputs: [{ type: 'logs', logs: '2' }],
  },
  { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: 'aGk=' },
  {
    type: 'computer_call',
    id: 'cu_1',
    call_id: 'c3',
    status: 'completed',
    action: { type: 'screenshot' },
    pending_safety_checks: [],
  },
  {
    type: 'computer_call_output',
    call_id: 'c3',
    output: { type: 'computer_screenshot', image_url: 'https://example.com' },
  },
  {
    type: 'local_shell_call',
    id: 'ls_1',
    call_id: 'c4',
    status: 'completed',
    action: { type: 'exec', command: ['ls'], env: {} },
  },
  { type: 'local_shell_call_output', id: 'c4', output: 'a' },
  { type: 'shell_call', call_id: 'c5', action: { commands: ['ls'] } },
  {
    type: 'shell_call_output',
    call_id: 'c5',
    output: [{ stdout: '', stderr: '', outcome: { type: 'timeout' } }],
  },
  {
    type: 'apply_patch_call',
    call_id: 'c6',
    status: 'completed',
    operation: { type: 'delete_file', path: 'a.ts' },
  },
  { type: 'apply_patch_call_output', call_id: 'c6', status: 'failed', output: 'no such file' },
  { type: 'mcp_list_tools', id: 'ml_1', server_label: 'crm', tools: [{ name: 'find', input_schema: {} }] },
  { type: 'mcp_approval_request', id: 'ma_1', server_label: 'crm', name: 'find', arguments: '{"id":1}' },
  { type: 'mcp_approval_response', approval_request_id: 'ma_1', approve: true },
  {
    type: 'mcp_call',
    id: 'mc_1',
    server_label: 'crm',
    name: 'find',
    arguments: '{"id":1}',
    approval_request_id: 'ma_1',
    output: '{}',
  },
  { type: 'mcp_approval_request', id: 'ma_2', server_label: 'crm', name: 'erase', arguments: '{"id":1}' },
  { type: 'mcp_approval_response', approval_request_id: 'ma_2', approve: false },
  { type: 'tool_search_call', call_id: 'c7', arguments: { query: 'refund' } },
  { type: 'tool_search_output', call_id: 'c7', tools: [] },
  { type: 'program', id: 'pg_1', call_id: 'c8', code: 'refund()', fingerprint: 'f' },
  {
    type: 'function_call',
    call_id: 'c9',
    name: 'refund',
    arguments: '{}',
    caller: { type: 'program', caller_id: 'c8' },
  },
  { type: 'function_call_output', call_id: 'c9', output: 'ok' },
  { type: 'program_output', id: 'po_1', call_id: 'c8', result: 'ok', status: 'completed' },
  {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text: 'Refunded.', annotations: [] }],
  },
];

export const ANTHROPIC: Anthropic.Beta.BetaMessageParam[] = [
  { role: 'user', content: 'Where is it?' },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Look it up.', signature: 's' },
      { type: 'text', text: 'A moment.' },
      { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'parcel' } },
      {
        type: 'web_search_tool_result',
        tool_use_id: 's1',
        content: { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' },
      },
      { type: 'mcp_tool_use', id: 'm1', name: 'find', server_name: 'crm', input: { id: 1 } },
      { type: 'mcp_tool_result', tool_use_id: 'm1', content: 'none' },
      { type: 'tool_use', id: 't1', name: 'lookup', input: { order: 'A1' } },
      { type: 'tool_use', id: 't2', name: 'log', input: {} },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'lost' }] },
      { type: 'tool_result', tool_use_id: 't2', is_error: true, content: 'timeout' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'server_tool_use', id: 's2', name: 'bash_code_execution', input: { command: 'ls' } },
      {
        type: 'bash_code_execution_tool_result',
        tool_use_id: 's2',
        content: { type: 'bash_code_execution_result', stdout: '', stderr: '', return_code: 0, content: [] },
      },
      { type: 'text', text: 'Refunded.' },
    ],
  },
];

export const OWN = [
  { type: 'message', role: 'user', text: 'Where is it?' },
  { type: 'call', tool: 'lookup', arguments: { order: 'A1' }, id: 'c1', step: 1 },
  { type: 'call', tool: 'sql', arguments: 'select 1', step: 1 },
  { type: 'call', tool: 'agent', id: 'c2', step: 2 },
  { type: 'call', tool: 'refund', arguments: { order: 'A1' }, parent: 'c2', step: 3, error: 'timeout' },
  { type: 'message', role: 'assistant', text: 'Refunded.' },
];
