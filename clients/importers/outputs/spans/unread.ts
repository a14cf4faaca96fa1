import { isMessageEvent, isReadForm } from './forms.ts';
import { jsonIn } from './mentions.ts';
import { asFields, type Span, type SpanEvent, shownSpan } from './span.ts';
import { isNothing, nameCall, wordsOf } from './words.ts';

const TEXT_MAX = 64;
/** The value under a key with one of these words is the kind of a span. */
const KINDS = ['kind', 'type', 'types', 'operation', 'op', 'method', 'role', 'category', 'event', 'action'];
/** Operations of models and agents may have any name. */
const OF_AGENTS =
  /^(?:chat|generate_content|text_completion|embeddings|(?:create|invoke)_agent|invoke_workflow)$/;
const OF_KINDS = /^(?:llm|agent|embedding|retriever|reranker|guardrail|evaluator|prompt)$/i;
const OF_HTTP = ['http.request.method', 'http.method', 'http.route', 'url.full'];

/** But for the code that made the span, and the host. */
const FUNCTION = /^(?!code |faas |aws |gcp |azure |cloud )(?:.* )?function (?:name|arg(?:ument)?s|input)$/;

export interface Around {
  readonly isCall: boolean;
  /** A call that is read was made within it. */
  readonly hasCallsWithin: boolean;
}

/** The part of a span that names a call and is not read. */
export function unreadIn(span: Span, { isCall, hasCallsWithin }: Around): string | undefined {
  const key = [...span.attributes].find(
    ([name, value]) => !isReadForm(span.name, name) && isUnread(name, value, isCall),
  )?.[0];
  if (key !== undefined) return `${key} of ${shownSpan(span)}`;
  if (isCall) return undefined;
  const event = span.events.map(unreadInEvent).find((unread) => unread !== undefined);
  if (event !== undefined) return `${event} of ${shownSpan(span)}`;
  return namesCall(span, hasCallsWithin) ? `the name of ${shownSpan(span)}` : undefined;
}

function isUnread(key: string, given: unknown, isCall: boolean): boolean {
  if (isNothing(given)) return false;
  const words = wordsOf(key);
  // Of a call that is read, all but lists of others are its own.
  if (isCall) return nameCall(words) && (words.at(-1) ?? '').endsWith('calls');
  if (nameCall(words) || FUNCTION.test(words.join(' '))) return true;
  const value = jsonIn(given);
  if (words.includes('span') && isCallKind(asFields(value).type)) return true;
  return words.some((word) => KINDS.includes(word)) && [value].flat().some(isCallKind);
}

function isCallKind(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > TEXT_MAX) return false;
  const words = wordsOf(value);
  return nameCall(words) || words.join() === 'function';
}

function unreadInEvent({ name, attributes }: SpanEvent): string | undefined {
  if (isMessageEvent(name)) return undefined;
  if (nameCall(wordsOf(name))) return `the event ${name.slice(0, 100)}`;
  return [...attributes].find(([key, value]) => !isReadForm(name, key) && isUnread(key, value, false))?.[0];
}

/** Routes may have any name, and so may models and agents. A node of a graph may hold the calls that are read. */
function namesCall({ name, attributes }: Span, hasCallsWithin: boolean): boolean {
  const words = wordsOf(name);
  if (!nameCall(words) && !/^function:/i.test(name)) return false;
  const isOfMethod = attributes.has('mcp.method.name') || OF_HTTP.some((key) => attributes.has(key));
  const isOfAgent =
    OF_AGENTS.test(String(attributes.get('gen_ai.operation.name'))) ||
    OF_KINDS.test(String(attributes.get('openinference.span.kind')));
  if (isOfMethod || isOfAgent) return false;
  return !(hasCallsWithin && /tools\b|^running \d+ tool$/i.test(name));
}
