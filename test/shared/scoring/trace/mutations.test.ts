import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readTrace } from '../../../../shared/scoring/trace/read.ts';
import { sized } from '../../../support/soak.ts';
import { ANTHROPIC, CHAT, OWN, RESPONSES } from './fixtures.ts';
import { type Json, placesOf } from './places.ts';

/** Fields below which stand values of tools, not calls. */
const VALUES = ['arguments', 'input', 'output', 'action', 'operation', 'tools', 'code', 'caller'];

/** How many objects of a list look like a call, wherever they stand: a reader may take each, or refuse the list. */
function callsIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + callsIn(item), 0);
  const { type, name } = value;
  const isNamed = typeof name === 'string' && ('arguments' in value || 'input' in value);
  const isHosted =
    typeof type === 'string' &&
    /^(?!tool).*(?<!function|tool|mcp)_call$|^tool_search_call$|^program$|^call$/.test(type) &&
    !('caller_id' in value);
  const below = Object.entries(value).filter(([field]) => !VALUES.includes(field));
  return Number(isNamed || isHosted) + below.reduce((sum, [, inner]) => sum + callsIn(inner), 0);
}

/** Whether a request for an approval has its call, which is counted in its place. */
function isApproved(list: Json): boolean {
  const items = (Array.isArray(list) ? list : []) as { [name: string]: Json }[];
  const asked = items.filter((item) => item?.type === 'mcp_approval_request').map(({ id }) => id);
  return items.some((item) => item?.type === 'mcp_call' && asked.includes(item.approval_request_id ?? ''));
}

const CHANGES = [
  'drop',
  'rename',
  'null',
  'text',
  'number',
  'list',
  'object',
  'wrap',
  'twice',
  'shout',
] as const;

function changed(list: Json, way: readonly (string | number)[], change: (typeof CHANGES)[number]): Json {
  const copy: Json = structuredClone(list);
  let parent = copy as Record<string | number, Json>;
  for (const step of way.slice(0, -1)) parent = parent[step] as typeof parent;
  const last = way.at(-1) ?? '';
  const value = parent[last] ?? null;
  const isList = Array.isArray(parent);
  if (change === 'drop' || change === 'rename') {
    if (isList) (parent as unknown as Json[]).splice(Number(last), 1);
    else delete parent[last];
    if (change === 'rename' && !isList) parent[`${last}s`] = value;
  } else if (change === 'twice' && isList) (parent as unknown as Json[]).splice(Number(last), 0, value);
  else {
    const other = {
      null: null,
      text: 'x',
      number: 1,
      list: [],
      object: {},
      wrap: [value],
      twice: [value, value],
    };
    parent[last] =
      change === 'shout' ? (typeof value === 'string' ? value.toUpperCase() : value) : other[change];
  }
  return copy;
}

const LISTS = [
  { field: 'trace', list: OWN },
  { field: 'messages', list: CHAT },
  { field: 'messages', list: RESPONSES },
  { field: 'messages', list: ANTHROPIC },
  { field: 'messages', list: ANTHROPIC[1]?.content ?? [] },
] as const;

test('of a list that was changed anywhere no call is lost: it is read, or refused at a place', () => {
  const drawn = fc.constantFrom(...LISTS).chain(({ field, list }) => {
    const json = JSON.parse(JSON.stringify(list)) as Json;
    return fc.record({
      field: fc.constant(field),
      list: fc
        .tuple(fc.constantFrom(...placesOf(json)), fc.constantFrom(...CHANGES))
        .map(([way, change]) => changed(json, way, change)),
    });
  });
  fc.assert(
    fc.property(drawn, ({ field, list }) => {
      const read = readTrace(field, list);
      if (!read.ok) {
        expect(read.message).not.toBe('');
        return;
      }
      const replaced = Number(isApproved(list));
      expect(read.trace.length + replaced).toBeGreaterThanOrEqual(callsIn(list));
    }),
    { numRuns: sized(2_000, 50_000) },
  );
});
