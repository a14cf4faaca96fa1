import { expect, test } from '@jest/globals';
import { chunkResults } from '../../../../shared/domain/evaluation/chunkResults.ts';
import { resultOf } from '../../storage/results.ts';
import { chunkPlan } from '../../storage/stored.ts';

const suite = { textsOf: async () => new Map() };

/** Of the outputs of a chunk, all of which failed. */
async function keptOf(cases: number, totalCases: number): Promise<number> {
  const failed = Array.from({ length: cases }, (_, index) => ({
    result: { ...resultOf(index, 'x'), passed: false },
    sample: { output: `${index} ${'x'.repeat(1_990)}` },
  }));
  const results = await chunkResults(suite, chunkPlan({ totalCases }), failed);
  return results.filter(({ result }) => result.output_excerpt !== undefined).length;
}

test('a few failures of a small chunk of a large suite are all shown', async () => {
  expect(await keptOf(20, 10_000)).toBe(20);
});

test('a chunk keeps 200 kB of excerpts, or its share of the 2 MB of the run where that is more', async () => {
  expect(await keptOf(500, 10_000)).toBe(100);
  expect(await keptOf(500, 1_000)).toBe(500);
  expect(await keptOf(500, 2_000)).toBe(250);
});
