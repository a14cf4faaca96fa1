import type { Example } from './example.ts';

const TOOL = 'find_policy';
const ARGUMENTS = { topic: 'returns' };
const SAID = 'You can return it within 30 days.';

/** An example a format: each is the same trace. */
const FORMATS: readonly (readonly [name: string, title: string, traced: object])[] = [
  [
    'trace',
    "evalgate's own form",
    {
      trace: [
        { type: 'call', tool: TOOL, arguments: ARGUMENTS },
        { type: 'message', role: 'assistant', text: SAID },
      ],
    },
  ],
  [
    'openai-chat',
    "messages of OpenAI's Chat Completions",
    {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: TOOL, arguments: JSON.stringify(ARGUMENTS) },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: '30 days' },
        { role: 'assistant', content: SAID },
      ],
    },
  ],
  [
    'openai-responses',
    "items of OpenAI's Responses",
    {
      messages: [
        { type: 'function_call', call_id: 'call_1', name: TOOL, arguments: JSON.stringify(ARGUMENTS) },
        { type: 'function_call_output', call_id: 'call_1', output: '30 days' },
        { role: 'assistant', content: SAID },
      ],
    },
  ],
  [
    'anthropic',
    'messages of Anthropic',
    {
      messages: [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: TOOL, input: ARGUMENTS }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '30 days' }] },
        { role: 'assistant', content: [{ type: 'text', text: SAID }] },
      ],
    },
  ],
];

export const TRACES: readonly Example[] = FORMATS.map(([name, title, traced]) => ({
  id: 'runs/create',
  name,
  title: `What an agent did, as ${title}; this run is cleared`,
  body: {
    suite: 'returns',
    outputs: [
      { case: 'return-window', ...traced },
      { case: 'opened-box', output: 'Yes, within 30 days.' },
    ],
  },
  status: 200,
  isOfHttp: true,
}));
