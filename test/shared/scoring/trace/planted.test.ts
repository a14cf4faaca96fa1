import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTrace } from '../../../../shared/scoring/trace/read.ts';
import { sized } from '../../../support/soak.ts';
import { ANTHROPIC, CHAT, RESPONSES } from './fixtures.ts';
import { asAnthropic, asChat, asResponses } from './forms.ts';
import { inPlace, type Json, objectsOf } from './places.ts';

/** Calls as the formats write them, and as others do. */
const CALLS: Json[] = [
  { type: 'function_call', name: 'pay', arguments: '{}', call_id: 'planted' },
  { type: 'tool_use', id: 'planted', name: 'pay', input: {} },
  { id: 'planted', type: 'function', function: { name: 'pay', arguments: '{}' } },
  { type: 'web_search_call', id: 'planted', status: 'completed' },
  { type: 'tool-call', toolCallId: 'planted', toolName: 'pay', input: {} },
  { functionCall: { name: 'pay', args: {} } },
  { recipient_name: 'functions.pay', parameters: {} },
  { type: 'reasoning.tool', tool_call: { name: 'pay' } },
  { tool_calls: [{ function: { name: 'pay' } }] },
];
const FIELDS = [
  'tool_calls',
  'function_call',
  'Tool_Calls',
  'content',
  'annotations',
  'output',
  'metadata',
  'x',
];
/** A list with more in the object or list to which a way leads; undefined where the field is there already. */
function planted(
  list: Json,
  way: readonly (string | number)[],
  field: string,
  value: Json,
): Json | undefined {
  const copy = structuredClone(list);
  const place = inPlace(copy, way);
  if (Array.isArray(place)) place.push(value);
  else if (Object.hasOwn(place, field)) return undefined;
  else Object.assign(place, { [field]: value });
  return copy;
}

const LISTS_AS_JSON = [CHAT, RESPONSES, ANTHROPIC, ANTHROPIC[1]?.content].map(
  (list) => JSON.parse(JSON.stringify(list)) as Json,
);
const countOf = (list: Json, isCounted = (_call: { readonly failed?: true }) => true): number => {
  const read = readTrace('messages', list);
  return read.ok ? read.trace.filter(isCounted).length : Number.POSITIVE_INFINITY;
};

test('a call that is put anywhere into a list of messages is read, or the list is refused', () => {
  const drawn = fc.constantFrom(...LISTS_AS_JSON).chain((list) =>
    fc.record({
      list: fc.constant(list),
      way: fc.constantFrom(...objectsOf(list)),
      field: fc.constantFrom(...FIELDS),
      call: fc.constantFrom(...CALLS).chain((call) => fc.constantFrom<Json>(call, [call], { a: [call] })),
    }),
  );
  fc.assert(
    fc.property(drawn, ({ list, way, field, call }) => {
      const changed = planted(list, way, field, call);
      if (changed !== undefined) expect(countOf(changed)).toBeGreaterThan(countOf(list));
    }),
    { numRuns: sized(2_000, 50_000) },
  );
});

const FAILURES: readonly (readonly [string, Json])[] = [
  ['is_error', true],
  ['isError', true],
  ['is_error', 'yes'],
  ['status', 'error'],
  ['status', 'failed'],
  ['Status', 'failed'],
  ['error', 'timeout'],
  ['error', { code: 1 }],
  ['success', false],
  ['state', 'output-error'],
  ['exit_code', 1],
];
const FORM = { steps: [[{ tool: 'a', members: {} }], [{ tool: 'b', members: {} }]], said: 'Done.' };
/** Lists without a failure. */
const FINE = [
  asChat(FORM),
  asResponses(FORM),
  asAnthropic(FORM),
  [...CHAT.slice(2, 5), ...CHAT.slice(5, 7)],
  RESPONSES.filter((item) => /mcp_call|web_search|custom_tool|code_interp|image_gen/.test(item.type ?? '')),
].map((list) => JSON.parse(JSON.stringify(list)) as Json);
/** Of the fields of a call, of a result, or of the part of it that has the name. */
const REPORTS = /^(?:tool_call_id|tool_use_id|call_id|arguments|input|function|custom)$/;

test('a failure that is put into any call or result is read, or the list is refused', () => {
  const places = FINE.flatMap((list) =>
    objectsOf(list)
      .map((way) => ({ list, way, fields: Object.keys(inPlace(list, way)) }))
      .filter(({ fields }) => fields.some((field) => REPORTS.test(field))),
  );
  expect(places.length).toBeGreaterThan(20);
  for (const { list, way } of places) {
    expect(countOf(list, ({ failed }) => failed === true)).toBe(0);
    for (const [field, value] of FAILURES) {
      const copy = structuredClone(list);
      Object.assign(inPlace(copy, way), { [field]: value });
      expect([way, field, countOf(copy, ({ failed }) => failed === true) > 0]).toEqual([way, field, true]);
    }
  }
});
