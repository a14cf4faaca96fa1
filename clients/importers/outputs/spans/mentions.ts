import { parseOutput } from '../../../../shared/scoring/kit/json.ts';
import { isRecord } from '../../../files/read/parts.ts';
import { asFields } from './span.ts';
import { isCallReason, isNothing, isReasonKey, nameCall, wordsOf } from './words.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A call, or what became of it, that stands in messages. */
export interface Mention {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly isResult: boolean;
  readonly hasFailed: boolean;
}

export interface Mentions {
  readonly found: Mention[];
  /** An answer ended by a call. */
  isCalling: boolean;
}

/** Tools that a model may call, in which nothing is called. */
const DEFINITIONS =
  /^(?:tools|functions|tool_?choice|tool_?definitions|(?:function|output|builtin|available|allowed)_?tools)$/i;
const LISTS = /^(?:tool|function)_?calls$/i;
const SINGLES = /^(?:tool|function)_?call$|^tool_?use$/i;
const RESULTS = /^(?:tool|function)_?(?:result|response)$/i;
/** Calls of OpenAI's own tools. */
const HOSTED =
  /^(?:web_search|file_search|code_interpreter|computer|image_generation|(?:local_)?shell|apply_patch|mcp)_call(?:_output)?$/;
const RESULT_WORDS = ['result', 'results', 'response', 'output', 'return'];
const NAMES = ['name', 'toolName', 'tool_name', 'function_name'];
const IDS = ['call_id', 'toolCallId', 'tool_call_id', 'tool_use_id', 'toolUseId', 'id'];

/** In messages of any form, by their structure: what is said in them is no evidence. */
export function mentionsIn(value: unknown): Mentions {
  const mentions: Mentions = { found: [], isCalling: false };
  visit(value, mentions);
  return mentions;
}

function visit(value: unknown, mentions: Mentions): void {
  if (Array.isArray(value)) for (const item of value) visit(item, mentions);
  else if (isRecord(value) && !visitedTyped(value, mentions)) visitMembers(value, mentions);
}

/** A part or an item of a list that has a type. */
function visitedTyped(value: Fields, { found: mentions }: Mentions): boolean {
  const type = typeof value.type === 'string' ? value.type : '';
  if (type === 'function') {
    const isCall = Object.hasOwn(asFields(value.function), 'arguments') || Object.hasOwn(value, 'arguments');
    if (isCall) mentions.push(callOf(value));
    return true;
  }
  const words = wordsOf(type);
  if (!HOSTED.test(type) && !nameCall(words)) return false;
  const isResult = words.some((word) => RESULT_WORDS.includes(word));
  // Things of this type are tools to work with, too.
  if (type === 'tool' && typeof value.tool_call_id !== 'string') return false;
  if (isResult || type === 'tool') mentions.push(resultOf(value));
  else mentions.push(callOf(value));
  return true;
}

function visitMembers(value: Fields, mentions: Mentions): void {
  const before = mentions.found.length;
  const members = Object.entries(value).filter(
    ([name, member]) => !DEFINITIONS.test(name) && !isNothing(member),
  );
  const hasCalls = members.some(([name]) => LISTS.test(name));
  for (const [name, member] of members) {
    if (isReasonKey(wordsOf(name))) mentions.isCalling ||= [member].flat().some(isCallReason);
    const memberMentions = mentionsAs(name, member);
    if (memberMentions !== undefined) mentions.found.push(...memberMentions);
    // The content may only refer to the calls of the message.
    else if (hasCalls && /^contents?$/.test(name))
      mentions.found.push(...mentionsIn(member).found.filter(isKnown));
    else visit(member, mentions);
  }
  const isOfTool = value.role === 'tool' || value.role === 'function';
  if (isOfTool && mentions.found.length === before) mentions.found.push(resultOf(value));
}

/** Undefined where the name is none of calls. */
function mentionsAs(name: string, member: unknown): Mention[] | undefined {
  if (LISTS.test(name)) return listed(member).map(callIn);
  if (SINGLES.test(name)) return [callOf(asFields(member))];
  if (RESULTS.test(name)) return [resultOf(asFields(member))];
  // An action of LangChain, beside the name of its tool.
  if (name === 'tool_input') return [callOf({})];
  return name === 'function_call_name' ? [callIn(member)] : undefined;
}

const isKnown = ({ name, id }: Mention): boolean => (name ?? id) !== undefined;

/** Also where each item has attributes of its own. */
function listed(given: unknown): readonly unknown[] {
  const list = jsonIn(given);
  if (Array.isArray(list)) return list;
  const isNumbered = isRecord(list) && Object.keys(list).every((name) => /^\d+$/.test(name));
  return isNumbered ? Object.values(list) : [list];
}

const callIn = (item: unknown): Mention => callOf(typeof item === 'string' ? { name: item } : asFields(item));

const callOf = (given: Fields): Mention => {
  const call = isRecord(given.tool_call) ? given.tool_call : given;
  const inner = [call.function, call.server_tool_call].find(isRecord);
  const hosted = HOSTED.test(String(call.type)) ? String(call.type).replace(/_call$/, '') : undefined;
  return {
    name: textIn(asFields(inner), NAMES) ?? textIn(call, ['function', ...NAMES]) ?? hosted,
    id: textIn(call, IDS),
    isResult: false,
    hasFailed: false,
  };
};

const resultOf = (given: Fields): Mention => ({
  name: textIn(given, NAMES),
  id: textIn(given, IDS),
  isResult: true,
  hasFailed: isFailure(given),
});

const textIn = (fields: Fields, names: readonly string[]): string | undefined =>
  names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '') as
    | string
    | undefined;

/** Whether a tool failed by its result. */
export function isFailure(result: unknown): boolean {
  const { isError, is_error, status, error, success, output } = asFields(jsonIn(result));
  const { type } = asFields(output);
  return (
    !isNothing(isError ?? is_error) ||
    !isNothing(error) ||
    success === false ||
    /^(?:error|failed|failure)$/i.test(String(status)) ||
    (typeof type === 'string' && /^(?:error|execution-denied)/.test(type))
  );
}

/** The list or the object that a text is as JSON; else the text. */
export function jsonIn(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  const parsed = parseOutput(value);
  return parsed.ok ? parsed.value : value;
}
