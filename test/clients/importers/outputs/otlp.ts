import { Problems, problemLine } from '../../../../clients/files/read/problems.ts';
import { readItemTrace } from '../../../../clients/files/read/traces.ts';
import { Evidence } from '../../../../clients/importers/outputs/evidence.ts';
import { textsOfSpans } from '../../../../clients/importers/outputs/foreign.ts';
import { readOutputs } from '../../../../clients/importers/outputs/readOutputs.ts';
import { traceExcerpt } from '../../../../shared/scoring/trace/excerpt.ts';

export type Attributes = Readonly<Record<string, unknown>>;

function valueIn(value: unknown): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  if (typeof value === 'boolean') return { boolValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(valueIn) } };
  return { kvlistValue: { values: attributesOf(value as Attributes) } };
}

export const attributesOf = (given: Attributes): object[] =>
  Object.entries(given).map(([key, value]) => ({ key, value: valueIn(value) }));

/** A span from one millisecond to another; `name` is its id, `parent/name` below another one. */
export function span(
  name: string,
  [from, to]: readonly [number, number],
  given: Attributes,
  more: object = {},
) {
  const [id, parentSpanId = ''] = name.split('/').reverse();
  return {
    traceId: 't1',
    spanId: id,
    parentSpanId,
    name,
    startTimeUnixNano: `${from}000000`,
    endTimeUnixNano: `${to}000000`,
    attributes: attributesOf(given),
    ...more,
  };
}

export const ROOT = span('root', [0, 100], {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.usage.input_tokens': 20,
  'evalgate.case': 'refund-a1',
});

export const lineOf = (spans: readonly object[]): string =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

export function readText(text: string) {
  const problems = new Problems();
  const source = { bytes: Buffer.from(text) };
  const { items } = readOutputs('spans.jsonl', source, problems, { textsOf: textsOfSpans(new Evidence()) });
  return { items, said: problems.sorted().map(problemLine) };
}

export const readLines = (...lines: readonly (readonly object[])[]) => readText(lines.map(lineOf).join('\n'));

/** What the calls of a trace below the root are; undefined without a trace, and what was said where it is refused. */
export function callsIn(...spans: readonly object[]) {
  const { items, said } = readLines([ROOT, ...spans]);
  const [item] = items;
  if (item === undefined) return said.join('\n');
  const read = readItemTrace(item);
  return read?.ok ? traceExcerpt(read.trace) : undefined;
}
