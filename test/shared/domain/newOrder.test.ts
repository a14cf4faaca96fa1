import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { newOrder } from '../../../shared/domain/suites/caseOrder.ts';

const caseOf = (id: string, is_active = true) => ({ id, is_active }) as EvalCase;

const anyCases = fc.uniqueArray(fc.tuple(fc.uuid(), fc.boolean()), {
  selector: ([id]) => id,
  maxLength: 20,
});

test('every case stays, the named ones first and as named, the others after them as they were', () => {
  const scenario = anyCases.chain((pairs) => {
    const cases = pairs.map(([id, active]) => caseOf(id, active));
    const active = cases.filter((evalCase) => evalCase.is_active).map(({ id }) => id);
    const inactive = cases.filter((evalCase) => !evalCase.is_active).map(({ id }) => id);
    return fc
      .subarray(inactive)
      .chain((some) => fc.shuffledSubarray([...active, ...some], { minLength: active.length + some.length }))
      .map((wanted) => ({ cases, wanted }));
  });
  fc.assert(
    fc.property(scenario, ({ cases, wanted }) => {
      const order = newOrder(cases, wanted);
      expect(order.slice(0, wanted.length)).toEqual(wanted);
      const rest = cases.map(({ id }) => id).filter((id) => !wanted.includes(id));
      expect(order.slice(wanted.length)).toEqual(rest);
    }),
  );
});

test('an active case that is left out is refused', () => {
  expect(() => newOrder([caseOf('a'), caseOf('b'), caseOf('c')], ['b'])).toThrow(
    expect.objectContaining({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'case_ids', message: expect.stringContaining('2 are left out') }] },
    }),
  );
});

test('a case that is named twice is refused', () => {
  expect(() => newOrder([caseOf('a'), caseOf('b')], ['a', 'b', 'a'])).toThrow(
    expect.objectContaining({ code: 'VALIDATION_ERROR' }),
  );
});

test('a case that the suite does not have is not found', () => {
  expect(() => newOrder([caseOf('a')], ['a', 'x'])).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
});

test('an empty suite is put into an empty order', () => {
  expect(newOrder([], [])).toEqual([]);
  expect(newOrder([caseOf('a', false)], [])).toEqual(['a']);
});
