import { isRecord } from '../../../files/read/parts.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Attributes = ReadonlyMap<string, unknown>;

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

export interface Span {
  /** The line of the file where it stands first. */
  readonly line: number;
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  readonly name: string;
  /** In nanoseconds; undefined where it cannot be read. */
  readonly start: bigint | undefined;
  readonly end: bigint | undefined;
  readonly status: 'unset' | 'ok' | 'error' | undefined;
  readonly message: string;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  /** Why a call, or what became of it, might be lost. */
  readonly fault: string | undefined;
}

export const asFields = (value: unknown): Fields => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const nanoseconds = (value: unknown): bigint | undefined =>
  /^\d{1,20}$/.test(String(value)) ? BigInt(String(value)) : undefined;

/** An event of a span may stand in a log. */
export interface Log {
  readonly traceId: string;
  readonly spanId: string;
  readonly event: SpanEvent;
}

export interface Line {
  readonly spans: readonly Span[];
  readonly logs: readonly Log[];
}

/** Of a line of OTLP JSON, as collectors write it into a file. Undefined where it is none: spans might be lost. */
export function lineIn(document: unknown, line: number): Line | undefined {
  const { resourceSpans, resourceLogs, resourceMetrics } = asFields(document);
  if ((resourceSpans ?? resourceLogs ?? resourceMetrics) === undefined) return undefined;
  const spans = listsIn(resourceSpans, ['scopeSpans', 'spans']);
  const logs = listsIn(resourceLogs, ['scopeLogs', 'logRecords']);
  return (
    spans &&
    logs && {
      spans: spans.map((span) => spanOf(asFields(span), line)),
      logs: logs.map((log) => logOf(asFields(log))),
    }
  );
}

const listsIn = (items: unknown, fields: readonly string[]): readonly unknown[] | undefined =>
  fields.reduce<readonly unknown[] | undefined>(
    (listed, field) => listed && lists(listed, field),
    listIn(items ?? []),
  );

const listIn = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** The lists in the field of each, after each other; empty ones may be left out. Undefined where another field has one. */
function lists(items: readonly unknown[], field: string): readonly unknown[] | undefined {
  const lists = items.map(asFields).map((item) => item[field] ?? (hasList(item) ? undefined : []));
  return lists.every(Array.isArray) ? lists.flat() : undefined;
}

const hasList = (item: Fields): boolean => Object.values(item).some(Array.isArray);

function spanOf(span: Fields, line: number): Span {
  const events = listOf(span.events).map(asFields);
  return {
    line,
    // Hexadecimal digits may have either case.
    traceId: textOf(span.traceId).toLowerCase(),
    id: textOf(span.spanId).toLowerCase(),
    parentId: textOf(span.parentSpanId).toLowerCase(),
    name: textOf(span.name),
    start: nanoseconds(span.startTimeUnixNano),
    end: nanoseconds(span.endTimeUnixNano),
    status: statusOf(span.status),
    message: textOf(asFields(span.status).message),
    attributes: membersOf(span.attributes),
    events: events.map((event) => ({ name: textOf(event.name), attributes: membersOf(event.attributes) })),
    fault: [span, ...events].map(faultOfAttributes).find((fault) => fault !== undefined) ?? faultOf(span),
  };
}

function logOf(log: Fields): Log {
  const attributes = new Map([...membersOf(log.attributes), ['body', valueIn(log.body)]]);
  return {
    traceId: textOf(log.traceId).toLowerCase(),
    spanId: textOf(log.spanId).toLowerCase(),
    event: { name: textOf(log.eventName ?? attributes.get('event.name')), attributes },
  };
}

const CODES = new Map<unknown, Span['status']>([
  [undefined, 'unset'],
  [0, 'unset'],
  ['STATUS_CODE_UNSET', 'unset'],
  [1, 'ok'],
  ['STATUS_CODE_OK', 'ok'],
  [2, 'error'],
  ['STATUS_CODE_ERROR', 'error'],
]);

const statusOf = (status: unknown): Span['status'] =>
  isRecord(status ?? {}) ? CODES.get(asFields(status).code) : undefined;

const LISTS = ['attributes', 'events', 'links'];
const KEY_LENGTH_MAX = 1_000;
const DROPPED = ['droppedAttributesCount', 'droppedEventsCount'];

function faultOf(span: Fields): string | undefined {
  if (textOf(span.traceId) === '' || textOf(span.spanId) === '') return 'has no traceId or no spanId';
  if (statusOf(span.status) === undefined) return 'has a status that is not known here';
  const dropped = DROPPED.find((name) => Number(span[name] ?? 0) !== 0);
  if (dropped !== undefined) return `has ${dropped}: raise the limits of attributes and events`;
  // A list under another name may hold attributes.
  const other = Object.keys(span).find((name) =>
    LISTS.includes(name) ? !Array.isArray(span[name] ?? []) : Array.isArray(span[name]),
  );
  return other && `has ${JSON.stringify(other.slice(0, 100))} in a form that is not read here`;
}

/** Two readers take an attribute that is there twice for two things. */
function faultOfAttributes({ attributes }: Fields): string | undefined {
  const keys = listOf(attributes).map((pair) => textOf(asFields(pair).key));
  const seen = new Set<string>();
  const twice = keys.find((key) => seen.size === seen.add(key).size);
  if (twice !== undefined) return `has the attribute ${JSON.stringify(twice.slice(0, 100))} twice`;
  const isLong = keys.some((key) => key.length > KEY_LENGTH_MAX);
  return isLong ? `has an attribute whose name is longer than ${KEY_LENGTH_MAX} characters` : undefined;
}

const membersOf = (list: unknown): Attributes =>
  new Map(listOf(list).map((pair) => [textOf(asFields(pair).key), valueIn(asFields(pair).value)]));

const PLAIN = ['stringValue', 'boolValue', 'doubleValue', 'bytesValue'];

/** A value of OTLP as JSON has it. One of an unknown kind stays as it is: it is something, and nothing that is read. */
function valueIn(given: unknown): unknown {
  const value = asFields(given);
  if (Object.hasOwn(value, 'intValue')) return Number(value.intValue);
  if (isRecord(value.arrayValue)) return listOf(value.arrayValue.values).map(valueIn);
  if (isRecord(value.kvlistValue)) return Object.fromEntries(membersOf(value.kvlistValue.values));
  const plain = PLAIN.find((kind) => Object.hasOwn(value, kind));
  if (plain !== undefined) return value[plain];
  return Object.keys(value).length === 0 ? undefined : given;
}

/** A span as messages name it. */
export const shownSpan = ({ name, id }: Span): string =>
  `the span ${JSON.stringify(name.slice(0, 100))} (${id.slice(0, 100)})`;
