import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { csv } from '../../../clients/dashboard/pages/run/exports.ts';
import { compareJson, compareTexts } from '../../../clients/dashboard/parts/diff/compare.ts';
import { callsOf } from '../../../clients/dashboard/parts/result/trace.ts';
import { factsOf } from '../../../clients/dashboard/parts/runs/links.ts';
import type { Run, RunResult } from '../../../clients/sdk/index.ts';
import type { Call } from '../../../shared/scoring/kit/trace.ts';
import { traceExcerpt } from '../../../shared/scoring/trace/excerpt.ts';

const text = fc.string({ unit: fc.constantFrom(...'ab ()"→∥…\\{}:1,\u202e', ' → ', '({})', ' failed') });

test('calls are read from a trace as they were made, or not at all', () => {
  const call = fc.record({ tool: fc.oneof(text, fc.constant('lookup')), args: fc.dictionary(text, text) });
  void fc.assert(
    fc.property(fc.array(call, { maxLength: 4 }), (made) => {
      const trace = made.map(
        ({ tool, args }, index) =>
          ({
            at: index + 1,
            tool,
            arguments: args,
            failed: index % 2 === 1,
            malformed: false,
          }) as unknown as Call,
      );
      const excerpt = traceExcerpt(trace);
      const calls = callsOf(excerpt);
      // The page shows the line itself where another count was judged.
      if (excerpt.length > 2_000 || calls?.length !== made.length) return;
      expect(calls.map(({ hasFailed }) => hasFailed)).toEqual(trace.map(({ failed }) => failed));
    }),
  );
  const long = { order: `${'x'.repeat(300)}` };
  const trace = [
    { at: 1, tool: 'a', arguments: long },
    { at: 2, tool: 'b b', arguments: {} },
  ] as unknown as Call[];
  expect(callsOf(traceExcerpt(trace))).toMatchObject([{ tool: 'a' }, { tool: '"b b"', args: '{}' }]);
});

test('no cell of a table begins a formula', () => {
  const [head = ''] = csv([]).split('\r\n');
  const keyed = (reason: string) =>
    csv([{ key: 'k', reason, tags: [], metadata: null } as unknown as RunResult]);
  expect(head.slice(1).split(',')[5]).toBe('reason');
  void fc.assert(
    fc.property(fc.constantFrom(...'=+-@＝＋－＠\t\r\n'), fc.string(), (begin, rest) => {
      expect(keyed(begin + rest)).toMatch(/,"?'[=+\-@＝＋－＠\t\r\n]/);
    }),
  );
  expect(keyed('a "b", c')).toContain(',"a ""b"", c",');
  // Where a semicolon or a tab parts cells, quotes within a line part none.
  const part = fc.constantFrom(...'=+-@;\t\r\n"|a ', ";=cmd|' /C calc'!A0");
  void fc.assert(
    fc.property(fc.array(part), (parts) => {
      expect(keyed(parts.join('')).split(/[;\t\r\n]/)).not.toContainEqual(
        expect.stringMatching(/^"?[=+\-@]/),
      );
    }),
  );
});

test('no address leads elsewhere than to GitHub, whatever a request states of itself', () => {
  const part = fc.oneof(
    fc.string(),
    fc.webUrl(),
    fc.constantFrom('a/b', '../x', 'abcdef1', '17', 'javascript:1'),
  );
  const meta = fc.record({
    repository: part,
    sha: part,
    pull_request: part,
    run_id: part,
    ref: part,
    workflow: part,
  });
  void fc.assert(
    fc.property(meta, (trigger_meta) => {
      const facts = factsOf({ created_by: { type: 'api_key', key_id: 'k' }, trigger_meta } as unknown as Run);
      for (const { href, isUnverified } of facts) {
        expect(isUnverified).toBe(true);
        if (href === undefined) continue;
        const { origin, pathname, search, hash } = new URL(href);
        expect([origin, search, hash]).toEqual(['https://github.com', '', '']);
        expect(pathname).toMatch(/^\/[\w.-]+\/[\w.-]+(\/(commit|pull|actions\/runs)\/[0-9a-f]+)?$/);
      }
    }),
  );
});

test('two texts are shown whole, with what differs marked; what cannot be seen is pictured', () => {
  const whole = (pieces: readonly { text: string }[] = []) => pieces.map((piece) => piece.text).join('');
  void fc.assert(
    fc.property(text, text, (expected, output) => {
      const compared = compareTexts(expected, output);
      if (compared?.isUnseen) return;
      expect([whole(compared?.expected), whole(compared?.output)]).toEqual([expected, output]);
    }),
  );
  expect(whole(compareTexts('pay', 'p\u0430y')?.output)).toBe('⟨U+0070⟩⟨U+0430⟩y'.replace('⟨U+0070⟩', 'p'));
  expect(whole(compareTexts('a\nb', 'a\r\nb')?.output)).toContain('␍');
  expect(compareTexts('x'.repeat(20_001), '')).toBeUndefined();
});

test('JSON is compared by its fields, whatever their order', () => {
  expect(compareJson('{"a":1,"b":[1,{"c":2}]}', '{"b":[1,{"c":3}],"d":{},"a":1}')).toEqual({
    fields: [
      { path: 'b[1].c', expected: '2', output: '3' },
      { path: 'd', expected: undefined, output: '{}' },
    ],
    equal: 2,
  });
  expect(compareJson('"a"', '{}')).toBeUndefined();
  expect(compareJson('{"a.b":1,"a":{"b":2},"c":[1]}', '{"a.b":3,"a":{"b":2},"c[0]":1}')).toEqual({
    fields: [
      { path: '["a.b"]', expected: '1', output: '3' },
      { path: '["c[0]"]', expected: undefined, output: '1' },
      { path: 'c[0]', expected: '1', output: undefined },
    ],
    equal: 1,
  });
});

test.each([
  ['a number that a browser would round', '{"id":9007199254740993,"x":1}', '{"id":9007199254740992,"x":2}'],
  ['a number that no browser holds', '{"id":1e400,"x":1}', '{"id":null,"x":2}'],
  ['a name that stands twice', '{"a":1,"a":2,"x":1}', '{"a":2,"x":2}'],
])('JSON with %s is compared as text: no field is called equal that is not', (_, expected, output) => {
  expect(compareJson(expected, output)).toBeUndefined();
  expect(compareJson(output, expected)).toBeUndefined();
});

test('texts that have hardly anything in common are not marked, however long that would take', () => {
  const [one, other] = ['!?.,;:'.repeat(1_600), '()[]{}'.repeat(1_600)];
  expect(compareTexts(one, other)).toBeUndefined();
  expect(compareTexts(one, one.replace('?', ''))?.expected).toHaveLength(3);
});
