import { isJsonObject } from '../kit/json.ts';
import {
  fail,
  type ReadTrace,
  TRACE_BYTES_MAX,
  TRACE_ENTRIES_MAX,
  TraceFault,
  type TracePath,
} from '../kit/trace.ts';
import { isAnthropicBlock, readAnthropic, readBlocks } from './anthropic.ts';
import { TraceBuilder } from './builder.ts';
import { readChat } from './openaiChat.ts';
import { readResponses } from './openaiResponses.ts';
import { readOwn } from './ownForm.ts';

type Reader = (entries: readonly unknown[], builder: TraceBuilder) => void;

export type TraceReading =
  | ({ readonly ok: true } & ReadTrace)
  | { readonly ok: false; readonly path: TracePath; readonly message: string };

/** Of the fields `trace` and `messages`. What cannot be read whole is refused: no call may be lost. */
export function readTrace(field: 'trace' | 'messages', entries: unknown): TraceReading {
  const builder = new TraceBuilder();
  try {
    const list = checked(entries);
    const read = field === 'trace' ? readOwn : readerOf(list);
    read(list, builder);
    return { ok: true, ...builder.build(list.length === 0) };
  } catch (error) {
    if (error instanceof TraceFault) return { ok: false, path: error.path, message: error.message };
    throw error;
  }
}

function checked(entries: unknown): readonly unknown[] {
  if (!Array.isArray(entries)) return fail([], 'must be a list');
  if (entries.length > TRACE_ENTRIES_MAX) fail([], 'must hold at most 4,000 entries');
  // Most traces are far from the limit: their length in bytes is not counted.
  if (bytesMost(entries) > TRACE_BYTES_MAX && isTooLong(entries)) fail([], 'must be at most 256 kB of JSON');
  return entries;
}

/** A bound of a list's length as JSON. Takes no stack: arguments nest as deep as a model writes them. */
function bytesMost(entries: readonly unknown[]): number {
  let bytes = 0;
  const left: unknown[] = [entries];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === 'string') bytes += value.length * 6 + 3;
    else if (typeof value !== 'object' || value === null) bytes += 26;
    else bytes += enter(value, left);
  }
  return bytes;
}

/** Takes what is in a list or an object next. What itself takes, as JSON. */
function enter(value: object, left: unknown[]): number {
  if (Array.isArray(value)) {
    for (const item of value) left.push(item);
    return 2;
  }
  let bytes = 2;
  for (const name in value) {
    bytes += name.length * 6 + 4;
    left.push(Reflect.get(value, name));
  }
  return bytes;
}

/** Also what nests too deep to be written. */
function isTooLong(entries: readonly unknown[]): boolean {
  try {
    return Buffer.byteLength(JSON.stringify(entries)) > TRACE_BYTES_MAX;
  } catch {
    return true;
  }
}

/** A list has one format: the first entry that only one of them has decides. Where none does, no message holds a call. */
function readerOf(entries: readonly unknown[]): Reader {
  for (const entry of entries) {
    const reader = readerOfEntry(entry);
    if (reader !== undefined) return reader;
  }
  return readChat;
}

function readerOfEntry(entry: unknown): Reader | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { type, role, content } = entry;
  if (typeof type === 'string' && role === undefined) {
    return isAnthropicBlock(type) || type === 'text' ? readBareBlocks : readResponses;
  }
  if (type !== undefined) return readResponses;
  if (role === 'tool' || role === 'function' || entry.tool_calls != null || entry.function_call != null) {
    return readChat;
  }
  if (!Array.isArray(content)) return role === undefined ? readResponses : undefined;
  return content.map(readerOfPart).find((reader) => reader !== undefined);
}

/** Blocks without a message around them are one message of the assistant. */
const readBareBlocks: Reader = (entries, builder) =>
  readBlocks(entries, { path: [], role: 'assistant' }, builder);

const OF_CHAT = ['image_url', 'input_audio', 'file'];
const OF_RESPONSES = ['input_text', 'output_text', 'input_image', 'input_file'];

function readerOfPart(part: unknown): Reader | undefined {
  const type = isJsonObject(part) ? part.type : undefined;
  if (typeof type !== 'string') return undefined;
  if (isAnthropicBlock(type) || type === 'compaction') return readAnthropic;
  if (OF_CHAT.includes(type)) return readChat;
  return OF_RESPONSES.includes(type) ? readResponses : undefined;
}
