import { jsonIn, type Mentions, mentionsIn } from './mentions.ts';
import type { Attributes, Span } from './span.ts';
import { isCallReason, isReasonKey, wordsOf } from './words.ts';

/** The calls in one attribute of a span, or in one event. */
export interface Form extends Mentions {
  readonly span: Span;
  readonly key: string;
  /** What a model answered there, in place of a history or of something else. */
  readonly isAnswer: boolean;
  /** It is cut, so that a call might be lost. */
  readonly isCut: boolean;
}

/** Messages whose fields stand in attributes of their own: `llm.output_messages.0.message.role`. */
const FLAT = ['llm.output_messages', 'llm.input_messages', 'gen_ai.completion', 'gen_ai.prompt'];
const ANSWERS = ['gen_ai.output.messages', 'llm.output_messages', 'gen_ai.completion', 'gen_ai.choice'];
const CALLS = ['ai.response.toolCalls', 'ai.result.toolCalls'];
/** Attributes that are nothing but JSON. */
const WHOLE = ['gen_ai.output.messages', ...CALLS];
const EVENT = /^gen_ai\.(?:choice|(?:user|system|assistant|tool)\.message)$/;
/** Tools that may be called. */
const DEFINITION =
  /^(?:llm\.tools\.|llm\.request\.(?:functions|tools)\b|gen_ai\.request\.(?:tools|functions|tool_choice|parallel_tool_calls)|gen_ai\.tool\.definitions|ai\.prompt\.tool|ai\.settings\.|llm\.invocation_parameters$|(?:[\w.]+\.)?agents?\.tools$|mlflow\.chat\.tools$)/;
const SEGMENTS_MAX = 16;
const PRINTED = /["'](?:tool_calls|function_call)["']: ?\[?\{/;
const OUTPUTS = /^(?:outputs?|response|completions?)$/;
/** What a model said is no evidence. */
const SAID = /^ai\.(?:response|result)\.(?:text|object)$/;
/** The structure of a call in JSON that is cut. */
const CALL_IN_CUT =
  /["'](?:tool_?calls?|tool-call|tool_?use|function_?calls?|server_tool_use|mcp_tool_use)["']/i;

const prefixOf = (key: string): string | undefined =>
  FLAT.find(
    (prefix) => key.startsWith(`${prefix}.`) && key.split('.', SEGMENTS_MAX + 1).length <= SEGMENTS_MAX,
  );

const isDefinition = (key: string): boolean => DEFINITION.test(key);

export const isMessageEvent = (name: string): boolean => EVENT.test(name);

/** Whether calls in the attribute of a span, or of an event, of that name are read. */
export const isReadForm = (name: string, key: string): boolean =>
  namesCalls(name, key) || isDefinition(key) || prefixOf(key) !== undefined || isReasonKey(wordsOf(key));

/** Pydantic AI has a span around calls that were made at once. */
const namesCalls = (name: string, key: string): boolean =>
  CALLS.includes(key) || (key === 'tools' && /^running (?:\d+ )?tools?$/.test(name));

/** `own`: the keys of a call's arguments and result. */
export function formsIn(span: Span, ownKeys: readonly string[] | undefined): Form[] {
  const forms = formsOf(span, span.attributes, ownKeys ?? []);
  // Events of a call's own span are its arguments and its result.
  const events = ownKeys === undefined ? span.events : [];
  return [...forms, ...events.flatMap((event) => formsOfEvent(span, event.name, event.attributes))];
}

function formsOfEvent(span: Span, name: string, attributes: Attributes): Form[] {
  if (!isMessageEvent(name)) return formsOf(span, attributes, []);
  const message = nested(attributes, 0, jsonIn);
  const role = name === 'gen_ai.tool.message' ? 'tool' : undefined;
  return [formOf(span, name, role === undefined ? message : { role, ...message })];
}

function formsOf(span: Span, attributes: Attributes, ownKeys: readonly string[]): Form[] {
  const flat = Map.groupBy(attributes, ([key]) => prefixOf(key));
  const plain = flat.get(undefined) ?? [];
  flat.delete(undefined);
  return [
    ...[...flat].map(([prefix = '', pairs]) => {
      const read = prefix.startsWith('gen_ai.') ? jsonIn : undefined;
      return formOf(span, prefix, Object.values(nested(pairs, prefix.split('.').length, read)));
    }),
    ...plain
      .filter(([key]) => !ownKeys.includes(key) && !isDefinition(key) && !SAID.test(key))
      .map(([key, value]) => formOf(span, key, value)),
  ];
}

function formOf(span: Span, key: string, given: unknown): Form {
  const list = Array.isArray(given) ? given.map(jsonIn) : jsonIn(given);
  const isReason = isReasonKey(wordsOf(key));
  const mentions = mentionsIn(namesCalls(span.name, key) ? { tool_calls: list } : list);
  const isText = typeof list === 'string';
  const isCutText = isText && !isReason && isOfCall(key, list);
  return {
    found: mentions.found,
    isCalling: isReason ? [list].flat().some(isCallReason) : mentions.isCalling,
    span,
    key,
    isAnswer: isReason || ANSWERS.includes(key) || CALLS.includes(key),
    isCut: WHOLE.includes(key) ? !Array.isArray(list) : isCutText,
  };
}

/** Also in an output that a program printed. */
const isOfCall = (key: string, text: string): boolean =>
  (/^\s*[[{]/.test(text) && CALL_IN_CUT.test(text)) ||
  (PRINTED.test(text) && wordsOf(key).some((word) => OUTPUTS.test(word)));

type Node = { [segment: string]: unknown };

/** A value that stands there already keeps its place. */
function nodeIn(node: Node, segment: string): Node {
  const inner = (node[segment] ?? Object.create(null)) as Node;
  node[segment] = inner;
  const isNode = typeof inner === 'object' && Object.getPrototypeOf(inner) === null;
  return isNode ? inner : nodeIn(node, `${segment}.`);
}

/** The fields of messages, where each has an attribute of its own. `from`: segments that all of them have. */
export function nested(
  pairs: Iterable<readonly [string, unknown]>,
  from: number,
  read: (value: unknown) => unknown = (value) => value,
): object {
  const root: Node = Object.create(null);
  for (const [key, value] of pairs) {
    const segments = key.split('.', SEGMENTS_MAX + 1).slice(from);
    let node = root;
    for (const segment of segments.slice(0, -1)) node = nodeIn(node, segment);
    const last = segments.at(-1) ?? '';
    node[last in node ? `${last}.` : last] = read(value);
  }
  return root;
}
