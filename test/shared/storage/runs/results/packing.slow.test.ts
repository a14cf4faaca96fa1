import { zstdDecompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  dictionaryFrom,
  packDictionary,
  packResults,
  textsFrom,
  unpackDictionary,
  unpackResults,
} from '../../../../../shared/storage/runs/results/packing.ts';
import { sized } from '../../../../support/soak.ts';
import { anyResult, resultOf } from '../../results.ts';

const anyResults = fc.array(anyResult, { maxLength: 12 });
/** Of each law: packing takes most of its time. */
const RUNS = { numRuns: sized(25, 100) };

test('any results come back from packing as they were, without a dictionary', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      expect(unpackResults(packResults(results, undefined), undefined)).toStrictEqual(results);
    }),
    RUNS,
  );
});

test('any results come back from packing against the dictionary of any others', () => {
  fc.assert(
    fc.property(anyResults, anyResults, (results, others) => {
      const dictionary = dictionaryFrom(others);
      expect(unpackResults(packResults(results, dictionary), dictionary)).toStrictEqual(results);
    }),
    RUNS,
  );
});

test('texts that are kept by themselves come back while they are kept; results are read without them afterwards', () => {
  const shown = (text: string) => ({ input_excerpt: text, expected_excerpt: `${text} expected` });
  const results = [resultOf(0, 'a'), resultOf(1, 'b')].map((result, index) => ({
    ...result,
    ...shown(`text ${index}`),
  }));
  const dictionary = dictionaryFrom([resultOf(0, ''), resultOf(1, '')]);
  const texts = textsFrom(results);
  const packed = packResults(results, dictionary, { outputDigest: null, texts });
  expect(zstdDecompressSync(packed, { dictionary }).toString()).not.toContain('text ');
  expect(unpackResults(packed, dictionary, { outputDigest: null, texts })).toStrictEqual(results);
  const left = results.map(({ input_excerpt: _, expected_excerpt: __, ...rest }) => rest);
  expect(unpackResults(packed, dictionary)).toStrictEqual(left);
});

test('any results come back with any texts beside them', () => {
  fc.assert(
    fc.property(anyResults, anyResults, (results, others) => {
      const beside = { outputDigest: null, texts: textsFrom([...others, ...results.slice(1)]) };
      const packed = packResults(results, undefined, beside);
      expect(unpackResults(packed, undefined, beside)).toStrictEqual(results);
    }),
    RUNS,
  );
});

test('what the item of the run says anyway is not packed, and comes back', () => {
  const outputDigest = '00112233445566aa';
  const anyDigest = fc.constantFrom(outputDigest, 'ff112233445566aa', null);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(anyResult, anyDigest), { maxLength: 6 }),
      fc.boolean(),
      (drawn, areSame) => {
        const results = drawn.map(([result, digest]) => ({
          ...result,
          output_digest: areSame ? outputDigest : digest,
        }));
        const packed = packResults(results, undefined, { outputDigest });
        expect(unpackResults(packed, undefined, { outputDigest })).toStrictEqual(results);
      },
    ),
    RUNS,
  );
  const results = [1, 2].map((index) => ({ ...resultOf(index, 'an output'), output_digest: outputDigest }));
  const bytesWith = (digest: string | null) =>
    packResults(results, undefined, { outputDigest: digest }).length;
  expect(bytesWith(outputDigest)).toBeLessThan(bytesWith(null));
});

test('results that are unpacked against another dictionary are an error, or come back as they were', () => {
  fc.assert(
    fc.property(anyResults, anyResults, anyResults, (results, one, other) => {
      const packed = packResults(results, dictionaryFrom(one));
      const unpack = () => unpackResults(packed, dictionaryFrom(other));
      let read: unknown = results;
      try {
        read = unpack();
      } catch (error) {
        expect(error).toBeInstanceOf(Error);
      }
      expect(read).toStrictEqual(results);
    }),
    RUNS,
  );
  const results = [resultOf(1, 'a longer output'), resultOf(2, 'a longer output')];
  const packed = packResults(results, dictionaryFrom(results));
  const sameLength = [resultOf(3, 'another answer!'), resultOf(4, 'another answer!')];
  expect(() => unpackResults(packed, dictionaryFrom(sameLength))).toThrow();
});

test('a dictionary comes back from packing as it was', () => {
  fc.assert(
    fc.property(anyResults, (results) => {
      const dictionary = dictionaryFrom(results);
      expect(unpackDictionary(packDictionary(dictionary)!)).toEqual(dictionary);
    }),
    RUNS,
  );
});

test('results packed against one dictionary do not open with another', () => {
  const [own, other] = [dictionaryFrom([resultOf(1, 'a')]), dictionaryFrom([resultOf(2, 'b')])];
  const packed = packResults([resultOf(1, 'a')], own);
  const opened = () => JSON.stringify(unpackResults(packed, other));
  let outcome: string;
  try {
    outcome = opened();
  } catch {
    outcome = 'refused';
  }
  expect(outcome).not.toBe(JSON.stringify([resultOf(1, 'a')]));
});

test('100 results of a suite take a few hundred bytes', () => {
  const run = (output: string) => Array.from({ length: 100 }, (_, index) => resultOf(index, output));
  const repeated = run('').map((result) => ({ ...result, reason: '', scorer_output: {} }));
  expect(packResults(run('Another output. '.repeat(25)), dictionaryFrom(repeated)).length).toBeLessThan(
    1_000,
  );
});

test('a dictionary too large for an item is not kept', () => {
  let drawn = 1;
  const next = () => {
    drawn = (drawn * 48_271) % 2_147_483_647;
    return drawn;
  };
  const noise = Array.from({ length: 400_000 }, () => String.fromCharCode(0x4e00 + (next() % 20_000)));
  expect(packDictionary(Buffer.from(noise.join('')))).toBeUndefined();
});
