import { parseOutput } from '../../../shared/scoring/compare/json.ts';
import { isRecord } from '../read/parts.ts';
import { type Problems, startOf } from '../read/problems.ts';
import { type Entry, figures } from './entry.ts';
import type { Span } from './spans.ts';

/** Names of OpenTelemetry's conventions for generative AI, which are not stable. */
const OPERATION = 'gen_ai.operation.name';
const TOOL_CALL = 'execute_tool';
/** Spans of agents have the sums of those of their models. */
const OF_MODELS = ['chat', 'generate_content', 'text_completion'];
const TOOL = 'gen_ai.tool.name';
const ARGUMENTS = 'gen_ai.tool.call.arguments';
const ANSWERS = 'gen_ai.output.messages';
const TOKENS = { input: 'gen_ai.usage.input_tokens', output: 'gen_ai.usage.output_tokens' };
/** Ours: the key of the case that a trace answers. */
const CASE = 'evalgate.case';

const NANOSECONDS = 1_000_000n;

/** One output a trace, in the order of the file. A trace that names no case, or two, is an error. */
export function entriesOfSpans(
  file: string,
  spans: readonly Span[],
  problems: Problems,
): { readonly line: number; readonly entry: Entry }[] {
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  return [...traces].flatMap(([traceId, own]) => {
    const line = own[0]?.line ?? 1;
    const ids = new Set(own.map(({ id }) => id));
    const root = own.find(({ parentId }) => !ids.has(parentId)) ?? own[0];
    const named = root?.attributes.get(CASE) ?? [...casesIn(own)];
    const [key, other] = Array.isArray(named) ? named : [named];
    if (typeof key === 'string' && other === undefined) return [{ line, entry: entryOf(key, own, root) }];
    const why = key === undefined ? 'names no case' : 'names two cases';
    problems.error({ ...startOf(file), line }, `the trace ${traceId} ${why}: set ${CASE} on its root span`);
    return [];
  });
}

const casesIn = (spans: readonly Span[]): Set<unknown> =>
  new Set(spans.flatMap(({ attributes }) => attributes.get(CASE) ?? []));

const isOf = ({ attributes }: Span, operations: readonly string[]): boolean =>
  operations.includes(String(attributes.get(OPERATION)));

function entryOf(key: string, spans: readonly Span[], root: Span | undefined): Entry {
  const calls = spans.filter((span) => isOf(span, [TOOL_CALL])).toSorted(byStart);
  const answer = answerIn(spans);
  const isLast = answer !== undefined && calls.every(({ start }) => start <= answer.end);
  const sum = (name: string): number | undefined => {
    const counts = spans
      .filter((span) => isOf(span, OF_MODELS))
      .flatMap(({ attributes }) => attributes.get(name) ?? []);
    return counts.length === 0
      ? undefined
      : counts.reduce<number>((total, count) => total + Number(count), 0);
  };
  const latency_ms = root === undefined ? undefined : Number((root.end - root.start) / NANOSECONDS);
  return {
    case: key,
    ...(isLast && { output: answer.text }),
    ...figures({ latency_ms, input_tokens: sum(TOKENS.input), output_tokens: sum(TOKENS.output) }),
    trace: traceOf(calls, new Map(spans.map((span) => [span.id, span]))),
  };
}

/** What encloses another one before it. */
const byStart = (one: Span, other: Span): number =>
  Number(one.start - other.start) || Number(other.end - one.end);

/** Calls of one parent that overlap were made at once. */
function traceOf(calls: readonly Span[], byId: ReadonlyMap<string, Span>): object[] {
  const steps: { readonly parentId: string; end: bigint; readonly calls: Span[] }[] = [];
  for (const call of calls) {
    const open = steps.findLast(({ parentId }) => parentId === call.parentId);
    if (open !== undefined && call.start < open.end) {
      open.calls.push(call);
      if (call.end > open.end) open.end = call.end;
    } else steps.push({ parentId: call.parentId, end: call.end, calls: [call] });
  }
  return steps.flatMap((step, at) => step.calls.map((call) => callOf(call, at, callerOf(call, byId))));
}

function callOf(call: Span, step: number, caller: Span | undefined): object {
  const { id, hasFailed, message, attributes } = call;
  const written = attributes.get(ARGUMENTS);
  const parsed = typeof written === 'string' ? parseOutput(written) : undefined;
  // A text that is no object stays one: it fills nothing that wants members, and is forbidden where they are.
  const members = parsed?.ok && isRecord(parsed.value) ? parsed.value : written;
  return {
    ...{ type: 'call', tool: attributes.get(TOOL), ...(id !== '' && { id }), step },
    ...(members !== undefined && { arguments: members }),
    ...(caller && { parent: caller.id }),
    ...(hasFailed && { error: message.slice(0, 2_000) || 'failed' }),
  };
}

/** The call within which it was made, if a sub-agent made it. */
function callerOf({ parentId }: Span, byId: ReadonlyMap<string, Span>): Span | undefined {
  const seen = new Set<Span>();
  for (let span = byId.get(parentId); span !== undefined && !seen.has(span); span = byId.get(span.parentId)) {
    if (isOf(span, [TOOL_CALL])) return span;
    seen.add(span);
  }
  return undefined;
}

/** What the assistant said in the span that ended last of those that say it. */
function answerIn(spans: readonly Span[]): { readonly text: string; readonly end: bigint } | undefined {
  const [last] = spans
    .filter(({ attributes }) => attributes.has(ANSWERS))
    .toSorted((one, other) => Number(other.end - one.end));
  if (last === undefined) return undefined;
  const given = last.attributes.get(ANSWERS);
  const parsed = typeof given === 'string' ? parseOutput(given) : { ok: true as const, value: given };
  const messages = parsed.ok && Array.isArray(parsed.value) ? parsed.value : [];
  const said = messages.filter((message) => isRecord(message) && message.role === 'assistant').at(-1);
  const parts: readonly unknown[] = isRecord(said) && Array.isArray(said.parts) ? said.parts : [];
  const texts = parts.flatMap((part) =>
    isRecord(part) && part.type === 'text' ? [String(part.content)] : [],
  );
  return { text: texts.join(''), end: last.end };
}
