import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { scoreSuite } from '../../../../shared/scoring/engine/score.ts';
import type { CaseResult, SentOutput } from '../../../../shared/scoring/kit/types.ts';
import { sized } from '../../../support/soak.ts';
import { caseOf, now, preparedSuite } from '../cases.ts';
import { drawnCalls, drawnConfig, type SentCall } from './draws.ts';
import { outcomeOf, traceOf } from './scoring.ts';
import { type ModelBounds, verdictByModel } from './verdictModel.ts';

const rule = fc.constantFrom('a', 'c', 'z*', '*', { tool: 'b', arguments_include: { k: 0 } });
const drawnBounds: fc.Arbitrary<ModelBounds> = fc.record(
  {
    forbidden: fc.oneof(
      { weight: 2, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(rule, { minLength: 1, maxLength: 2 }) },
    ),
    min_calls: fc.constantFrom(0, 0, 1, 3),
    max_calls: fc.nat({ max: 5 }),
    partial: fc.boolean(),
    agents: fc.constantFrom('all' as const, 'top' as const),
  },
  { requiredKeys: ['forbidden', 'min_calls', 'partial', 'agents'] },
);

/** Half a character in its arguments, and a parent, for some calls. */
const drawnTrace = fc
  .tuple(drawnCalls, fc.array(fc.nat({ max: 5 }), { minLength: 6, maxLength: 6 }))
  .map(([calls, luck]) =>
    traceOf(
      calls.map((call: SentCall, at) => ({
        ...call,
        ...(luck[at] === 0 && { arguments: { k: '\ud800' } }),
        ...(at === 0 ? { id: 'first' } : luck[at] === 1 && { parent: 'first' }),
      })),
    ),
  );

const KINDS = ['forbidden', 'out of order', 'missing', 'surplus'];

/** The parts of a reason without the names of calls. */
function reasonsIn(reason: string): string[] {
  const parts = reason.split('; ');
  if (/^(all expected calls were made|no call is missing or surplus)/.test(reason)) return [];
  return parts.map((part) => {
    if (part.endsWith('has arguments that are no JSON object')) return 'malformed';
    return KINDS.find((kind) => part.startsWith(`${kind}: `)) ?? part;
  });
}

function resultOf(sent: SentOutput, config: object): CaseResult {
  const suite = preparedSuite([caseOf('trajectory', config, { threshold: 0 })]);
  return scoreSuite(suite, { outputsOf: () => [sent], now })[0]?.[0] as CaseResult;
}

test('bans, bounds, failed calls, sub-agents and malformed arguments decide as the documents say, in reasons of one order', () => {
  fc.assert(
    fc.property(drawnConfig, drawnBounds, drawnTrace, (paired, bounds, trace) => {
      const config = { ...paired, ...bounds };
      const model = verdictByModel(trace, config);
      const outcome = outcomeOf(config, trace);
      const dual = outcomeOf(config, trace, { dualSided: true });
      const hits = outcome.output.forbidden as { call: number; rule: number }[];
      expect({
        score: outcome.score,
        precision: dual.precisionRecall?.precision,
        recall: dual.precisionRecall?.recall,
        neverPasses: outcome.neverPasses,
        forbidden: hits
          .map(({ call, rule: number }) => ({ call, rule: number }))
          .sort((a, b) => a.call - b.call),
        reasons: reasonsIn(outcome.reason),
      }).toEqual(model);
      expect(dual.neverPasses).toBe(model.neverPasses);
    }),
    { numRuns: sized(400, 50_000) },
  );
});

test('a case passes at a threshold of 0 unless a ban or a bound is broken, and an error excuses no deed', () => {
  fc.assert(
    fc.property(drawnConfig, drawnBounds, drawnTrace, (paired, bounds, trace) => {
      const config = { ...paired, ...bounds };
      const { neverPasses } = verdictByModel(trace, config);
      const { passed, errored } = resultOf({ output: 'Done.', trace }, config);
      expect({ passed, errored }).toEqual({ passed: neverPasses === undefined, errored: false });
      const beside = resultOf({ error: '429', trace }, config);
      expect({ passed: beside.passed, errored: beside.errored }).toEqual({
        passed: false,
        errored: neverPasses !== 'by_deed',
      });
    }),
    { numRuns: sized(100, 10_000) },
  );
});
