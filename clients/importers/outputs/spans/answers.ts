import { isRecord } from '../../../files/read/parts.ts';
import { nested } from './forms.ts';
import { jsonIn } from './mentions.ts';
import { asFields, type Span, shownSpan } from './span.ts';

type Fields = Readonly<Record<string, unknown>>;

const OPERATION = 'gen_ai.operation.name';
/** Spans of agents have the sums of those of their models. */
const OF_MODELS = ['chat', 'generate_content', 'text_completion'];
const OF_OTHERS = /^(?:create_agent|invoke_agent|invoke_workflow|embeddings|retrieval|rerank|execute_tool)$/;
const KIND = 'openinference.span.kind';
const OF_VERCEL = /^ai\.(?:generate|stream)(?:Text|Object)\.do(?:Generate|Stream)$/;
/** Parts of messages that hold no call. */
const SILENT = ['text', 'reasoning', 'thinking', 'refusal', 'blob', 'uri', 'file', 'image', 'audio', 'video'];

const attribute = ({ attributes }: Span, key: string): string => String(attributes.get(key) ?? '');

/** A span of one answer of a model, in a convention that is read. */
export const isModel = (span: Span): boolean =>
  OF_MODELS.includes(attribute(span, OPERATION)) ||
  attribute(span, KIND).toUpperCase() === 'LLM' ||
  OF_VERCEL.test(attribute(span, 'ai.operationId'));

const MODEL_KEYS = ['gen_ai.request.model', 'gen_ai.response.model', 'llm.request.type', 'llm.model_name'];
const MODEL_KINDS = /^"?(?:llm|chat_model|generation|completion|chat)"?$/i;
const KINDS = ['traceloop.span.kind', 'langsmith.span.kind', 'langfuse.observation.type', 'mlflow.spanType'];

/** Also in another one: it may have called what no attribute shows. */
const mayBeModel = (span: Span): boolean =>
  isModel(span) ||
  KINDS.some((key) => MODEL_KINDS.test(attribute(span, key))) ||
  (MODEL_KEYS.some((key) => span.attributes.has(key)) && !isOther(span));

const isOther = (span: Span): boolean =>
  OF_OTHERS.test(attribute(span, OPERATION)) ||
  /^(?:agent|chain|embedding|tool|reranker)$/i.test(attribute(span, KIND)) ||
  /^ai\.(?:generate|stream)(?:Text|Object)$|^ai\.embed/.test(attribute(span, 'ai.operationId'));

/** What the assistant said. `text` is undefined where it is left out, and in an answer that is not read whole. */
interface Answer {
  readonly text: string | undefined;
  readonly isComplete: boolean;
}

export interface Answers {
  /** What it said last, and when; `cut`: why that is not all of it. */
  readonly last?: { readonly text: string; readonly end: bigint; readonly cut: string | undefined };
  /** Every answer of a model is read, so that calls that none of them shows were not made. */
  readonly areComplete: boolean;
  readonly why?: string;
}

/** `spans`: but for those of sub-agents, which answer their agent. */
export function answersIn(all: readonly Span[], spans: readonly Span[]): Answers {
  const read = new Map(all.map((span) => [span, readAnswers(span)]));
  const torn = all.find((span) => new Set(read.get(span)?.flatMap(({ text }) => text ?? [])).size > 1);
  if (torn !== undefined)
    return {
      areComplete: false,
      why: `has two different answers in ${shownSpan(torn)}: let its conventions agree`,
    };
  const models = all.filter(mayBeModel);
  const areComplete =
    models.length > 0 && models.every((span) => isModel(span) && read.get(span)?.some(isWholeAnswer));
  const [latest] = spans
    .filter((span) => read.get(span)?.length !== 0 || mayBeModel(span))
    .toSorted((one, other) => Number((other.end ?? 0n) - (one.end ?? 0n)));
  const text = latest && read.get(latest)?.find((answer) => answer.text !== undefined)?.text;
  if (latest === undefined || text === undefined) return { areComplete };
  return { areComplete, last: { text, end: latest.end ?? 0n, cut: whyCut(latest) } };
}

const FINISH_KEYS = [
  'gen_ai.response.finish_reasons',
  'ai.response.finishReason',
  'llm.response.finish_reason',
];
const CUT =
  /length|max_?tokens|filter|safety|blocklist|prohibited|recitation|refus|error|fail|cancel|abort|timeout|incomplete/i;

function whyCut(span: Span): string | undefined {
  if (span.status === 'error') return span.message || 'failed';
  const messages = jsonIn(span.attributes.get('gen_ai.output.messages'));
  const reasons = [
    ...FINISH_KEYS.map((key) => span.attributes.get(key)),
    ...(Array.isArray(messages) ? messages.map((message) => asFields(message).finish_reason) : []),
  ];
  const reason = reasons.map((value) => String(value ?? '')).find((text) => CUT.test(text));
  return reason && `finish reason: ${reason}`;
}

const isWholeAnswer = ({ isComplete }: Answer): boolean => isComplete;

/** In each convention. */
function readAnswers({ attributes }: Span): Answer[] {
  const messages = jsonIn(attributes.get('gen_ai.output.messages'));
  const flat = [...attributes].filter(([key]) => key.startsWith('llm.output_messages.'));
  const text = attributes.get('ai.response.text') ?? attributes.get('ai.result.text');
  const object = attributes.get('ai.response.object') ?? attributes.get('ai.result.object');
  const calls = attributes.get('ai.response.toolCalls') ?? attributes.get('ai.result.toolCalls');
  const answer = text ?? object;
  return [
    ...(Array.isArray(messages) ? [answerOf(messages.map(asFields), partOf)] : []),
    ...((answer ?? calls) === undefined
      ? []
      : [{ text: answer === undefined ? undefined : String(answer), isComplete: true }]),
    ...(flat.length === 0 ? [] : [answerOf(flatMessages(flat), flatPartOf)]),
  ];
}

const flatMessages = (pairs: readonly (readonly [string, unknown])[]): Fields[] =>
  Object.values(nested(pairs, 2)).map((item) => asFields(asFields(item).message));

interface Part {
  readonly type: unknown;
  readonly text: unknown;
}

const partOf = (part: Fields): Part => ({ type: part.type, text: part.content ?? part.text });
const flatPartOf = (item: Fields): Part => {
  const content = asFields(item.message_content);
  return { type: content.type, text: content.text };
};

/** Of the last message of the assistant. */
function answerOf(messages: readonly Fields[], read: (part: Fields) => Part): Answer {
  const last = messages.filter(({ role = 'assistant' }) => role === 'assistant' || role === 'model').at(-1);
  const isComplete = messages.length > 0 && messages.every((message) => isWholeMessage(message, read));
  if (typeof last?.content === 'string') return { text: last.content, isComplete };
  const textParts = partsOf(last)
    .map(read)
    .filter(({ type }) => type === 'text');
  const isLeftOut = textParts.length === 0 || textParts.some(({ text }) => typeof text !== 'string');
  return { text: isLeftOut ? undefined : textParts.map(({ text }) => text).join(''), isComplete };
}

const partsOf = (message: Fields | undefined): readonly Fields[] =>
  Object.values(
    asFields({ ...asFields(message?.contents), ...(Array.isArray(message?.parts) ? message.parts : []) }),
  ).map(asFields);

/** Calls are found by their structure, wherever they stand. */
function isWholeMessage(message: Fields, read: (part: Fields) => Part): boolean {
  const parts = partsOf(message).map(read);
  const hasContent = typeof message.content === 'string' || parts.length > 0 || isRecord(message.tool_calls);
  return hasContent && parts.every(({ type }) => SILENT.includes(String(type)) || isCallPart(type));
}

const isCallPart = (type: unknown): boolean => /^(?:server_)?tool_(?:call|use)/.test(String(type));
