import { argumentsOf, textOf } from './arguments.ts';
import type { TraceBuilder } from './builder.ts';
import { type Fields, fieldsAt, given, listAt, refuseUnknown, shown, textAt, textOfParts } from './fields.ts';
import { fail, type TracePath } from './trace.ts';

/** Parts of messages, and which field of each is what is said. */
const PARTS = { text: 'text', refusal: 'refusal', image_url: null, input_audio: null, file: null };
const KNOWN = [
  'content',
  'tool_calls',
  'function_call',
  'audio',
  'annotations',
  'reasoning_details',
  'logprobs',
];

/** Messages of the Chat Completions API. Those of a model's one answer are one step. */
export function readChat(entries: readonly unknown[], builder: TraceBuilder): void {
  for (const [at, entry] of entries.entries()) {
    const message = fieldsAt(entry, [at]);
    readMessage(message, [at], builder);
  }
}

function readMessage(message: Fields, path: TracePath, builder: TraceBuilder) {
  if (message.type !== undefined) fail([...path, 'type'], 'does not go with the messages before it');
  switch (message.role) {
    case 'assistant':
      return readAssistant(message, path, builder);
    case 'tool':
      builder.answered(path, 'tool_call_id', message.tool_call_id);
      return;
    case 'function':
      builder.answered(path, 'name', legacyId(message.name));
      return;
    case 'system':
    case 'developer':
    case 'user':
      refuseUnknown(message, ['content'], path);
      textOfParts(message.content, PARTS, path);
      return;
    default:
      fail(
        [...path, 'role'],
        `is ${shown(message.role)}: must be assistant, tool, function, user, system or developer`,
      );
  }
}

/** A `function_call` has no id: its result names the function. */
const legacyId = (name: unknown): unknown => (typeof name === 'string' ? `function ${name}` : undefined);

function readAssistant(message: Fields, path: TracePath, builder: TraceBuilder): void {
  refuseUnknown(message, KNOWN, path);
  const text = textOfParts(message.content, PARTS, path);
  const calls = listAt(message.tool_calls ?? [], [...path, 'tool_calls']);
  const legacy = message.function_call ?? null;
  for (const [at, call] of calls.entries()) {
    readCall(fieldsAt(call, [...path, 'tool_calls', at]), [...path, 'tool_calls', at], builder);
  }
  if (legacy !== null) {
    if (calls.length > 0) {
      fail([...path, 'function_call'], 'must not stand beside tool_calls');
    }
    const own = [...path, 'function_call'];
    const { name, ...fields } = fieldsAt(legacy, own);
    builder.call(own, 'name', {
      tool: name,
      known: argumentsOf(given(fields, 'arguments', own)),
      id: legacyId(name),
    });
  }
  const isCalling = legacy !== null || calls.length > 0;
  const said = text === '' && typeof message.refusal === 'string' ? message.refusal : text;
  if (!isCalling) builder.says(said);
  builder.endStep();
}

function readCall(call: Fields, path: TracePath, builder: TraceBuilder): void {
  const type = call.type ?? (call.custom === undefined ? 'function' : 'custom');
  const other = type === 'custom' ? 'function' : 'custom';
  if (call[other] != null) fail([...path, other], `must not stand beside ${type}: a call is one of them`);
  if (type === 'function') {
    const own = [...path, 'function'];
    const { name, ...fields } = fieldsAt(call.function, own);
    const known = argumentsOf(given(fields, 'arguments', own));
    builder.call(own, 'name', { tool: name, known, id: call.id });
  } else if (type === 'custom') {
    const own = [...path, 'custom'];
    const { name, input } = fieldsAt(call.custom, own);
    builder.call(own, 'name', {
      tool: name,
      known: textOf(textAt(input, [...own, 'input'])),
      id: call.id,
    });
  } else fail([...path, 'type'], `is ${shown(call.type)}: must be function or custom`);
}
