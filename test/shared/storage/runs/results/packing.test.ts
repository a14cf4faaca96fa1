import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memberId } from '../../../../../shared/domain/revisions/ids.ts';
import { join, split } from '../../../../../shared/domain/runs/results/join.ts';
import type { StoredResult } from '../../../../../shared/domain/runs/results/storedResult.ts';
import { packResults, unpackResults } from '../../../../../shared/storage/runs/results/packing.ts';
import { sized } from '../../../../support/soak.ts';
import { anyResult, resultOf } from '../../results.ts';
import '../../../../support/seed.ts';

const RUNS = { numRuns: sized(12, 400) };
const DIGEST = '00112233445566aa';
const anyResults = fc.array(
  fc.tuple(anyResult, fc.constantFrom(DIGEST, 'ff112233445566aa', null)).map(([result, output_digest]) => ({
    ...result,
    output_digest,
  })),
  { maxLength: 5 },
);
const wholeOf = (stored: readonly StoredResult[]) => stored.map((one) => join(one, undefined).result);

test('results of any shape come back as they were, beside whatever output the run names', () => {
  fc.assert(
    fc.property(anyResults, fc.constantFrom(DIGEST, null), (results, outputDigest) => {
      const packed = packResults(
        results.map((result) => split(result)),
        { outputDigest },
      );
      expect(wholeOf(unpackResults(packed, { outputDigest }))).toStrictEqual(results);
    }),
    RUNS,
  );
});

const SUITE_ID = '0a1b2c3d-4e5f-4a6b-8c7d-90a1b2c3d4e5';
/** As it is stored: with its defaults. */
const exactMatch = { type: 'exact_match', config: { case_sensitive: true } };

/** Of the cases with these numbers; each passes. */
const passes = (numbers: readonly number[]) =>
  numbers.map((number) => {
    const result = {
      ...resultOf(0, 'an answer'),
      case_id: memberId(SUITE_ID, number),
      output_digest: DIGEST,
    };
    const { case_id: id, case_name: name, key, threshold, must_pass, tags } = result;
    const scorer_output = { expected: 'an answer', actual: 'an answer', case_sensitive: true };
    const says = { id, name, key, threshold, must_pass, tags, weight: 1, scorer: exactMatch };
    const texts = { expected: 'an answer', input: {} };
    return split(
      { ...result, score: 1, reason: 'output equals expected', scorer_output },
      { ...says, ...texts },
    );
  });

test('results name the numbers of their cases in any order', () => {
  const anyNumbers = fc.array(fc.integer({ min: 1, max: 4_294_967_295 }), { maxLength: 20 });
  fc.assert(
    fc.property(anyNumbers, (numbers) => {
      const read = unpackResults(packResults(passes(numbers)));
      expect(read.map(({ member }) => member)).toEqual(numbers);
    }),
    RUNS,
  );
});

test('100 passes take less than 100 bytes, 2,000 less than 150', () => {
  const upTo = (count: number) => passes(Array.from({ length: count }, (_, index) => index + 1));
  const packed = (count: number) => packResults(upTo(count), { outputDigest: DIGEST }).length;
  expect(packed(100)).toBeLessThan(100);
  expect(packed(2_000)).toBeLessThan(150);
});

test('results of a rule that this version does not know are an error', () => {
  const packed = packResults(passes([1, 2]));
  packed[0] = 3;
  expect(() => unpackResults(packed)).toThrow('a rule that is not known: 3');
});
