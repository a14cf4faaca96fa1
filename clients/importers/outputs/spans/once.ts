import { canonicalJson } from '../../../../shared/scoring/kit/json.ts';
import { type Attributes, type Log, type Span, shownSpan } from './span.ts';

/** A span that was exported twice is one. What two different spans with its id did is not known. */
export function onceEach(spans: readonly Span[]): { readonly spans: readonly Span[]; readonly why?: string } {
  const byId = new Map<string, Span>();
  for (const span of spans) {
    const before = byId.get(span.id);
    if (before === undefined) byId.set(span.id, span);
    else if (contentOf(before) !== contentOf(span)) {
      return { spans, why: `has two different spans with the id of ${shownSpan(span)}: export it again` };
    }
  }
  return { spans: [...byId.values()] };
}

const contentOf = ({ line: _, start, end, attributes, events, ...otherFields }: Span): string =>
  canonicalJson({
    ...otherFields,
    start: String(start),
    end: String(end),
    attributes: membersIn(attributes),
    events: events.map((event) => ({ name: event.name, attributes: membersIn(event.attributes) })),
  });

const membersIn = (attributes: Attributes): object => Object.fromEntries(attributes);

/** Logs beside spans are events of theirs; of a span that is not in the file, of the first one. */
export function withLogs(spans: readonly Span[], logs: readonly Log[]): Span[] {
  const ids = new Set(spans.map(({ id }) => id));
  const bySpan = Map.groupBy(logs, ({ spanId }) => (ids.has(spanId) ? spanId : spans[0]?.id));
  return spans.map((span) => {
    const spanEvents = bySpan.get(span.id) ?? [];
    return spanEvents.length === 0
      ? span
      : { ...span, events: [...span.events, ...spanEvents.map(({ event }) => event)] };
  });
}
