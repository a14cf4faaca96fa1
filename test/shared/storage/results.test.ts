import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScoredCase } from '../../../shared/domain/runs/ports.ts';
import { join } from '../../../shared/domain/runs/results/join.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import { suitePartition } from '../../../shared/storage/table/keys.ts';
import { MemoryTable } from '../../support/memory/memoryTable.ts';
import { anyResult, resultOf } from './results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite, runOf } from './stored.ts';

const memory = new MemoryTable(Date.now);
let made: MadeSuite;
beforeEach(async () => {
  made = await makeStoredSuite(memory);
});

/** As another function would: nothing in memory. */
const fresh = () => runStore(memory, randomUUID);

async function store(results: readonly ScoredCase[]): Promise<string> {
  return runOf(await fresh().commit(finishedRun(made, results))).id;
}

/** Results whose cases no revision has. */
async function read(runId: string) {
  const results = await fresh().results(made.orgId, runId);
  return results?.map((stored) => join(stored, undefined).result);
}

const parts = async () => {
  const pk = suitePartition(made.orgId, made.suite.id);
  const items = await memory.query({ pk, prefix: 'RESULTS#' });
  return items.map(({ bytes }) => (bytes as Uint8Array).length);
};

test('any results of any runs of a suite are read back unchanged, by every function', async () => {
  const runs = fc.array(fc.array(anyResult, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(runs, async (all) => {
      const stored = [];
      for (const results of all) stored.push({ results, id: await store(results) });
      for (const { results, id } of stored) expect(await read(id)).toStrictEqual(results);
    }),
    { numRuns: 5 },
  );
});

test('1,000 results keep their order', async () => {
  const results = Array.from({ length: 1_000 }, (_, index) => resultOf(index, 'an output'));
  expect(await read(await store(results))).toStrictEqual(results);
});

test('few results lie in the run itself, many in an item beside it', async () => {
  await store([resultOf(1, 'x')]);
  expect(await parts()).toEqual([]);
  const results = [resultOf(1, randomBytes(3_000).toString('hex'))];
  const id = await store(results);
  expect(await parts()).toHaveLength(1);
  expect(await read(id)).toStrictEqual(results);
});

test('results beyond the size of an item lie in several, each below 400 kB', async () => {
  // Random text does not compress.
  const results = Array.from({ length: 510 }, (_, index) =>
    resultOf(index, randomBytes(1_520).toString('base64')),
  );
  const id = await store(results);
  const sizes = await parts();
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(760_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(380_000);
  expect(await read(id)).toStrictEqual(results);
});
