import { randomBytes, randomUUID } from 'node:crypto';
import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScoredCase } from '../../../shared/domain/runs/ports.ts';
import { runStore } from '../../../shared/storage/runs/runs.ts';
import { suiteKey } from '../../../shared/storage/table/keys.ts';
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

async function store(results: readonly ScoredCase[], pair = '1.a.1.b'): Promise<string> {
  return runOf(await fresh().commit(finishedRun(made, results, { pair }))).id;
}

/** What was stored, less what is added when it is read. */
async function read(runId: string) {
  const results = await fresh().results(made.orgId, runId);
  return results?.map(({ id: _, run_id, ...result }) => {
    expect(run_id).toBe(runId);
    return result;
  });
}

const parts = async () => {
  const { pk } = suiteKey(made.orgId, made.suite.id);
  const items = await memory.query({ pk, prefix: 'RESULTS#' });
  return items.map(({ bytes }) => (bytes as Uint8Array).length);
};

test('any results of any runs of a suite are read back unchanged, by every function', async () => {
  const runs = fc.array(fc.array(anyResult, { minLength: 1, maxLength: 8 }), { maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(runs, async (all) => {
      const stored = [];
      const revision = randomUUID();
      for (const results of all) stored.push({ results, id: await store(results, revision) });
      for (const { results, id } of stored) expect(await read(id)).toStrictEqual(results);
    }),
    { numRuns: 20 },
  );
});

test.each([1, 501])('%d results, in chunks of 500, keep their order in every run', async (count) => {
  for (const run of ['first', 'second']) {
    const results = Array.from({ length: count }, (_, index) => resultOf(index, `${run} output`));
    expect(await read(await store(results))).toStrictEqual(results);
  }
});

test('results of another revision do not lean on those of the first', async () => {
  const first = [resultOf(1, 'one'), resultOf(2, 'one')];
  const other = [resultOf(3, 'two')];
  const ids = [await store(first, '1.0'), await store(other, '2.0'), await store(other, '1.0')];
  expect(await Promise.all(ids.map(read))).toStrictEqual([first, other, other]);
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

test('several first runs of a revision at once use the same dictionary', async () => {
  const runs = Array.from({ length: 8 }, (_, run) => [
    resultOf(run, `output ${run}`),
    resultOf(run + 8, 'x'),
  ]);
  const ids = await Promise.all(runs.map((results) => store(results)));
  expect(await Promise.all(ids.map(read))).toStrictEqual(runs);
});
