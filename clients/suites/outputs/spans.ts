import { isRecord } from '../read/parts.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Span {
  /** The line of the file where it stands first. */
  readonly line: number;
  readonly traceId: string;
  readonly id: string;
  readonly parentId: string;
  /** In nanoseconds. */
  readonly start: bigint;
  readonly end: bigint;
  readonly hasFailed: boolean;
  readonly message: string;
  readonly attributes: ReadonlyMap<string, unknown>;
}

const of = (value: unknown): Fields => (isRecord(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const nanoseconds = (value: unknown): bigint =>
  /^\d{1,20}$/.test(String(value)) ? BigInt(String(value)) : 0n;
const FAILED: readonly unknown[] = [2, 'STATUS_CODE_ERROR'];

/** Logs and metrics, which collectors may write beside spans, hold none. */
const OTHERS = ['resourceLogs', 'resourceMetrics'];

/** Of a line of OTLP JSON, as collectors write it into a file. Undefined where it is none: spans might be lost. */
export function spansIn(document: unknown, line: number): Span[] | undefined {
  const { resourceSpans, ...others } = of(document);
  if (resourceSpans === undefined) return OTHERS.some((name) => Array.isArray(others[name])) ? [] : undefined;
  const scopes = lists(resourceSpans, 'scopeSpans');
  const spans = scopes && lists(scopes, 'spans');
  return spans?.map((value) => {
    const span = of(value);
    const status = of(span.status);
    return {
      ...{
        line,
        traceId: textOf(span.traceId),
        id: textOf(span.spanId),
        parentId: textOf(span.parentSpanId),
      },
      ...{ start: nanoseconds(span.startTimeUnixNano), end: nanoseconds(span.endTimeUnixNano) },
      ...{ hasFailed: FAILED.includes(status.code), message: textOf(status.message) },
      attributes: membersOf(span.attributes),
    };
  });
}

/** The lists in the field of each, after each other; empty ones may be left out. Undefined where another field has one. */
function lists(items: unknown, field: string): readonly unknown[] | undefined {
  if (!Array.isArray(items)) return undefined;
  const found = items.map(of).map((item) => item[field] ?? (hasList(item) ? undefined : []));
  return found.every(Array.isArray) ? found.flat() : undefined;
}

const hasList = (item: Fields): boolean => Object.values(item).some(Array.isArray);

const membersOf = (list: unknown): ReadonlyMap<string, unknown> =>
  new Map(listOf(list).map((pair) => [textOf(of(pair).key), valueIn(of(pair).value)]));

/** A value of OTLP as JSON has it. */
function valueIn(given: unknown): unknown {
  const value = of(given);
  if (Object.hasOwn(value, 'intValue')) return Number(value.intValue);
  if (isRecord(value.arrayValue)) return listOf(value.arrayValue.values).map(valueIn);
  if (isRecord(value.kvlistValue)) return Object.fromEntries(membersOf(value.kvlistValue.values));
  return value.stringValue ?? value.boolValue ?? value.doubleValue ?? value.bytesValue;
}
