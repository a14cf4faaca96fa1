import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { documentDigest } from '../../../../shared/scoring/digest/documents.ts';
import {
  outputDigest,
  outputsDigest,
  resultDigest,
  singleOutputDigest,
} from '../../../../shared/scoring/digest/outputs.ts';

const text = fc.string({ unit: 'grapheme' });
const input = fc.dictionary(text, fc.jsonValue());
const digest = text.map(documentDigest);

test('the digest of an output is that of output, input and, where it is read, metadata', () => {
  fc.assert(
    fc.property(text, input, input, (output, given, metadata) => {
      expect(outputDigest({ output }, given)).toBe(documentDigest([output, given]));
      expect(outputDigest({ output }, given, { metadata })).toBe(documentDigest([output, given, metadata]));
      expect(singleOutputDigest(undefined, given)).toBe(`sha256:${documentDigest([null, given])}`);
      expect(singleOutputDigest(output, given)).toBe(`sha256:${documentDigest([output, given])}`);
    }),
  );
});

test('an error is no output of the same text, and its metadata is not read', () => {
  fc.assert(
    fc.property(text, input, (error, given) => {
      expect(outputDigest({ error }, given, { metadata: { latency_ms: 1 } })).toBe(
        documentDigest([{ error }, given]),
      );
      expect(outputDigest({ error }, given)).not.toBe(outputDigest({ output: error }, given));
    }),
  );
});

test('a result of one sample has the first 16 digits of its output', () => {
  fc.assert(fc.property(digest, (only) => expect(resultDigest([only])).toBe(only.slice(0, 16))));
});

test('a result of several samples has 16 digits, whatever their order', () => {
  const samples = fc.array(digest, { minLength: 2 });
  const shuffled = samples.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, again]) => {
      expect(resultDigest(again)).toBe(resultDigest(all));
      expect(resultDigest(all)).toBe(documentDigest(all.toSorted()).slice(0, 16));
      // An output that was sent twice is two samples.
      expect(resultDigest([...all, all[0] ?? ''])).not.toBe(resultDigest(all));
    }),
  );
});

test('the digest of all outputs does not change with their order, and does with every part of each', () => {
  const cases = fc.constantFrom('a', 'b', 'c');
  const outputs = fc.uniqueArray(fc.tuple(cases, fc.nat(9), digest), {
    minLength: 1,
    selector: ([id, sample]) => `${id} ${sample}`,
  });
  const moved = outputs.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(moved, fc.nat(), fc.nat(2), ([all, again], place, part) => {
      expect(outputsDigest(again)).toBe(outputsDigest(all));
      const changed = all.map((output, index) =>
        index === place % all.length
          ? (output.with(part, part === 1 ? 10 : documentDigest('another')) as typeof output)
          : output,
      );
      expect(outputsDigest(changed)).not.toBe(outputsDigest(all));
      expect(outputsDigest(all.slice(1))).not.toBe(outputsDigest(all));
    }),
  );
});
