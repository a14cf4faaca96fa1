import { parseOutput } from '../../../shared/scoring/compare/json.ts';
import { isRecord } from '../read/parts.ts';
import { type Problems, startOf } from '../read/problems.ts';
import { type Entry, figures } from './entry.ts';
import { answerIn, faultOfMessages } from './spanMessages.ts';
import type { Span } from './spans.ts';

/** Names of OpenTelemetry's conventions for generative AI, which are not stable. */
const OPERATION = 'gen_ai.operation.name';
const TOOL_CALL = 'execute_tool';
/** Spans of agents have the sums of those of their models. */
const OF_MODELS = ['chat', 'generate_content', 'text_completion'];
const TOOL = 'gen_ai.tool.name';
const ARGUMENTS = 'gen_ai.tool.call.arguments';
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
    const roots = own.filter(({ parentId }) => !ids.has(parentId));
    // A trace whose first span was recorded elsewhere has several roots.
    const atRoots = casesIn(roots);
    const named = caseOf(atRoots.size > 0 ? atRoots : casesIn(own));
    const why = named.why ?? faultOfMessages(own, new Set(own.filter(isCall).map(toolOf)));
    if (why === undefined) return [{ line, entry: entryOf(named.key, own, roots[0] ?? own[0]) }];
    problems.error({ ...startOf(file), line }, `the trace ${traceId} ${why}`);
    return [];
  });
}

function caseOf([key, other]: Set<unknown>): { readonly key: string; readonly why?: string } {
  const isOne = typeof key === 'string' && other === undefined;
  const why = `names ${key === undefined ? 'no case' : 'two cases'}: set ${CASE} on its root span`;
  return { key: String(key), ...(!isOne && { why }) };
}

const casesIn = (spans: readonly Span[]): Set<unknown> =>
  new Set(spans.flatMap(({ attributes }) => attributes.get(CASE) ?? []));

/** Older instrumentations name the tool only. */
const isCall = (span: Span): boolean => isOf(span, [TOOL_CALL]) || span.attributes.has(TOOL);
const toolOf = ({ attributes }: Span): unknown => attributes.get(TOOL);

const isOf = ({ attributes }: Span, operations: readonly string[]): boolean =>
  operations.includes(String(attributes.get(OPERATION)));

function entryOf(key: string, spans: readonly Span[], root: Span | undefined): Entry {
  const calls = spans.filter(isCall).toSorted(byStart);
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
    ...{ type: 'call', tool: toolOf(call), ...(id !== '' && { id }), step },
    ...(members !== undefined && { arguments: members }),
    ...(caller && { parent: caller.id }),
    ...(hasFailed && { error: message.slice(0, 2_000) || 'failed' }),
  };
}

/** The call within which it was made, if a sub-agent made it. */
function callerOf({ parentId }: Span, byId: ReadonlyMap<string, Span>): Span | undefined {
  const seen = new Set<Span>();
  for (let span = byId.get(parentId); span !== undefined && !seen.has(span); span = byId.get(span.parentId)) {
    if (isCall(span)) return span;
    seen.add(span);
  }
  return undefined;
}
