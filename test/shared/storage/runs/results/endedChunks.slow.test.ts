import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NOTHING_LEFT } from '../../../../../shared/domain/evaluation/conclude.ts';
import type { ScoredCase } from '../../../../../shared/domain/runs/ports.ts';
import { join } from '../../../../../shared/domain/runs/results/join.ts';
import { evaluationStore } from '../../../../../shared/storage/evaluation/evaluations.ts';
import { runStore } from '../../../../../shared/storage/runs/runs.ts';
import { suitePartition } from '../../../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { anyResult, resultOf } from '../../results.ts';
import { admission, chunkPlan, endedWith, makeStoredSuite, runOf } from '../../stored.ts';
import '../../../../support/seed.ts';

const KEPT_IN_CHUNK_BYTES_MAX = 1_536;

const memory = new MemoryTable(Date.now);
let made = await makeStoredSuite(memory);

const runs = () => runStore(memory, randomUUID);

/** A run whose chunks ended with these results; answers its id. */
async function evaluated(chunks: readonly (readonly ScoredCase[])[]): Promise<string> {
  const store = evaluationStore(memory, Date.now);
  const run = runOf(await runs().admit(admission(made)));
  const admitted = await store.find(made.orgId, run.id);
  if (admitted === undefined) throw new Error('the run was not admitted');
  const ends = chunks.map((_, chunk) => chunks.slice(0, chunk + 1).flat().length);
  await store.savePlan(admitted, chunkPlan({ ends, totalCases: chunks.flat().length }));
  const evaluation = (await store.find(made.orgId, admitted.run.id)) ?? admitted;
  for (const [chunk, results] of chunks.entries()) {
    const holder = randomUUID();
    await store.claim(evaluation, chunk, holder);
    expect(await store.finishChunk(evaluation, chunk, holder, endedWith(results))).toBe(true);
  }
  await store.conclude(evaluation, {
    ...NOTHING_LEFT,
    status: 'cleared',
    pass_rate: 1,
    inconclusive: false,
    refundsUsage: false,
    duration_ms: 0,
    completed_at: new Date().toISOString(),
  });
  return evaluation.run.id;
}

const read = async (runId: string) =>
  (await runs().results(made.orgId, runId))?.map((stored) => join(stored, undefined).result);

async function sizes() {
  const pk = suitePartition(made.orgId, made.suite.id);
  const bytesOf = (field: string) => (item: object) =>
    (Reflect.get(item, field) as Uint8Array | undefined)?.length;
  return {
    inChunks: (await memory.query({ pk, prefix: 'CHUNK#' })).map(bytesOf('results')),
    beside: (await memory.query({ pk, prefix: 'RESULTS#' })).map(bytesOf('bytes')),
  };
}

// What does not compress: some in their chunks, some beside, some in several parts.
const filler = fc.constantFrom(0, 500, 1_000, 3_000, 400_000);
const chunk = fc.tuple(fc.array(anyResult, { maxLength: 5 }), filler).map(([results, bytes]) => {
  const large = bytes === 0 ? [] : [resultOf(bytes, randomBytes(bytes).toString('base64'))];
  return [...results, ...large];
});

test('any results of any chunks, small or large, are read back as they were, in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { minLength: 1, maxLength: 4 }), async (chunks) => {
      expect(await read(await evaluated(chunks))).toStrictEqual(chunks.flat());
    }),
    { numRuns: 15 },
  );
});

test('results of up to 1.5 kB lie in the item of their chunk, larger ones beside it', async () => {
  made = await makeStoredSuite(memory);
  const small = [resultOf(1, 'x'), resultOf(2, 'y')];
  const large = [resultOf(3, randomBytes(2_000).toString('hex'))];
  expect(await read(await evaluated([small, large]))).toStrictEqual([...small, ...large]);
  const { inChunks, beside } = await sizes();
  expect(inChunks).toEqual([expect.any(Number), undefined]);
  expect(inChunks[0]).toBeLessThanOrEqual(KEPT_IN_CHUNK_BYTES_MAX);
  expect(beside).toEqual([expect.any(Number)]);
  expect(beside[0]).toBeGreaterThan(KEPT_IN_CHUNK_BYTES_MAX);
});
