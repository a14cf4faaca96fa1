import { isJsonObject, JSON_DEPTH_MAX } from '../kit/json.ts';
import { quote } from '../kit/text.ts';
import { fail, type TracePath } from '../kit/trace.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsAt(value: unknown, path: TracePath): Fields {
  return isJsonObject(value) ? value : fail(path, 'must be an object');
}

export function listAt(value: unknown, path: TracePath): readonly unknown[] {
  return Array.isArray(value) ? value : fail(path, 'must be a list');
}

export function textAt(value: unknown, path: TracePath): string {
  return typeof value === 'string' ? value : fail(path, 'must be a text');
}

/** Refused where what is needed to read a call is not there. Null is: a tool without arguments may be called so. */
export function given(fields: Fields, name: string, path: TracePath): unknown {
  const value = fields[name];
  return value === undefined ? fail([...path, name], 'is missing') : value;
}

export const shown = (value: unknown): string => (typeof value === 'string' ? quote(value) : 'none');

/** Fields of the providers that may hold a list or an object, and decide nothing unless a call is in it. */
const SILENT = new Set([
  'annotations',
  'audio',
  'cache_control',
  'caller',
  'citations',
  'container',
  'content',
  'context',
  'context_management',
  'diagnostics',
  'environment',
  'file',
  'from',
  'image_url',
  'images',
  'input_audio',
  'logprobs',
  'metadata',
  'output',
  'output_config',
  'outputs',
  'prompt_cache_breakpoint',
  'acknowledged_safety_checks',
  'pending_safety_checks',
  'provider_specific_fields',
  'reasoning',
  'reasoning_content',
  'reasoning_details',
  'results',
  'source',
  'stop_details',
  'summary',
  'svg_usage',
  'text',
  'thinking_blocks',
  'to',
  'tool',
  'tools',
  'top_logprobs',
  'transformations',
  'trigger',
  'usage',
]);

/**
 * Refuses what a reader does not read and could decide: a list or an object that may hold calls, a field that may report a
 * failure, and a field that another reader takes for one of `read`.
 */
export function refuseOther(fields: Fields, read: readonly string[], path: TracePath): void {
  for (const name in fields) {
    if (read.includes(name)) continue;
    const value = fields[name];
    const fieldPath = [...path, name];
    if (isFilled(value)) {
      if (!SILENT.has(name))
        fail(fieldPath, 'is not known here, and may hold calls: leave it out, or send `trace`');
      refuseCalls(value, fieldPath);
    } else if (reportsFailure(name, value)) {
      fail(
        fieldPath,
        'may say that a call failed: use `status` or `is_error` of the call or its result, or leave it out',
      );
    }
    const twin = read.find((known) => known.toLowerCase() === name.toLowerCase());
    if (twin !== undefined) fail(fieldPath, `differs from ${twin} by case only: leave it out`);
  }
}

const isFilled = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const REPORTS =
  /error|fail|status|succe|outcome|exit_?code|return_?code|cancel|abort|reject|denied|timed?_?out|^(?:is_?)?ok$|^state$/i;

/** `false`, or `true` of a success, reports none. */
const reportsFailure = (name: string, value: unknown): boolean =>
  REPORTS.test(name) &&
  value !== null &&
  value !== undefined &&
  value !== /succe|ok$/i.test(name) &&
  !ENDED.includes(value as string);

/** What an item says of its own end, in the forms of all formats. */
export const ENDS = ['status', 'is_error', 'isError', 'error'];
const ENDED = [
  'completed',
  'success',
  'ok',
  'in_progress',
  'searching',
  'interpreting',
  'generating',
  'calling',
];
const FAILED = ['failed', 'incomplete', 'error'];

/** Of a call or a result. What it says in words that are not known is refused. */
export function hasFailed(fields: Fields, path: TracePath): boolean {
  const { status = null, error = null } = fields;
  for (const name of ['is_error', 'isError']) {
    const value = fields[name] ?? false;
    if (typeof value !== 'boolean') fail([...path, name], 'must be true or false');
    if (value) return true;
  }
  if (status !== null && ![...ENDED, ...FAILED].includes(status as string))
    fail([...path, 'status'], `is ${shown(status)}, which is not known here`);
  return FAILED.includes(status as string) || (error !== null && error !== false && error !== '');
}

const REASONS = ['finish_reason', 'finishReason', 'stop_reason', 'stopReason'];
const OF_CALLS = ['tool_calls', 'tool-calls', 'tool_use', 'function_call'];
const OF_ANSWERS = ['stop', 'end_turn', 'stop_sequence', 'refusal'];

/** Refuses a message of the agent whose own end shows that a call, or a part of the answer, is not in it. */
export function refuseUnended(message: Fields, isCalling: boolean, path: TracePath): void {
  for (const name of REASONS) {
    const reason = message[name] ?? null;
    if (reason === null || OF_ANSWERS.includes(reason as string)) continue;
    if (!OF_CALLS.includes(reason as string))
      fail([...path, name], `is ${shown(reason)}: the answer is not whole: send \`error\` in its place`);
    if (!isCalling) fail([...path, name], `is ${shown(reason)}, and the message has no call: send its calls`);
  }
}

const CALL_TYPE = /(?:call|use)$/i;
const CALL_FIELD = /^(?:tool|function)_?(?:call|use)s?$/i;
const ARGUMENTS = ['arguments', 'input', 'args'];

/** Whether an object looks like a call in any of the formats. The definition of a tool does not. */
const isCallLike = (value: Fields): boolean =>
  (typeof value.type === 'string' && CALL_TYPE.test(value.type)) ||
  (value.type === 'program' && 'code' in value) ||
  (typeof value.name === 'string' && ARGUMENTS.some((name) => name in value)) ||
  'recipient_name' in value ||
  Object.keys(value).some((name) => CALL_FIELD.test(name) && isFilled(value[name]));

/** Where no reader looks, no call may stand. */
function refuseCalls(value: unknown, path: TracePath, levelsLeft = JSON_DEPTH_MAX): void {
  if (typeof value !== 'object' || value === null) return;
  if (levelsLeft === 0) fail(path, `must not nest deeper than ${JSON_DEPTH_MAX} levels`);
  if (isJsonObject(value) && isCallLike(value)) {
    fail(path, 'looks like a call, where none is read: send it as one, or leave it out');
  }
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object')
      refuseCalls(inner, [...path, Array.isArray(value) ? Number(name) : name], levelsLeft - 1);
  }
}

/** The text of a message's content, which is one, none, or parts; each part's text is the field that its type names. */
export function textOfParts(
  content: unknown,
  textFields: Readonly<Record<string, string | null>>,
  path: TracePath,
): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  let text = '';
  for (const [index, part] of listAt(content, [...path, 'content']).entries()) {
    const partPath = [...path, 'content', index];
    text += textOfPart(fieldsAt(part, partPath), textFields, partPath);
  }
  return text;
}

function textOfPart(
  part: Fields,
  textFields: Readonly<Record<string, string | null>>,
  path: TracePath,
): string {
  const { type } = part;
  const isKnown = typeof type === 'string' && Object.hasOwn(textFields, type);
  const name = isKnown ? textFields[type] : undefined;
  if (name === undefined) return fail([...path, 'type'], `is ${shown(type)}, which is not known here`);
  refuseOther(part, ['type', name ?? 'type'], path);
  return name === null ? '' : textAt(part[name], [...path, name]);
}
