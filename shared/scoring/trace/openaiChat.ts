import { fail, type TracePath } from '../kit/trace.ts';
import { argumentsOf, resultOf, textOf } from './arguments.ts';
import type { TraceBuilder } from './builder.ts';
import {
  ENDS,
  type Fields,
  fieldsAt,
  given,
  hasFailed,
  listAt,
  refuseOther,
  refuseUnended,
  shown,
  textAt,
  textOfParts,
} from './fields.ts';

/** Parts of messages, and which field of each is what is said. */
const PARTS = { text: 'text', refusal: 'refusal', image_url: null, input_audio: null, file: null };
/** Messages of the Chat Completions API. Those of a model's one answer are one step. */
export function readChat(entries: readonly unknown[], builder: TraceBuilder): void {
  for (const [index, entry] of entries.entries()) {
    const message = fieldsAt(entry, [index]);
    readMessage(message, [index], builder);
  }
}

function readMessage(message: Fields, path: TracePath, builder: TraceBuilder) {
  if (message.type !== undefined) fail([...path, 'type'], 'does not go with the messages before it');
  switch (message.role) {
    case 'assistant':
      return readAssistant(message, path, builder);
    case 'tool':
      builder.answers(path, 'tool_call_id', message.tool_call_id, endOf(message, path));
      return refuseOther(message, ['role', 'tool_call_id', ...ENDS], path);
    case 'function':
      builder.answers(path, 'name', legacyId(message.name), endOf(message, path));
      return refuseOther(message, ['role', 'name', ...ENDS], path);
    case 'system':
    case 'developer':
    case 'user':
      refuseOther(message, ['role', 'content'], path);
      textOfParts(message.content, PARTS, path);
      if (message.role === 'user') builder.hears();
      return;
    default:
      fail(
        [...path, 'role'],
        `is ${shown(message.role)}: must be assistant, tool, function, user, system or developer`,
      );
  }
}

const endOf = (message: Fields, path: TracePath) => ({
  failed: hasFailed(message, path),
  result: resultOf(message.content),
});

/** A `function_call` has no id: its result names the function. */
const legacyId = (name: unknown): unknown => (typeof name === 'string' ? `function ${name}` : undefined);

function readAssistant(message: Fields, path: TracePath, builder: TraceBuilder): void {
  refuseOther(message, ['role', 'content', 'refusal', 'tool_calls', 'function_call'], path);
  const text = textOfParts(message.content, PARTS, path);
  const calls = listAt(message.tool_calls ?? [], [...path, 'tool_calls']);
  const legacy = message.function_call ?? null;
  for (const [index, call] of calls.entries()) {
    readCall(fieldsAt(call, [...path, 'tool_calls', index]), [...path, 'tool_calls', index], builder);
  }
  if (legacy !== null) {
    if (calls.length > 0) {
      fail([...path, 'function_call'], 'must not be sent beside tool_calls');
    }
    const callPath = [...path, 'function_call'];
    const call = fieldsAt(legacy, callPath);
    readFunction(call, callPath, { id: legacyId(call.name), failed: false }, builder);
  }
  const isCalling = legacy !== null || calls.length > 0;
  refuseUnended(message, isCalling, path);
  const answer = text === '' && typeof message.refusal === 'string' ? message.refusal : text;
  if (!isCalling) builder.says(answer);
  builder.endStep();
}

interface Envelope {
  readonly id: unknown;
  readonly failed: boolean;
}

function readFunction(call: Fields, path: TracePath, envelope: Envelope, builder: TraceBuilder): void {
  const known = argumentsOf(given(call, 'arguments', path));
  refuseOther(call, ['name', 'arguments'], path);
  builder.call(path, 'name', { tool: call.name, known, ...envelope });
}

function readCall(call: Fields, path: TracePath, builder: TraceBuilder): void {
  const type = call.type ?? (call.custom === undefined ? 'function' : 'custom');
  const other = type === 'custom' ? 'function' : 'custom';
  if (call[other] != null) fail([...path, other], `must not be sent beside ${type}: a call is one of them`);
  refuseOther(call, ['id', 'type', 'function', 'custom', ...ENDS], path);
  const envelope = { id: call.id, failed: hasFailed(call, path) };
  if (type === 'function') {
    const callPath = [...path, 'function'];
    readFunction(fieldsAt(call.function, callPath), callPath, envelope, builder);
  } else if (type === 'custom') {
    const callPath = [...path, 'custom'];
    const custom = fieldsAt(call.custom, callPath);
    const known = textOf(textAt(custom.input, [...callPath, 'input']));
    refuseOther(custom, ['name', 'input'], callPath);
    builder.call(callPath, 'name', { tool: custom.name, known, ...envelope });
  } else fail([...path, 'type'], `is ${shown(call.type)}: must be function or custom`);
}
