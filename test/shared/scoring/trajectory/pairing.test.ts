import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sized } from '../../../support/soak.ts';
import { drawnCalls, drawnConfig, type SentCall } from './draws.ts';
import { figuresByTrying } from './model.ts';
import { outcomeOf, traceOf } from './scoring.ts';

const figures = ({ output: { required, due, filled, covered } }: ReturnType<typeof outcomeOf>) => ({
  required,
  due,
  filled,
  covered,
});

test('the figures of a pairing are those of the best of all pairings', () => {
  fc.assert(
    fc.property(drawnConfig, drawnCalls, (config, calls) => {
      const trace = traceOf(calls);
      const outcome = outcomeOf(config, trace);
      const { required, due, filled, covered } = figuresByTrying(trace, config);
      expect(figures(outcome)).toEqual({ required, due, filled, covered });
      expect(outcome.score).toBe(filled === required && covered === due ? 1 : 0);
    }),
    { numRuns: sized(500, 100_000) },
  );
});

/** What must not depend on an order that says nothing. */
function judged(config: object, trace: ReturnType<typeof traceOf>) {
  const { score, reason, output, neverPasses } = outcomeOf({ ...config, partial: true }, trace);
  const { missing, surplus, out_of_order } = output as Record<string, { tool: string }[] & { tool: string }>;
  return {
    score,
    neverPasses,
    figures: [output.filled, output.covered, output.due],
    names: reason.replaceAll(/ \(call \d+\)/g, ''),
    missing: missing?.map(({ tool }) => tool),
    surplus: surplus?.map(({ tool }) => tool),
    misplaced: out_of_order?.tool,
  };
}

const shuffled = <T>(items: readonly T[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

const stepsOf = (calls: readonly SentCall[]): SentCall[][] =>
  Object.values(Object.groupBy(calls, ({ step }) => step)).map((step) => step ?? []);

describe('the order of what has none changes neither score nor names', () => {
  test('of the expected calls in any order, and in a group', () => {
    const drawn = fc.tuple(drawnConfig, drawnCalls).chain(([config, calls]) =>
      fc.record({
        config: fc.constant(config),
        calls: fc.constant(calls),
        other:
          config.order === 'any_order'
            ? shuffled(config.calls)
            : fc.tuple(
                ...config.calls.map((wish) => (Array.isArray(wish) ? shuffled(wish) : fc.constant(wish))),
              ),
      }),
    );
    fc.assert(
      fc.property(drawn, ({ config, calls, other }) => {
        const trace = traceOf(calls);
        expect(judged({ ...config, calls: other }, trace)).toEqual(judged(config, trace));
      }),
      { numRuns: sized(300, 50_000) },
    );
  });

  test('of the calls that were made at once', () => {
    const drawn = fc.tuple(drawnConfig, drawnCalls).chain(([config, calls]) =>
      fc.record({
        config: fc.constant(config),
        calls: fc.constant(calls),
        other: fc.tuple(...stepsOf(calls).map(shuffled)).map((steps) => steps.flat()),
      }),
    );
    fc.assert(
      fc.property(drawn, ({ config, calls, other }) => {
        expect(judged(config, traceOf(other))).toEqual(judged(config, traceOf(calls)));
      }),
      { numRuns: sized(300, 50_000) },
    );
  });
});
