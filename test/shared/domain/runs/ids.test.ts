import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runIdSchema } from '../../../../shared/contracts/base/pathParameters.ts';
import { fromBase62, toBase62 } from '../../../../shared/domain/base62.ts';
import { placeOfRun, resultId, runId } from '../../../../shared/domain/runs/ids.ts';

const anySuite = fc.oneof(
  fc.uuid(),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
);
const anyNumber = fc.oneof(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 2 ** 40 - 1 }));

test('a run id names the place of the run', () => {
  fc.assert(
    fc.property(anySuite, anyNumber, (suiteId, number) => {
      const id = runId({ suiteId, number });
      expect(id).toMatch(/^run_[0-9A-Za-z]{1,32}$/);
      expect(placeOfRun(id)).toEqual({ suiteId, number });
      expect(runIdSchema.safeParse(id).success).toBe(true);
    }),
  );
});

const base62 = fc.string({
  unit: fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'),
  maxLength: 40,
});

test('any text decodes to the run that has just this id, or to none', () => {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    base62,
    base62.map((text) => `run_${text}`),
  );
  fc.assert(
    fc.property(anyText, (text) => {
      const place = placeOfRun(text);
      if (place !== undefined) expect(runId(place)).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  '',
  'run',
  'run_ä',
  'RUN_1',
  'run_1\n',
  `run_0${runId({ suiteId: '5d1c1c5e-55f8-4bd5-8f3a-0a4c7c4c2f10', number: 1 }).slice(4)}`,
  `run_${'z'.repeat(29)}`,
  `run_${'z'.repeat(32)}`,
  `run_${'1'.repeat(10_000)}`,
])('%.40j is no run id', (text) => {
  expect(placeOfRun(text)).toBeUndefined();
});

test('a result id is a UUID, always the same for a run and a case, and another for any other', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), anyNumber, (suiteId, caseId, number) => {
      const run = runId({ suiteId, number });
      const id = resultId(run, caseId);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(resultId(run, caseId)).toBe(id);
      expect(resultId(runId({ suiteId, number: number + 1 }), caseId)).not.toBe(id);
      expect(resultId(run, suiteId)).not.toBe(id);
    }),
  );
});

test('any number comes back from base62, whatever it is padded to', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.nat({ max: 60 }), (value, width) => {
      const text = toBase62(value, width);
      expect(text).toMatch(/^[0-9A-Za-z]*$/);
      expect(text.length).toBeGreaterThanOrEqual(width);
      expect(fromBase62(text)).toBe(value);
    }),
  );
});
