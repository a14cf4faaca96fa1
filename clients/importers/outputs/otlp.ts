import { TRACE_BYTES_MAX } from '../../../shared/scoring/kit/trace.ts';
import { type Problems, startOf } from '../../files/read/problems.ts';
import { answerFields, type Entry, figures } from './entry.ts';
import { questionIn } from './question.ts';
import { type Answers, answersIn, isModel } from './spans/answers.ts';
import { isCall, type SpanCall } from './spans/calls.ts';
import { jsonIn } from './spans/mentions.ts';
import { onceEach, withLogs } from './spans/once.ts';
import { type Read, readCalls } from './spans/read.ts';
import { type Line, type Log, type Span, shownSpan } from './spans/span.ts';
import { byStart, stepsOf } from './spans/steps.ts';

/** Names of conventions, which are not stable. */
const TOKENS = {
  input: ['gen_ai.usage.input_tokens', 'llm.token_count.prompt'],
  output: ['gen_ai.usage.output_tokens', 'llm.token_count.completion'],
};
/** Ours: the key of the case that a trace answers. */
const CASE = 'evalgate.case';

const NANOSECONDS = 1_000_000n;

/** Cases are made of traces, which may name none. `key`: an attribute of the root span that does. */
export interface MakingCases {
  readonly key: string | undefined;
}

/** One output a trace, in the order of the file. A trace that names no case, or two, is an error. */
export function entriesOfSpans(
  file: string,
  lines: readonly Line[],
  problems: Problems,
  making?: MakingCases,
): { readonly line: number; readonly entry: Entry }[] {
  const traces = Map.groupBy(
    lines.flatMap(({ spans }) => spans),
    ({ traceId }) => traceId,
  );
  const logs = Map.groupBy(
    lines.flatMap((line) => line.logs),
    ({ traceId }) => traceId,
  );
  return [...traces].flatMap(([traceId, traceSpans]) => {
    const place = { ...startOf(file), line: traceSpans[0]?.line ?? 1 };
    const read = entryOf(traceSpans, logs.get(traceId) ?? [], making);
    if (typeof read === 'string') problems.error(place, `the trace ${traceId} ${read}`);
    else if (read.trace === undefined) problems.warn(place, `the trace ${traceId} ${UNKNOWN}`);
    return typeof read === 'string' ? [] : [{ line: place.line, entry: read }];
  });
}

const RECORD = 'let spans of its models record what they answer';
const UNKNOWN = `does not show whether a tool was called, so that cases that need calls are missing: ${RECORD}`;

/** A text is the reason why calls, or the answer, might be lost. */
function entryOf(exported: readonly Span[], logs: readonly Log[], making?: MakingCases): Entry | string {
  const { spans: once, why } = onceEach(exported);
  const spans = withLogs(once, logs);
  const torn = exported.find(({ fault }) => fault !== undefined);
  if (torn !== undefined) return `${torn.fault} in ${shownSpan(torn)}`;
  if (why !== undefined) return why;
  const ids = new Set(spans.map(({ id }) => id));
  const roots = spans.filter(({ parentId }) => !ids.has(parentId));
  // A trace whose first span was recorded elsewhere has several roots.
  const atRoots = casesIn(roots);
  const named = caseOf(atRoots.size > 0 ? atRoots : casesIn(spans), making);
  if (named.why !== undefined) return named.why;
  const read = readCalls(spans);
  if (typeof read === 'string') return read;
  const { calls, callers } = read;
  const ofAgent = spans.filter((span) => callers.get(span) === undefined && !isCall(span));
  const answers = answersIn(spans, ofAgent);
  if (answers.why !== undefined) return answers.why;
  const isKnown = calls.length > 0 || answers.areComplete;
  const output = outputOf(answers, calls);
  if (!isKnown && output === undefined)
    return `shows neither what was called nor what was answered: ${RECORD}`;
  const error = whyFailed(roots) ?? (output === undefined ? undefined : answers.last?.cut);
  return {
    ...(making && askedIn(ofAgent, roots, making)),
    ...(named.key !== undefined && { case: named.key }),
    ...(error !== undefined ? answerFields(undefined, error) : output !== undefined && { output }),
    ...figuresOf(spans, roots[0] ?? spans[0]),
    ...(isKnown && { trace: traceOf(calls, callers) }),
  };
}

/** An agent that failed did not end its work, whatever it said and called before. */
function whyFailed(roots: readonly Span[]): string | undefined {
  const failed = roots.find(({ status }) => status === 'error');
  return failed && (failed.message || 'failed');
}

/** What the user wrote, which no sub-agent got, and what names the case. */
function askedIn(spans: readonly Span[], roots: readonly Span[], { key = '' }: MakingCases): object {
  const questions = spans
    .map((span) => ({ span }))
    .toSorted(byStart)
    .flatMap(({ span }) => [span, ...span.events])
    .map(({ attributes }) => questionIn(jsonIn(attributes.get('gen_ai.input.messages'))));
  const question = questions.find((text) => text !== undefined);
  const value = roots
    .map(({ attributes }) => attributes.get(key))
    .find((attribute) => attribute !== undefined);
  return {
    ...(typeof value !== 'object' && value !== undefined && { [key]: value }),
    ...(question !== undefined && { input: { question } }),
  };
}

const CASES_MAX = 20;

/** The keys of the cases that a trace answers: one, or a list of them. */
function caseOf(
  [named, other]: Set<string>,
  making?: MakingCases,
): { readonly key?: string | string[]; readonly why?: string } {
  if (making && named === undefined) return {};
  const value: unknown = named === undefined ? undefined : JSON.parse(named);
  const keys = Array.isArray(value) ? value : [value];
  const areKeys = keys.length > 0 && keys.every((key) => typeof key === 'string');
  if (keys.length > CASES_MAX) return { key: [], why: `names ${keys.length} cases: at most ${CASES_MAX}` };
  const why = `names ${named === undefined ? 'no case' : 'two cases'}: set ${CASE} on its root span`;
  return {
    key: Array.isArray(value) ? keys : String(value),
    ...((!areKeys || other !== undefined) && { why }),
  };
}

const casesIn = (spans: readonly Span[]): Set<string> =>
  new Set(
    spans.flatMap(({ attributes }) => {
      const value = attributes.get(CASE);
      return value === undefined ? [] : [JSON.stringify(value)];
    }),
  );

/** An agent that ended with a call said nothing. */
function outputOf({ last }: Answers, calls: readonly SpanCall[]): string | undefined {
  const isLast = last !== undefined && calls.every(({ span }) => (span.start ?? 0n) <= last.end);
  return isLast ? last.text : undefined;
}

function figuresOf(spans: readonly Span[], root: Span | undefined): Pick<Entry, 'metadata'> {
  const sum = (names: readonly string[]): number | undefined => {
    const counts = spans
      .filter(isModel)
      .flatMap(
        ({ attributes }) =>
          names.map((name) => attributes.get(name)).find((count) => count !== undefined) ?? [],
      );
    return counts.length === 0
      ? undefined
      : counts.reduce<number>((total, count) => total + Number(count), 0);
  };
  const { start, end } = root ?? {};
  const latency_ms =
    start === undefined || end === undefined ? undefined : Number((end - start) / NANOSECONDS);
  return figures({ latency_ms, input_tokens: sum(TOKENS.input), output_tokens: sum(TOKENS.output) });
}

function traceOf(calls: readonly SpanCall[], callers: Read['callers']): object[] {
  const steps = stepsOf(calls, callers);
  const entries = steps.flatMap((step, index) =>
    step.map((call) => entryOfCall(call, index, callers.get(call.span))),
  );
  return withResults(
    entries,
    steps.flat().map(({ result }) => result),
  );
}

/** The largest results are left out where the trace would be too long with them: then they are not known. */
function withResults(entries: readonly object[], results: readonly unknown[]): object[] {
  let left = TRACE_BYTES_MAX - Buffer.byteLength(JSON.stringify(entries));
  const sizes = results.map((result, index) => ({
    index,
    bytes: Buffer.byteLength(JSON.stringify({ result })),
  }));
  const fitting = new Set<number>();
  for (const { index, bytes } of sizes.sort((one, other) => one.bytes - other.bytes)) {
    left -= bytes;
    if (left >= 0 && results[index] !== undefined) fitting.add(index);
  }
  return entries.map((entry, index) => (fitting.has(index) ? { ...entry, result: results[index] } : entry));
}

const entryOfCall = (
  { span, tool, arguments: known, error }: SpanCall,
  step: number,
  caller?: Span,
): object => ({
  type: 'call',
  tool,
  id: span.id,
  step,
  ...(known !== undefined && { arguments: known }),
  ...(caller && { parent: caller.id }),
  ...(error !== undefined && { error }),
});
