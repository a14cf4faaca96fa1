import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { BaselineOutcome } from '../../../../shared/domain/runs/baseline/ports.ts';
import { packAccepted, unpackAccepted } from '../../../../shared/storage/baseline/outcomeColumns.ts';

const RUNS = 3;

const models = fc.array(fc.option(fc.constantFrom('gpt-5.4-mini', 'claude-haiku-4.5')), { maxLength: 3 });

const outcome: fc.Arbitrary<BaselineOutcome> = fc
  .record({
    passedRuns: fc.integer({ min: 0, max: RUNS }),
    meanScore: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    errored: fc.boolean(),
    advisory: fc.constantFrom('none' as const, 'some' as const, 'all' as const),
    judged: fc.option(fc.record({ outputDigest: fc.option(fc.string()), models })),
  })
  .map(({ meanScore, judged, ...one }) => ({
    ...one,
    meanScore: meanScore ?? one.passedRuns / RUNS,
    ...(judged && { judged }),
  }));

test('what became of a baseline’s cases is read as it was accepted, errored and advisory ones included', () => {
  const accepted = {
    runs: RUNS,
    kind: 'outputs',
    suiteDigest: 'd',
    revisions: 'r',
    scorers: { one: 's' },
    runIds: ['a', 'b', 'c'],
    createdAt: '2026-11-28T12:00:00.000Z',
  } as const;
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 30 }), (cases) => {
      const all = { ...accepted, cases };
      expect(unpackAccepted(packAccepted(all))).toEqual(all);
    }),
  );
});
