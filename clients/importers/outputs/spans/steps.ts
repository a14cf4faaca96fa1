import { agree, oneResult, type SpanCall } from './calls.ts';
import { type Span, shownSpan } from './span.ts';

const METHOD = 'mcp.method.name';

/** The span around each, of those that are in the file. */
export function parentsOf(spans: readonly Span[]): ReadonlyMap<Span, Span> {
  const byId = new Map(spans.map((span) => [span.id, span]));
  return new Map(
    spans.flatMap((span) => {
      const parent = byId.get(span.parentId);
      return parent === undefined || parent === span ? [] : [[span, parent] as const];
    }),
  );
}

/** For each span the nearest of `calls` around it. Each span is visited once; a circle of parents ends where it began. */
export function callersOf(
  spans: readonly Span[],
  parents: ReadonlyMap<Span, Span>,
  calls: ReadonlySet<Span>,
): ReadonlyMap<Span, Span | undefined> {
  const callers = new Map<Span, Span | undefined>();
  for (const span of spans) {
    const path: Span[] = [];
    let inner: Span | undefined = span;
    for (; inner !== undefined && !callers.has(inner); inner = parents.get(inner)) {
      callers.set(inner, undefined);
      path.push(inner);
    }
    for (const spanOnPath of path.toReversed()) {
      const parent = parents.get(spanOnPath);
      callers.set(spanOnPath, parent && (calls.has(parent) ? parent : callers.get(parent)));
    }
  }
  return callers;
}

/** A call and the span within it that carries it, of MCP or of another convention, are one. A text is what differs. */
export function carried(
  calls: readonly SpanCall[],
  callers: ReadonlyMap<Span, Span | undefined>,
): readonly SpanCall[] | string {
  const bySpan = new Map<Span | undefined, SpanCall>(calls.map((call) => [call.span, call]));
  // What is within comes first: its failure is that of what is around it.
  for (const { span } of calls.toReversed()) {
    const [inner, outer] = [bySpan.get(span), bySpan.get(callers.get(span))];
    if (inner === undefined || outer === undefined || !carries(outer, inner)) continue;
    const isOneOk = inner.error === undefined || outer.span.status !== 'ok';
    if (!isOneOk || !agree(inner.arguments, outer.arguments)) {
      return `shows two different calls for one, in ${shownSpan(outer.span)} and in the one within it: let them agree`;
    }
    bySpan.delete(span);
    bySpan.set(outer.span, {
      ...outer,
      arguments: outer.arguments ?? inner.arguments,
      result: oneResult([outer.result, inner.result]),
      error: outer.error ?? inner.error,
    });
  }
  return [...bySpan.values()].toSorted(byStart);
}

function carries(outer: SpanCall, { span, tool, id, conventions }: SpanCall): boolean {
  const isSame = id !== undefined && id === outer.id;
  const isOther = conventions.every((convention) => !outer.conventions.includes(convention));
  return tool === outer.tool && (isSame || isOther || span.attributes.has(METHOD));
}

const startOf = ({ span }: Pick<SpanCall, 'span'>): bigint => span.start ?? 0n;
const endOf = ({ span }: Pick<SpanCall, 'span'>): bigint => span.end ?? 0n;

/** What encloses another one before it. */
export const byStart = (one: Pick<SpanCall, 'span'>, other: Pick<SpanCall, 'span'>): number =>
  Number(startOf(one) - startOf(other)) || Number(endOf(other) - endOf(one));

/**
 * Calls that overlap were made at once, whatever their parents, but for a call and those within it. `calls` are by their
 * start.
 */
export function stepsOf(
  calls: readonly SpanCall[],
  callers: ReadonlyMap<Span, Span | undefined>,
): readonly (readonly SpanCall[])[] {
  const firsts = calls.map((_, index) => index);
  const firstOf = (index: number): number => {
    let first = index;
    while (firsts[first] !== first) first = firsts[first] ?? first;
    firsts[index] = first;
    return first;
  };
  for (const [index, call] of calls.entries()) {
    const around = aroundOf(call.span, callers);
    for (let before = 0; before < index; before++) {
      const other = calls[before] as SpanCall;
      const overlaps = startOf(call) < endOf(other) || startOf(call) === startOf(other);
      if (!overlaps || around.has(other.span)) continue;
      const [firstBefore, firstCall] = [firstOf(before), firstOf(index)];
      firsts[Math.max(firstBefore, firstCall)] = Math.min(firstBefore, firstCall);
    }
  }
  return [...Map.groupBy(calls, (_, index) => firstOf(index)).values()];
}

/** The calls around a span. */
export function aroundOf(span: Span, callers: ReadonlyMap<Span, Span | undefined>): ReadonlySet<Span> {
  const around = new Set<Span>();
  let outer = callers.get(span);
  for (; outer !== undefined && !around.has(outer); outer = callers.get(outer)) around.add(outer);
  return around;
}
