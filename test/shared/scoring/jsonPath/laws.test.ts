import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { caseOf, scoreOne as score } from '../cases.ts';

const NAMES = ['a', 'b', 'toString', '__proto__'];
const leaf = fc.oneof(fc.constantFrom(0, 1, -1, 1.5, null, true, 'a', 'ab', '😀', ''), fc.integer());
const { document } = fc.letrec<{ document: unknown; object: unknown; array: unknown }>((tie) => ({
  document: fc.oneof({ maxDepth: 4 }, leaf, tie('object'), tie('array')),
  object: fc.dictionary(fc.constantFrom(...NAMES), tie('document'), { maxKeys: 3 }),
  array: fc.array(tie('document'), { maxLength: 3 }),
}));

const selector = fc.constantFrom(
  '*',
  '0',
  '-1',
  ':2',
  '::-1',
  "'a'",
  "'b'",
  "'__proto__'",
  "'toString'",

  '?@.a',
  '?@ == 1',
  '?@.a == @.b',
  '?!@.b || @.a > 0',
  "?search(@, 'a')",
  '?length(@) >= 1',
  '?count(@.*) < 2',
);
const segment = fc.tuple(fc.constantFrom('', '..'), selector).map(([dots, inner]) => `${dots}[${inner}]`);
const path = fc.array(segment, { maxLength: 3 }).map((segments) => `$${segments.join('')}`);

type Assertion = Readonly<Record<string, unknown>>;

function holds(assertion: Assertion, output: unknown): boolean {
  const result = score(caseOf('json_path', { assertions: [assertion] }), JSON.stringify(output));
  expect(result.errored).toBe(false);
  return result.score === 1;
}

describe('of any path, on any document', () => {
  const law = (check: (path: string, output: unknown, value: unknown) => void) =>
    fc.assert(fc.property(path, document, leaf, check));

  test('a node is there or is not', () =>
    law((at, output) => {
      expect(holds({ path: at, op: 'exists' }, output)).toBe(!holds({ path: at, op: 'absent' }, output));
    }));

  test('no assertion holds beside `absent`', () =>
    law((at, output, value) => {
      if (!holds({ path: at, op: 'absent' }, output)) return;
      for (const op of ['equals', 'not_equals', 'contains'])
        expect(holds({ path: at, op, value }, output)).toBe(false);
      for (const op of ['gte', 'lte', 'length_gte', 'length_lte'])
        expect(holds({ path: at, op, value: 0 }, output)).toBe(false);
      expect(holds({ path: at, op: 'matches', value: '' }, output)).toBe(false);
    }));

  test('what equals a value does not differ from it, and not the reverse', () =>
    law((at, output, value) => {
      const [equal, other] = ['equals', 'not_equals'].map((op) => holds({ path: at, op, value }, output));
      expect(equal && other).toBe(false);
    }));

  test('a value that is at least and at most a number equals it', () =>
    law((at, output) => {
      const [least, most, equal] = ['gte', 'lte', 'equals'].map((op) =>
        holds({ path: at, op, value: 1 }, output),
      );
      expect(least && most).toBe(equal);
    }));

  test('a part of the score is the share of assertions that hold', () =>
    law((at, output, value) => {
      const assertions = [
        { path: at, op: 'exists' },
        { path: at, op: 'equals', value },
        { path: '$', op: 'exists' },
      ];
      const held = assertions.filter((assertion) => holds(assertion, output)).length;
      const partly = score(caseOf('json_path', { assertions, partial: true }), JSON.stringify(output));
      expect(partly.score).toBeCloseTo(held / 3, 12);
      const wholly = score(caseOf('json_path', { assertions }), JSON.stringify(output));
      expect(wholly.score).toBe(held === 3 ? 1 : 0);
    }));
});
