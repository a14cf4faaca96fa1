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

/** Of a line of OTLP JSON, as collectors write it into a file. */
export function spansIn(document: unknown, line: number): Span[] {
  const scopes = listOf(of(document).resourceSpans).flatMap((one) => listOf(of(one).scopeSpans));
  return scopes
    .flatMap((scope) => listOf(of(scope).spans))
    .map((value) => {
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
