import { isJsonObject, JSON_DEPTH_MAX } from '../compare/json.ts';
import { isAnthropicBlock, readAnthropic, readBlocks } from './anthropic.ts';
import { TraceBuilder } from './builder.ts';
import { readChat } from './openaiChat.ts';
import { readResponses } from './openaiResponses.ts';
import { readOwn } from './ownForm.ts';
import {
  fail,
  type ReadTrace,
  TRACE_BYTES_MAX,
  TRACE_ENTRIES_MAX,
  TraceFault,
  type TracePath,
} from './trace.ts';

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
    return { ok: true, ...builder.build() };
  } catch (error) {
    if (error instanceof TraceFault) return { ok: false, path: error.path, message: error.message };
    throw error;
  }
}

function checked(entries: unknown): readonly unknown[] {
  if (!Array.isArray(entries)) return fail([], 'must be a list');
  if (entries.length > TRACE_ENTRIES_MAX) fail([], 'must hold at most 4,000 entries');
  const size = new Size();
  size.add(entries, JSON_DEPTH_MAX);
  if (size.isTooDeep) fail([], `must not nest deeper than ${JSON_DEPTH_MAX} levels`);
  // Most traces are far from the limit: their length in bytes is not counted.
  const isSmall = size.bytesMost <= TRACE_BYTES_MAX;
  if (!isSmall && Buffer.byteLength(JSON.stringify(entries)) > TRACE_BYTES_MAX)
    fail([], 'must be at most 256 kB of JSON');
  return entries;
}

/** A bound of a document's length as JSON, and whether it nests too deep. */
class Size {
  bytesMost = 0;
  isTooDeep = false;

  add(value: unknown, levelsLeft: number): void {
    if (typeof value === 'string') this.bytesMost += value.length * 6 + 3;
    else if (typeof value !== 'object' || value === null) this.bytesMost += 26;
    else if (levelsLeft === 0) this.isTooDeep = true;
    else if (Array.isArray(value)) {
      this.bytesMost += 2;
      for (const item of value) this.add(item, levelsLeft - 1);
    } else {
      this.bytesMost += 2;
      for (const name in value) {
        this.bytesMost += name.length * 6 + 4;
        this.add(Reflect.get(value, name), levelsLeft - 1);
      }
    }
  }
}

/** A list has one format: the first entry that only one of them has decides. Where none does, there is no call. */
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
