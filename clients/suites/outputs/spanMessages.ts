import { parseOutput } from '../../../shared/scoring/compare/json.ts';
import { isRecord } from '../read/parts.ts';
import type { Span } from './spans.ts';

/** Names of OpenTelemetry's conventions for generative AI, which are not stable. */
const ANSWERS = 'gen_ai.output.messages';
const FINISHED = 'gen_ai.response.finish_reasons';
const BY_CALL = ['tool_call', 'tool_calls', 'tool_use', 'function_call'];
const CALLS = ['tool_call', 'server_tool_call'];

type Fields = Readonly<Record<string, unknown>>;

/** What the assistant said in the span that ended last of those that say it. */
export function answerIn(
  spans: readonly Span[],
): { readonly text: string; readonly end: bigint } | undefined {
  const [last] = spans
    .filter(({ attributes }) => attributes.has(ANSWERS))
    .toSorted((one, other) => Number(other.end - one.end));
  if (last === undefined) return undefined;
  const said = messagesIn(last)
    ?.filter(({ role }) => role === 'assistant')
    .at(-1);
  const texts = partsOf(said).flatMap(({ type, content }) => (type === 'text' ? [String(content)] : []));
  return { text: texts.join(''), end: last.end };
}

/** Undefined where they are no list, such as a text that was cut. */
function messagesIn({ attributes }: Span): readonly Fields[] | undefined {
  const given = attributes.get(ANSWERS);
  const parsed = typeof given === 'string' ? parseOutput(given) : { ok: true as const, value: given };
  return parsed.ok && Array.isArray(parsed.value) ? parsed.value.filter(isRecord) : undefined;
}

const partsOf = (message: Fields | undefined): readonly Fields[] =>
  Array.isArray(message?.parts) ? message.parts.filter(isRecord) : [];

/** Why calls, or what was said, might be lost. `tools`: those of which a span says that they were called. */
export function faultOfMessages(spans: readonly Span[], tools: ReadonlySet<unknown>): string | undefined {
  const saying = spans.filter(({ attributes }) => attributes.has(ANSWERS)).map(messagesIn);
  if (saying.includes(undefined))
    return `has ${ANSWERS} that are no JSON list: raise the limit of attributes`;
  const called = saying
    .flatMap((messages) => (messages ?? []).flatMap(partsOf))
    .filter(({ type }) => CALLS.includes(String(type)));
  const lost = called.find(({ name }) => !tools.has(name));
  if (lost !== undefined) {
    return `has a call of ${JSON.stringify(lost.name)} in ${ANSWERS}, and no span of it: ${REMEDY}`;
  }
  const isCalling = spans.some(({ attributes }) => namesCall(attributes.get(FINISHED)));
  return isCalling && tools.size === 0
    ? `ended answers by calls, and has no span of one: ${REMEDY}`
    : undefined;
}

const REMEDY = 'let spans of `execute_tool` be exported, too';

const namesCall = (reasons: unknown): boolean =>
  Array.isArray(reasons) && reasons.some((reason) => BY_CALL.includes(String(reason)));
