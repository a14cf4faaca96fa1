import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  CHUNK_BYTES_MAX,
  CHUNK_CASES_MAX,
  CHUNK_JUDGED_OUTPUTS_MAX,
  CHUNK_OUTPUTS_MAX,
  chunkEnds,
  rangeOf,
  type WeighedCase,
  type WeighedScorer,
} from '../../../../shared/domain/suites/chains/chunks.ts';
import '../../../support/seed.ts';

const anyScorer: fc.Arbitrary<WeighedScorer> = fc.record({
  bytes: fc.constantFrom(10, 2_000, 128_000),
  isJudged: fc.boolean(),
});
/** Of one suite; inactive cases lie between the active ones. */
const anySuite = fc
  .record({
    scorers: fc.array(anyScorer, { minLength: 1, maxLength: 40 }),
    cases: fc.array(
      fc.record({
        bytes: fc.constantFrom(10, 400, 512_000),
        outputs: fc.constantFrom(1, 1, 3, 100),
        scorer: fc.nat(40),
        skipped: fc.constantFrom(0, 0, 0, 2),
      }),
      { maxLength: 1_500, size: 'max' },
    ),
  })
  .map(({ scorers, cases }) => {
    let position = -1;
    return cases.map(({ scorer, skipped, ...own }): WeighedCase => {
      position += 1 + skipped;
      return { ...own, position, scorer: scorers[scorer] };
    });
  });

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function weightOf(chunk: readonly WeighedCase[]) {
  const scorers = new Set(chunk.map(({ scorer }) => scorer));
  return {
    cases: chunk.length,
    outputs: sum(chunk.map(({ outputs }) => outputs)),
    judged: sum(chunk.filter(({ scorer }) => scorer?.isJudged).map(({ outputs }) => outputs)),
    bytes: sum(chunk.map(({ bytes }) => bytes)) + sum([...scorers].map((scorer) => scorer?.bytes ?? 0)),
  };
}

const isWithin = (chunk: readonly WeighedCase[]): boolean => {
  const { cases, outputs, judged, bytes } = weightOf(chunk);
  return (
    cases <= CHUNK_CASES_MAX &&
    outputs <= CHUNK_OUTPUTS_MAX &&
    judged <= CHUNK_JUDGED_OUTPUTS_MAX &&
    bytes <= CHUNK_BYTES_MAX
  );
};

test('chunks hold each case once and in order, none more than its bounds, and none could take the next case', () => {
  fc.assert(
    fc.property(anySuite, (cases) => {
      const ends = chunkEnds(cases);
      const chunks = ends.map((_, chunk) => {
        const { from, to } = rangeOf(ends, chunk);
        return cases.filter(({ position }) => from <= position && position < to);
      });
      expect(chunks.flat()).toEqual(cases);
      for (const [index, chunk] of chunks.entries()) {
        expect(chunk.length === 1 || isWithin(chunk)).toBe(true);
        const [next] = chunks[index + 1] ?? [];
        if (next !== undefined) expect(isWithin([...chunk, next])).toBe(false);
      }
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['500 cases', {}, 500],
  ['200 judged outputs', { scorer: { bytes: 10, isJudged: true } }, 200],
  ['500 outputs, however few cases take them', { outputs: 100 }, 5],
  ['3 MB', { bytes: 500_000 }, 6],
])('a chunk ends at %s', (_, fields, count) => {
  const cases = Array.from({ length: 600 }, (_case, position) => ({
    position,
    bytes: 10,
    outputs: 1,
    scorer: undefined,
    ...fields,
  }));
  expect(chunkEnds(cases)[0]).toBe(count);
});

test('a scorer that all cases share does not make chunks smaller', () => {
  const scorer = { bytes: 128_000, isJudged: false };
  const cases = Array.from({ length: 500 }, (_, position) => ({ position, bytes: 10, outputs: 1, scorer }));
  expect(chunkEnds(cases)).toEqual([500]);
});
