import { callIn, isCall, OWN, type SpanCall } from './calls.ts';
import { faultOfCount, withFailures } from './counted.ts';
import { formsIn } from './forms.ts';
import { type Span, shownSpan } from './span.ts';
import { aroundOf, byStart, callersOf, carried, parentsOf } from './steps.ts';
import { unreadIn } from './unread.ts';

/** As many as the service takes. */
const CALLS_MAX = 1_000;
const READ =
  'record calls as spans of OpenTelemetry (`execute_tool`, gen_ai.tool.name), OpenInference or the AI SDK of Vercel';

export interface Read {
  /** By their start. */
  readonly calls: readonly SpanCall[];
  /** For each span the nearest call around it. */
  readonly callers: ReadonlyMap<Span, Span | undefined>;
}

/** All calls of a trace. A text is the reason why one might be lost. */
export function readCalls(spans: readonly Span[]): Read | string {
  const callSpans = new Set(spans.filter(isCall));
  const parents = parentsOf(spans);
  const unread = faultOfUnread(spans, callSpans, parents);
  if (unread !== undefined) return unread;
  const each = eachOf([...callSpans]);
  if (typeof each === 'string') return each;
  const forms = spans.flatMap((span) => formsIn(span, callSpans.has(span) ? OWN : undefined));
  const failing = withFailures(forms, each);
  if (typeof failing === 'string') return failing;
  const around = callersOf(spans, parents, callSpans);
  const depthOf = ({ span }: SpanCall): number => aroundOf(span, around).size;
  // Of calls of the same time the one around the other comes first.
  const nested = failing.toSorted((one, other) => depthOf(one) - depthOf(other));
  const calls = carried(nested.toSorted(byStart), around);
  if (typeof calls === 'string') return calls;
  const why = faultOfCount(forms, calls, parents);
  return why ?? { calls, callers: callersOf(spans, parents, new Set(calls.map(({ span }) => span))) };
}

function faultOfUnread(
  spans: readonly Span[],
  calls: ReadonlySet<Span>,
  parents: ReadonlyMap<Span, Span>,
): string | undefined {
  const holders = holdersOf(calls, parents);
  const unread = spans
    .map((span) => unreadIn(span, { isCall: calls.has(span), hasCallsWithin: holders.has(span) }))
    .find((fault) => fault !== undefined);
  return unread && `shows a call in ${unread}, which is not read: ${READ}`;
}

function eachOf(spans: readonly Span[]): SpanCall[] | string {
  if (spans.length > CALLS_MAX) return `has more than ${CALLS_MAX} calls`;
  const calls: SpanCall[] = [];
  for (const span of spans) {
    const call = callIn(span);
    if (typeof call === 'string') return call;
    if (span.start === undefined || span.end === undefined || span.end < span.start)
      return `has no start or no end in ${shownSpan(span)}, so that the order of its calls is not known: export it again`;
    calls.push(call);
  }
  return calls;
}

/** Spans around calls. */
function holdersOf(calls: ReadonlySet<Span>, parents: ReadonlyMap<Span, Span>): ReadonlySet<Span> {
  const holding = new Set<Span>();
  for (const call of calls) {
    let outer = parents.get(call);
    for (; outer !== undefined && !holding.has(outer); outer = parents.get(outer)) holding.add(outer);
  }
  return holding;
}
