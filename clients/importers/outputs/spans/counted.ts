import type { SpanCall } from './calls.ts';
import type { Form } from './forms.ts';
import type { Mention } from './mentions.ts';
import { type Span, shownSpan } from './span.ts';

const REMEDY = 'let spans of `execute_tool` be exported, too';

/** Why a call that stands in messages might have no span. Calls are counted: their names alone may repeat. */
export function faultOfCount(
  forms: readonly Form[],
  calls: readonly SpanCall[],
  parents: ReadonlyMap<Span, Span>,
): string | undefined {
  const cut = forms.find(({ isCut }) => isCut);
  if (cut !== undefined)
    return `has ${cut.key} that are no JSON list in ${shownSpan(cut.span)}: raise the limit of attributes`;
  const needs = forms.map(needOf);
  const sums = answered(needs, parents);
  for (const need of [...needs, ...sums]) {
    const why = faultOfNeed(need, calls);
    if (why !== undefined) return why;
  }
  return undefined;
}

/** The calls that a part of the trace shows. */
interface Need {
  readonly form: Form;
  /** Each call once. */
  readonly calls: readonly Mention[];
}

function needOf(form: Form): Need {
  const callMentions = form.found.filter(({ isResult }) => !isResult);
  const results = form.found.filter(({ isResult }) => isResult);
  const ids = new Set<string>();
  const once = [...callMentions, ...results].filter(
    ({ id }) => id === undefined || ids.size < ids.add(id).size,
  );
  const nameless = callMentions.filter(({ id }) => id === undefined).length;
  // Results without an id are of the calls before them.
  const ofCalls = new Set(results.filter(({ id }) => id === undefined).slice(0, nameless));
  const calls = once.filter((mention) => !ofCalls.has(mention));
  const isBare = form.isCalling && calls.length === 0;
  return { form, calls: isBare ? [NAMELESS] : calls };
}

const NAMELESS: Mention = { name: undefined, id: undefined, isResult: false, hasFailed: false };

/** Of all answers of models together. What encloses an answer repeats it; of two forms the longer one counts. */
function answered(needs: readonly Need[], parents: ReadonlyMap<Span, Span>): Need[] {
  const bySpan = Map.groupBy(
    needs.filter(({ form }) => form.isAnswer),
    ({ form }) => form.span,
  );
  const enclosing = new Set<Span>();
  for (const span of bySpan.keys()) {
    let outer = parents.get(span);
    for (; outer !== undefined && !enclosing.has(outer); outer = parents.get(outer)) enclosing.add(outer);
  }
  const answers = [...bySpan].filter(([span]) => !enclosing.has(span));
  const longest = answers.flatMap(
    ([, needs]) => needs.toSorted((one, other) => other.calls.length - one.calls.length)[0] ?? [],
  );
  const [last] = longest.toReversed().filter(({ calls }) => calls.length > 0);
  return last === undefined ? [] : [{ form: last.form, calls: longest.flatMap(({ calls }) => calls) }];
}

function faultOfNeed({ form, calls: needed }: Need, calls: readonly SpanCall[]): string | undefined {
  const remedy = `${REMEDY}. It is in ${shownSpan(form.span)}`;
  if (form.isCalling && calls.length === 0 && needed.every(({ name }) => name === undefined))
    return `ended answers by calls, and has no span of one, in ${form.key}: ${remedy}`;
  const byName = Map.groupBy(calls, ({ tool }) => tool);
  const why = [...Map.groupBy(needed, ({ name }) => name)]
    .map(([name, mentions]) =>
      faultOfTool({ form, calls: mentions }, name === undefined ? calls : (byName.get(name) ?? [])),
    )
    .find((fault) => fault !== undefined);
  if (why !== undefined) return `has ${why}: ${remedy}`;
  return needed.length > calls.length
    ? `has ${needed.length} calls in ${form.key}, and ${calls.length} spans of calls: ${remedy}`
    : undefined;
}

/** Of one tool. */
function faultOfTool({ form, calls: needed }: Need, spanCalls: readonly SpanCall[]): string | undefined {
  const name = needed[0]?.name;
  const tool = name === undefined ? 'a tool' : JSON.stringify(name.slice(0, 256));
  if (spanCalls.length === 0) return `a call of ${tool} in ${form.key}, and no span of it`;
  if (needed.length > spanCalls.length)
    return `${needed.length} calls of ${tool} in ${form.key}, and ${spanCalls.length} of its spans`;
  const lost = lostIn(needed, spanCalls)?.slice(0, 200);
  return lost && `a call of ${tool} in ${form.key}, and no span of its id ${lost}`;
}

/** An id that no span has. Spans without one may be of any. */
function lostIn(needed: readonly Mention[], spanCalls: readonly SpanCall[]): string | undefined {
  const ids = new Set(spanCalls.map(({ id }) => id));
  const free = spanCalls.filter(({ id }) => id === undefined).length;
  const lost = needed.flatMap(({ id }) => (id === undefined || ids.has(id) ? [] : [id]));
  return [...new Set(lost)][free];
}

/** The calls that failed by the result in messages, too. A text is the reason why one cannot be paired. */
export function withFailures(
  forms: readonly Form[],
  calls: readonly SpanCall[],
): readonly SpanCall[] | string {
  const byId = Map.groupBy(calls, ({ id }) => id);
  const failed = new Set<SpanCall>();
  for (const { found: mentions, key, span } of forms) {
    for (const { id } of mentions.filter(({ hasFailed }) => hasFailed)) {
      const [call, other] = id === undefined ? [] : (byId.get(id) ?? []);
      if (call === undefined || other !== undefined || call.span.status === 'ok')
        return `has a result in ${key} that failed, and no span of its call that failed: set the status of spans of tools. It is in ${shownSpan(span)}`;
      failed.add(call);
    }
  }
  return calls.map((call) => (failed.has(call) ? { ...call, error: call.error ?? 'failed' } : call));
}
