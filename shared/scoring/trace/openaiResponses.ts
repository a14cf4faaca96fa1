import { type CallArguments, fail, type TracePath } from '../kit/trace.ts';
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

const PARTS = {
  input_text: 'text',
  output_text: 'text',
  refusal: 'refusal',
  input_image: null,
  input_file: null,
};
const ROLES = ['user', 'assistant', 'system', 'developer'];
/** Fields of calls that are read. */
const CALL = ['type', 'name', 'call_id', 'id', 'approval_request_id', 'arguments', 'input', ...ENDS];
const HOSTED_CALL = [...CALL, 'action', 'actions', 'queries', 'code', 'operation'];

interface Hosted {
  readonly tool: string;
  readonly known: (item: Fields) => CallArguments;
  /** Its result stands in the item itself, so that what comes next was made after it. */
  readonly isAnswered: boolean;
}

const NOT_KNOWN: CallArguments = {};
/** One member of the item is all its arguments. */
const asArguments = (value: unknown): CallArguments => (value == null ? NOT_KNOWN : argumentsOf(value));
const member = (name: string, value: unknown): CallArguments =>
  value == null ? NOT_KNOWN : argumentsOf({ [name]: value });

const HOSTED: Readonly<Record<string, Hosted>> = {
  web_search_call: { tool: 'web_search', known: ({ action }) => asArguments(action), isAnswered: true },
  file_search_call: {
    tool: 'file_search',
    known: ({ queries }) => member('queries', queries),
    isAnswered: true,
  },
  code_interpreter_call: {
    tool: 'code_interpreter',
    known: ({ code }) => member('code', code),
    isAnswered: true,
  },
  image_generation_call: { tool: 'image_generation', known: () => NOT_KNOWN, isAnswered: true },
  computer_call: {
    tool: 'computer',
    known: ({ action, actions }) => (action == null ? member('actions', actions) : asArguments(action)),
    isAnswered: false,
  },
  local_shell_call: { tool: 'local_shell', known: ({ action }) => asArguments(action), isAnswered: false },
  shell_call: { tool: 'shell', known: ({ action }) => asArguments(action), isAnswered: false },
  apply_patch_call: {
    tool: 'apply_patch',
    known: ({ operation }) => asArguments(operation),
    isAnswered: false,
  },
  tool_search_call: {
    tool: 'tool_search',
    known: (item) => (item.arguments === undefined ? NOT_KNOWN : argumentsOf(item.arguments)),
    isAnswered: false,
  },
  program: { tool: 'program', known: ({ code }) => member('code', code), isAnswered: false },
};

const RESULTS = [
  'function_call_output',
  'custom_tool_call_output',
  'computer_call_output',
  'local_shell_call_output',
  'shell_call_output',
  'apply_patch_call_output',
  'tool_search_output',
  'program_output',
];
const SILENT = [
  'reasoning',
  'mcp_list_tools',
  'additional_tools',
  'configuration_update',
  'compaction_trigger',
];
const HIDING = ['item_reference', 'compaction'];

const UNKNOWN_END = { failed: false, result: undefined };

/** Items of the Responses API. A step is the calls until the next result. */
export function readResponses(entries: readonly unknown[], builder: TraceBuilder): void {
  for (const [index, entry] of entries.entries()) readItem(fieldsAt(entry, [index]), [index], builder);
}

function readItem(item: Fields, path: TracePath, builder: TraceBuilder) {
  const type = item.type ?? (item.role === undefined ? undefined : 'message');
  if (typeof type !== 'string') return fail([...path, 'type'], 'is missing');
  const hosted = Object.hasOwn(HOSTED, type) ? HOSTED[type] : undefined;
  if (hosted !== undefined) return readHosted(item, hosted, path, builder);
  if (RESULTS.includes(type)) return readResult(item, path, builder);
  if (SILENT.includes(type)) return refuseOther(item, ['type', 'role', 'status', 'error'], path);
  if (HIDING.includes(type)) {
    fail([...path, 'type'], `is ${shown(type)}, which may hide calls: send the items in its place`);
  }
  switch (type) {
    case 'message':
      return readMessage(item, path, builder);
    case 'function_call':
      return readCall(item, argumentsOf(given(item, 'arguments', path)), path, builder);
    case 'custom_tool_call':
      return readCall(item, textOf(textAt(item.input, [...path, 'input'])), path, builder);
    case 'mcp_call':
    case 'mcp_approval_request':
      return readMcp(item, path, builder);
    case 'mcp_approval_response':
      builder.answers(path, 'approval_request_id', item.approval_request_id, UNKNOWN_END);
      return refuseOther(item, ['type', 'approval_request_id'], path);
    default:
      fail([...path, 'type'], `is ${shown(type)}, which is not known here`);
  }
}

function readMessage(item: Fields, path: TracePath, builder: TraceBuilder): void {
  if (!ROLES.includes(item.role as string)) {
    fail([...path, 'role'], `is ${shown(item.role)}: must be ${ROLES.join(', ')}`);
  }
  refuseOther(item, ['type', 'role', 'content', 'status'], path);
  const text = textOfParts(item.content, PARTS, path);
  if (item.role === 'user') builder.hears();
  if (item.role !== 'assistant') return;
  if (hasFailed(item, path))
    fail(
      [...path, 'status'],
      `is ${shown(item.status)}: the answer is not whole: send \`error\` in its place`,
    );
  refuseUnended(item, false, path);
  builder.says(text);
}

function readCall(item: Fields, known: CallArguments, path: TracePath, builder: TraceBuilder): void {
  refuseOther(item, CALL, path);
  const failed = hasFailed(item, path);
  builder.call(path, 'name', { tool: item.name, known, id: item.call_id, failed });
}

function readHosted(
  item: Fields,
  { tool, known, isAnswered }: Hosted,
  path: TracePath,
  builder: TraceBuilder,
) {
  refuseOther(item, HOSTED_CALL, path);
  const failed = hasFailed(item, path);
  builder.call(path, 'type', { tool, known: known(item), id: item.call_id ?? item.id, failed });
  if (isAnswered) builder.endStep();
}

/** A request that was not approved is a call that failed; of one that was, the call itself counts. */
function readMcp(item: Fields, path: TracePath, builder: TraceBuilder): void {
  const known = argumentsOf(given(item, 'arguments', path));
  refuseOther(item, CALL, path);
  if (item.type === 'mcp_approval_request') {
    builder.call(path, 'name', { tool: item.name, known, id: item.id, failed: true, isRequest: true });
    return;
  }
  builder.grants(item.name, item.approval_request_id);
  const result = resultOf(item.output);
  builder.call(path, 'name', { tool: item.name, known, id: item.id, failed: hasFailed(item, path), result });
  builder.endStep();
}

function readResult(item: Fields, path: TracePath, builder: TraceBuilder): void {
  const isOfServer = item.type === 'tool_search_output' && item.call_id == null;
  // The output of a local shell names its call by its own id.
  const name = item.type === 'local_shell_call_output' && item.call_id === undefined ? 'id' : 'call_id';
  const failed = hasFailed(item, path) || (item.type === 'shell_call_output' && hasExited(item, path));
  refuseOther(item, ['type', 'name', 'id', 'call_id', ...ENDS], path);
  if (!isOfServer) builder.answers(path, name, item[name], { failed, result: resultOf(item.output) });
  builder.endStep();
}

/** Whether a command of a shell timed out, or ended with another code than 0. */
function hasExited({ output = [] }: Fields, path: TracePath): boolean {
  if (typeof output === 'string') return false;
  return listAt(output, [...path, 'output']).some((part, index) => {
    const { outcome = null } = fieldsAt(part, [...path, 'output', index]);
    return outcome !== null && fieldsAt(outcome, [...path, 'output', index, 'outcome']).exit_code !== 0;
  });
}
