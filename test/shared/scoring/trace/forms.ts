import type Anthropic from '@anthropic-ai/sdk';
import type OpenAI from 'openai';

export interface FormCall {
  readonly tool: string;
  readonly members: Readonly<Record<string, unknown>>;
}

/** What every format can say: calls made at once, step by step, and what the agent says in the end. */
export interface Form {
  readonly steps: readonly (readonly FormCall[])[];
  readonly said: string;
}

const numbered = ({ steps }: Form): { readonly id: string; readonly call: FormCall }[][] => {
  let count = 0;
  return steps.map((step) => step.map((call) => ({ id: `call_${++count}`, call })));
};

export const asOwn = (form: Form): object[] => [
  ...numbered(form).flatMap((step, at) =>
    step.map(({ id, call }) => ({
      type: 'call',
      tool: call.tool,
      arguments: call.members,
      id,
      step: at * 2,
      result: 'canary',
    })),
  ),
  { type: 'message', role: 'assistant', text: form.said },
];

export const asChat = (form: Form): OpenAI.ChatCompletionMessageParam[] => [
  { role: 'user', content: 'Go.' },
  ...numbered(form).flatMap((step): OpenAI.ChatCompletionMessageParam[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: step.map(({ id, call }) => ({
        id,
        type: 'function',
        function: { name: call.tool, arguments: JSON.stringify(call.members, null, 1) },
      })),
    },
    ...step.map(({ id }) => ({ role: 'tool' as const, tool_call_id: id, content: 'canary' })),
  ]),
  { role: 'assistant', content: form.said },
];

export const asResponses = (form: Form): OpenAI.Responses.ResponseInputItem[] => [
  { role: 'user', content: 'Go.' },
  ...numbered(form).flatMap((step): OpenAI.Responses.ResponseInputItem[] => [
    ...step.flatMap(({ id, call }): OpenAI.Responses.ResponseInputItem[] => [
      { type: 'reasoning', id: `rs_${id}`, summary: [] },
      { type: 'function_call', call_id: id, name: call.tool, arguments: JSON.stringify(call.members) },
    ]),
    ...step.map(({ id }) => ({ type: 'function_call_output' as const, call_id: id, output: 'canary' })),
  ]),
  { role: 'assistant', content: form.said },
];

export const asAnthropic = (form: Form): Anthropic.MessageParam[] => [
  { role: 'user', content: 'Go.' },
  ...numbered(form).flatMap((step): Anthropic.MessageParam[] => [
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'A moment.' },
        ...step.map(({ id, call }) => ({
          type: 'tool_use' as const,
          id,
          name: call.tool,
          input: call.members,
        })),
      ],
    },
    {
      role: 'user',
      content: step.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'canary' })),
    },
  ]),
  { role: 'assistant', content: [{ type: 'text', text: form.said }] },
];
