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
  for (const [index, entry] of entries.entries()) {
    const message = fieldsAt(entry, [index]);
    const { role, content } = message;
    if (message.type !== undefined) fail([index, 'type'], 'does not go with the messages before it');
    if (!ROLES.includes(role as string))
      fail([index, 'role'], `is ${shown(role)}: must be ${ROLES.join(', ')}`);
    refuseOther(message, ['role', 'content'], [index]);
    if (typeof content === 'string') {
      if (role === 'assistant') builder.says(content);
    } else readBlocks(listAt(content, [index, 'content']), { path: [index, 'content'], role }, builder);
    if (role === 'user') builder.hears();
    if (role === 'assistant') refuseUnended(message, holdsCall(content), [index]);
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
  for (const [index, value] of blocks.entries()) {
    const blockPath = [...path, index];
    const block = fieldsAt(value, blockPath);
    const { type } = block;
    if (CALLS.includes(type as string)) {
      if (role !== 'assistant')
        fail([...blockPath, 'type'], `is ${shown(type)}, which only the assistant writes`);
      const known = argumentsOf(given(block, 'input', blockPath));
      refuseOther(block, ['type', 'id', 'name', 'input', ...ENDS], blockPath);
      builder.call(blockPath, 'name', {
        tool: block.name,
        known,
        id: block.id,
        failed: hasFailed(block, blockPath),
      });
      text = '';
    } else if (isResult(type)) readResult(block, blockPath, builder);
    else if (type === 'text') {
      text += textAt(block.text, [...blockPath, 'text']);
      refuseOther(block, ['type', 'text'], blockPath);
    } else {
      refuseUnknown(type, blockPath);
      refuseOther(block, ['type'], blockPath);
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
