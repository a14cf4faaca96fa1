import { isJsonObject } from '../kit/json.ts';
import { fail, type TracePath } from '../kit/trace.ts';
import { argumentsOf, resultOf } from './arguments.ts';
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
} from './fields.ts';

const CALLS = ['tool_use', 'server_tool_use', 'mcp_tool_use'];
const RESULT =
  /^(?:(?:web_search|web_fetch|(?:(?:bash|text_editor)_)?code_execution|tool_search|advisor)_)?tool_result$|^mcp_tool_result$/;
const ERROR = /_tool_result_error$/;
/** Blocks that hold no call. */
const SILENT = [
  'image',
  'document',
  'search_result',
  'thinking',
  'redacted_thinking',
  'container_upload',
  'fallback',
  'tool_addition',
  'tool_removal',
  'mcp_tool_listing',
];
const ROLES = ['user', 'assistant', 'system'];

const isResult = (type: unknown): boolean => typeof type === 'string' && RESULT.test(type);

/** Whether a block of this type is one of this API's only. */
export const isAnthropicBlock = (type: string): boolean =>
  CALLS.includes(type) || isResult(type) || SILENT.includes(type);

/** Messages of the Messages API. Calls of one message are a step, up to a result that stands among them. */
export function readAnthropic(entries: readonly unknown[], builder: TraceBuilder): void {
  for (const [at, entry] of entries.entries()) {
    const message = fieldsAt(entry, [at]);
    const { role, content } = message;
    if (message.type !== undefined) fail([at, 'type'], 'does not go with the messages before it');
    if (!ROLES.includes(role as string)) fail([at, 'role'], `is ${shown(role)}: must be ${ROLES.join(', ')}`);
    refuseOther(message, ['role', 'content'], [at]);
    if (typeof content === 'string') {
      if (role === 'assistant') builder.says(content);
    } else readBlocks(listAt(content, [at, 'content']), { path: [at, 'content'], role }, builder);
    if (role === 'user') builder.hears();
    if (role === 'assistant') refuseUnended(message, holdsCall(content), [at]);
    builder.endStep();
  }
}

const holdsCall = (content: unknown): boolean =>
  Array.isArray(content) &&
  content.some((block) => isJsonObject(block) && CALLS.includes(block.type as string));

interface Message {
  readonly path: TracePath;
  readonly role: unknown;
}

/** The content of one message. */
export function readBlocks(blocks: readonly unknown[], { path, role }: Message, builder: TraceBuilder): void {
  let text = '';
  for (const [at, value] of blocks.entries()) {
    const own = [...path, at];
    const block = fieldsAt(value, own);
    const { type } = block;
    if (CALLS.includes(type as string)) {
      if (role !== 'assistant') fail([...own, 'type'], `is ${shown(type)}, which only the assistant writes`);
      const known = argumentsOf(given(block, 'input', own));
      refuseOther(block, ['type', 'id', 'name', 'input', ...ENDS], own);
      builder.call(own, 'name', { tool: block.name, known, id: block.id, failed: hasFailed(block, own) });
      text = '';
    } else if (isResult(type)) readResult(block, own, builder);
    else if (type === 'text') {
      text += textAt(block.text, [...own, 'text']);
      refuseOther(block, ['type', 'text'], own);
    } else {
      refuseUnknown(type, own);
      refuseOther(block, ['type'], own);
    }
  }
  if (role === 'assistant') builder.says(text);
}

function refuseUnknown(type: unknown, path: TracePath): void {
  if (SILENT.includes(type as string)) return;
  const isHiding = type === 'compaction';
  const why = isHiding ? 'may hide calls: send the messages as they were before it' : 'is not known here';
  fail([...path, 'type'], `is ${shown(type)}, which ${why}`);
}

function readResult(block: Fields, path: TracePath, builder: TraceBuilder): void {
  const { type = '', return_code = 0 } = isJsonObject(block.content) ? block.content : {};
  const isError = ERROR.test(String(type)) || return_code !== 0;
  const failed = hasFailed(block, path) || isError;
  refuseOther(block, ['type', 'tool_use_id', ...ENDS], path);
  builder.answers(path, 'tool_use_id', block.tool_use_id, { failed, result: resultOf(block.content) });
  builder.endStep();
}
