import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { configEffect } from '../../../../shared/scoring/effects.ts';
import { sized } from '../../../support/soak.ts';
import { drawnCalls, drawnConfig } from './draws.ts';
import { outcomeOf, traceOf } from './scoring.ts';

const effect = (before: object, after: object, dual_sided = false) =>
  configEffect(
    { type: 'trajectory', config: before, dual_sided },
    { type: 'trajectory', config: after, dual_sided },
  );

const CALLS = { calls: [{ tool: 'a' }, { tool: 'b', min: 0, max: 2 }] };
const opposite = {
  stricter: 'weaker',
  weaker: 'stricter',
  same: 'same',
  'may be weaker': 'may be weaker',
} as const;

describe('a change of a config', () => {
  test.each<[keyof typeof opposite, object, object]>([
    ['stricter', {}, { forbidden: ['x'] }],
    ['stricter', {}, { max_calls: 3 }],
    ['stricter', { max_calls: 4 }, { max_calls: 3 }],
    ['stricter', {}, { min_calls: 1 }],
    ['stricter', { partial: true }, {}],
    ['stricter', {}, { order: 'in_order' }],
    ['stricter', { allow_extra: true }, { allow_extra: ['x'] }],
    ['stricter', { allow_extra: ['x', 'y'] }, { allow_extra: ['y'] }],
    ['stricter', { allow_extra: ['x'] }, {}],
    ['stricter', {}, { calls: [{ tool: 'a' }, { tool: 'b', min: 1, max: 2 }] }],
    ['stricter', {}, { calls: [{ tool: 'a' }, { tool: 'b', min: 0, max: 1 }] }],
    ['same', {}, { calls: CALLS.calls.toReversed() }],
    ['same', { forbidden: ['x', 'y'] }, { forbidden: ['y', 'x'] }],
    ['same', { allow_extra: ['x', 'y'] }, { allow_extra: ['y', 'x'] }],
    [
      'same',
      { order: 'in_order', calls: [CALLS.calls] },
      { order: 'in_order', calls: [CALLS.calls.toReversed()] },
    ],
    ['may be weaker', { order: 'in_order' }, { order: 'in_order', calls: CALLS.calls.toReversed() }],
    ['may be weaker', {}, { calls: [{ tool: 'a', min: 2 }, CALLS.calls[1]] }],
    ['may be weaker', {}, { count_failed: true }],
    ['may be weaker', {}, { agents: 'top' }],
    ['may be weaker', {}, { calls: [{ tool: 'a' }] }],
    ['may be weaker', { partial: true, allow_extra: true }, { partial: true }],
  ])('is %s: %j to %j', (expected, before, after) => {
    const [was, is] = [
      { ...CALLS, ...before },
      { ...CALLS, ...after },
    ];
    expect(effect(was, is)).toBe(expected);
    expect(effect(is, was)).toBe(opposite[expected]);
  });
});

test('a first rule of forbidden calls may be weaker where the case may lack expected calls: it is judged without', () => {
  const [before, after] = [{ allow_extra: true }, { allow_extra: true, forbidden: ['x'] }];
  expect(effect(before, after)).toBe('may be weaker');
  expect(effect({ ...before, calls: [] }, { ...after, calls: [] })).toBe('stricter');
  expect(effect(before, after, true)).toBe('stricter');
});

/** A config and one that differs in one or two fields. */
const drawnPair = fc
  .tuple(drawnConfig, drawnConfig, fc.boolean(), fc.nat({ max: 4 }))
  .chain(([one, other, partial, bound]) => {
    const base = { ...one, partial, forbidden: ['z'], max_calls: bound + 2 };
    const times = one.calls.flat().map((wanted) => ({ ...wanted, min: 0, max: 2 }));
    const changes: object[] = [
      { allow_extra: other.allow_extra },
      { calls: [...one.calls].reverse() },
      { calls: times.map((wanted) => ({ ...wanted, min: 1 })) },
      { calls: times.map((wanted) => ({ ...wanted, max: 1 })) },
      { order: 'in_order' },
      { partial: !partial },
      { max_calls: bound },
      { min_calls: bound },
      { forbidden: ['z', 'c'] },
      { count_failed: !one.count_failed },
      { forbidden: [] },
      { calls: undefined },
    ];
    return fc.record({
      before: fc.constantFrom<object>(
        base,
        { ...base, calls: times },
        { ...base, calls: undefined },
        { ...base, calls: undefined, forbidden: [] },
      ),
      changed: fc.subarray(changes, { minLength: 1, maxLength: 2 }),
      turned: fc.boolean(),
    });
  });

test('no trace passes that failed before where the plan states that a config is the same or stricter', () => {
  const drawn = fc.record({
    pair: drawnPair,
    calls: drawnCalls,
    expected: fc.constantFrom(undefined, [{ tool: 'a' }]),
    dualSided: fc.boolean(),
    bars: fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 0.3, 0.5, 0.67, 1))),
  });
  const counts = { proven: 0 };
  fc.assert(
    fc.property(
      drawn,
      ({ pair, calls, expected, dualSided, bars: [score = 0, precision = 0, recall = 0] }) => {
        const changed: object = Object.assign({}, pair.before, ...pair.changed);
        const [before, after] = pair.turned ? [changed, pair.before] : [pair.before, changed];
        if (!['same', 'stricter'].includes(effect(before, after, dualSided))) return;
        counts.proven += 1;
        const trace = traceOf(calls);
        const passes = (config: object): boolean => {
          const outcome = outcomeOf(config, trace, { dualSided, expected });
          const sides = outcome.precisionRecall ?? { precision: 1, recall: 1 };
          const isReached = outcome.score >= score && sides.precision >= precision && sides.recall >= recall;
          return !outcome.errored && outcome.neverPasses === undefined && isReached;
        };
        expect(passes(after) && !passes(before)).toBe(false);
      },
    ),
    { numRuns: sized(1_000, 100_000) },
  );
  expect(counts.proven).toBeGreaterThan(100);
});
