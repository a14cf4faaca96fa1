import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Conditions, claimAt, fits } from '../../../../shared/domain/issuers/claimConditions.ts';

const NAMES = ['a', 'b', 'a/b', '~', '', '__proto__', 'constructor', '0'];
const name = fc.constantFrom(...NAMES);
const leaf = fc.oneof(
  fc.constantFrom<unknown>('x', 'X', 'true', '7', '', 'null', true, false, 7, -0, 7.5, 2 ** 60, null),
  fc.string({ maxLength: 2 }),
);
/** As JSON makes them: `__proto__` is an own field like any other. */
const objectOf = (fields: readonly (readonly [string, unknown])[]): object =>
  JSON.parse(`{${fields.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join()}}`);
const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  object: fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map(objectOf),
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
}));
const claims = fc
  .array(fc.tuple(name, value), { maxLength: 5 })
  .map((fields) => objectOf(fields) as Record<string, unknown>);

/** All claims of a token by the names and pointers that lead to them, read without looking for one. */
function* paths(object: object, prefix = ''): Generator<[string, unknown]> {
  for (const [key, found] of Object.entries(object)) {
    const pointer = `${prefix}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (prefix === '' && !key.startsWith('/')) yield [key, found];
    yield [pointer, found];
    if (typeof found === 'object' && found !== null && !Array.isArray(found)) yield* paths(found, pointer);
  }
}

test('a name leads to the claim of a token that a walk through all of them finds, and otherwise to none', () => {
  const steps = fc.array(name, { minLength: 1, maxLength: 3 });
  const pointer = steps.map((all) =>
    all.map((step) => `/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
  );
  fc.assert(
    fc.property(claims, fc.oneof(name, pointer), (token, wanted) => {
      const all = new Map(paths(token));
      expect(claimAt(token, wanted)).toEqual(all.get(wanted));
    }),
    { numRuns: 2_000 },
  );
});

/** The texts of a claim, as RFC 8259 writes them. */
function textsOf(found: unknown): unknown[] {
  const members = Array.isArray(found) ? found : [found];
  return members.flatMap((member) => {
    if (typeof member === 'string') return [member];
    const isInteger = typeof member === 'number' && Math.abs(member) < 2 ** 53 && member % 1 === 0;
    return member === true || member === false || isInteger ? [JSON.stringify(member)] : [];
  });
}

test('conditions fit a token exactly if each of them names a claim that holds one of its values', () => {
  const wanted = fc.constantFrom('x', 'X', 'true', 'false', '7', '0', '', 'null', '7.5');
  const conditions = fc
    .dictionary(
      fc.constantFrom('a', 'b', '/a/b', '/a', '/__proto__', 'constructor'),
      fc.oneof(wanted, fc.array(wanted, { minLength: 1, maxLength: 3 })),
      { maxKeys: 2 },
    )
    .map((all): Conditions => all);
  fc.assert(
    fc.property(claims, conditions, (token, all) => {
      const found = new Map(paths(token));
      const expected = Object.entries(all).every(([key, values]) =>
        textsOf(found.get(key)).some((text) => [values].flat().some((one) => one === text)),
      );
      expect(fits(all, token)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});

test.each<readonly [Conditions, unknown, boolean]>([
  [{ a: 'x' }, { a: 'x' }, true],
  [{ a: 'x' }, { a: 'X' }, false],
  [{ a: 'x' }, { a: 'x ' }, false],
  [{ a: 'true' }, { a: true }, true],
  [{ a: '7' }, { a: 7 }, true],
  [{ a: '7' }, { a: 7.0001 }, false],
  [{ a: '1152921504606846976' }, { a: 2 ** 60 }, false],
  [{ a: 'null' }, { a: null }, false],
  [{ a: 'x' }, {}, false],
  [{ a: ['y', 'x'] }, { a: ['z', 'x'] }, true],
  [{ a: 'x' }, { a: [['x']] }, false],
  [{ a: '[object Object]' }, { a: {} }, false],
  [{ a: 'x', b: 'y' }, { a: 'x' }, false],
  [{ '/a/b': 'x' }, { a: { b: ['x'] } }, true],
  [{ '/a/0': 'x' }, { a: ['x'] }, false],
  [{ '/a/length': '1' }, { a: ['x'] }, false],
  [{ '/a~1b/~0': 'x' }, { 'a/b': { '~': 'x' } }, true],
  [{ constructor: 'x' }, {}, false],
  [{ '/constructor/name': 'Object' }, {}, false],
])('the conditions %j fit the claims %j: %s', (conditions, token, expected) => {
  expect(fits(conditions, token as Record<string, unknown>)).toBe(expected);
});
