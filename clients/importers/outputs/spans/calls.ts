import { canonicalJson, parseOutput } from '../../../../shared/scoring/kit/json.ts';
import { keptValue, resultOf } from '../../../../shared/scoring/trace/arguments.ts';
import { isRecord } from '../../../files/read/parts.ts';
import { failureOf } from './failure.ts';
import { type Attributes, type Span, shownSpan } from './span.ts';
import { nameCall, wordsOf } from './words.ts';

/** A span that is a call of a tool. */
export interface SpanCall {
  readonly span: Span;
  readonly tool: string;
  readonly id: string | undefined;
  readonly conventions: readonly Convention[];
  /** Undefined where they are not known. */
  readonly arguments: unknown;
  /** Undefined where it is not known, also where there are two. */
  readonly result: unknown;
  /** Why it failed. */
  readonly error: string | undefined;
}

/** The names of one convention for a call. None of them is stable. */
interface Convention {
  /** The attribute with the kind of the span. */
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  readonly arguments: readonly string[];
  readonly results: readonly string[];
}

const OF_OPENTELEMETRY: Convention = {
  kind: 'gen_ai.operation.name',
  name: 'gen_ai.tool.name',
  id: 'gen_ai.tool.call.id',
  arguments: ['gen_ai.tool.call.arguments', 'tool_arguments'],
  results: ['gen_ai.tool.call.result', 'tool_response'],
};
const OF_VERCEL: Convention = {
  kind: 'ai.operationId',
  name: 'ai.toolCall.name',
  id: 'ai.toolCall.id',
  arguments: ['ai.toolCall.args', 'ai.toolCall.input'],
  results: ['ai.toolCall.result', 'ai.toolCall.output'],
};
/** Its `tool.parameters` define arguments, and are none. */
const OF_OPENINFERENCE: Convention = {
  kind: 'openinference.span.kind',
  name: 'tool.name',
  id: 'tool.id',
  arguments: ['input.value'],
  results: ['output.value'],
};
const CONVENTIONS = [OF_OPENTELEMETRY, OF_VERCEL, OF_OPENINFERENCE];

/** Attributes of the span's own call only. */
export const OWN = CONVENTIONS.flatMap((convention) => [...convention.arguments, ...convention.results]);
const RESULTS = CONVENTIONS.flatMap(({ results }) => results);

/** Older instrumentations name the tool only. */
export const isCall = ({ attributes }: Span): boolean => conventionsOf(attributes).length > 0;

const conventionsOf = (attributes: Attributes): Convention[] =>
  CONVENTIONS.filter(
    ({ kind, name }) =>
      attributes.has(name) || isCallKind(attributes.get(kind), kind === OF_OPENTELEMETRY.kind),
  );

/** Of operations only the one is sure to be a call. Kinds may have the name of their list before them. */
function isCallKind(value: unknown, isOperation: boolean): boolean {
  const words = typeof value === 'string' ? wordsOf(value) : [];
  return isOperation ? words.join('_') === 'execute_tool' : nameCall(words);
}

/** A text is the reason why it cannot be read. */
export function callIn(span: Span): SpanCall | string {
  const { attributes } = span;
  const [tool, other] = new Set(CONVENTIONS.flatMap(({ name }) => attributes.get(name) ?? []));
  if (typeof tool !== 'string' || tool === '')
    return `does not name the tool of ${shownSpan(span)}: set ${OF_OPENTELEMETRY.name}`;
  if (other !== undefined) return disagreement(span, 'names of tools');
  const ids = new Set(CONVENTIONS.flatMap(({ id }) => textsOf(attributes, id)));
  if (ids.size > 1) return disagreement(span, 'ids of calls');
  const [known, ...otherArguments] = CONVENTIONS.flatMap((convention) => argumentsIn(attributes, convention));
  const canAgree = otherArguments.every((value) => agree(known, value));
  if (!canAgree) return disagreement(span, 'arguments');
  const failure = failureOf(span, RESULTS);
  if (failure.why !== undefined) return failure.why;
  return {
    span,
    tool,
    id: [...ids][0],
    conventions: conventionsOf(attributes),
    arguments: known,
    result: oneResult(RESULTS.map((key) => attributes.get(key))),
    error: failure.error,
  };
}

/** Of what shows one call. Which of two results it had is not known, nor what has no digest. */
export function oneResult(given: readonly unknown[]): unknown {
  const [first, ...otherResults] = given.filter((value) => value !== undefined);
  const [text, ...texts] = [first, ...otherResults].map((value) => {
    const result = typeof value === 'string' ? resultOf(value) : keptValue(value);
    return result === undefined ? undefined : canonicalJson(result);
  });
  return text !== undefined && texts.every((other) => other === text) ? first : undefined;
}

const disagreement = (span: Span, what: string): string =>
  `has two different ${what} in ${shownSpan(span)}: let its conventions agree`;

/** Texts may be those of another form. */
export const agree = (one: unknown, other: unknown): boolean =>
  !isRecord(one) || !isRecord(other) || canonicalJson(one) === canonicalJson(other);

const textsOf = (attributes: Attributes, key: string): string[] => {
  const value = attributes.get(key);
  return value === undefined ? [] : [String(value)];
};

function argumentsIn(attributes: Attributes, convention: Convention): unknown[] {
  const given = convention.arguments.map((key) => attributes.get(key)).find((value) => value !== undefined);
  const parsed = typeof given === 'string' ? parseOutput(given) : undefined;
  // A text that is no object stays one: it fills nothing that wants members, and is forbidden where they are.
  const value = parsed?.ok && isRecord(parsed.value) ? parsed.value : given;
  const isBound = convention === OF_OPENINFERENCE && isRecord(value) && isRecord(value.kwargs);
  const known = isBound ? ofBound(value) : value;
  return known === undefined ? [] : [known];
}

/** Arguments of a Python function: those without a name are not known. */
const ofBound = ({ args, kwargs }: Readonly<Record<string, unknown>>): unknown =>
  args === undefined || (Array.isArray(args) && args.length === 0) ? kwargs : undefined;
