import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { ScoredCase } from '../../../shared/domain/ports.ts';
import { createDictionaries } from '../../../shared/storage/dictionaries.ts';
import { resultsOfAttempt } from '../../../shared/storage/keys.ts';
import { packedSchema, readResults, storeResults } from '../../../shared/storage/packedResults.ts';
import { type OwnTable, startOwnTable } from '../../support/ownService.ts';
import { anyResult, resultOf } from './results.ts';

let own: OwnTable;
beforeAll(async () => {
  own = await startOwnTable();
});
afterAll(() => own.stop());

const newPlace = () => ({ orgId: randomUUID(), suiteId: randomUUID() });
/** As another function with an empty memory would see the table. */
const fresh = () => ({ table: own.table, dictionaries: createDictionaries(own.table) });

const store = (
  place: ReturnType<typeof newPlace>,
  results: readonly ScoredCase[],
  { revision = '1.0', deps = fresh() } = {},
) => storeResults(deps, place, { attempt: randomUUID(), revision, results, ttl: {} });

const partsOf = ({ orgId, suiteId }: ReturnType<typeof newPlace>, attempt: string) =>
  own.table.query(resultsOfAttempt(orgId, suiteId, attempt));

test('any results of runs of one revision are read back as they were, by whoever reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(anyResult, { minLength: 1, maxLength: 8 }), { maxLength: 4 }), async (runs) => {
      const place = newPlace();
      const stored = [];
      for (const results of runs) stored.push({ results, packed: await store(place, results) });
      for (const { results, packed } of stored) {
        expect(packedSchema.parse(packed)).toEqual(packed);
        expect(await readResults(fresh(), place, packed)).toStrictEqual(results);
      }
    }),
    { numRuns: 25 },
  );
});

test.each([1, 499, 500, 501, 1_000, 1_234])('%d results, in chunks of 500, keep their order', async (count) => {
  const place = newPlace();
  for (const run of ['first', 'second']) {
    const results = Array.from({ length: count }, (_, index) => resultOf(index, `${run} output`));
    const packed = await store(place, results);
    expect(packed.chunk_bytes).toHaveLength(Math.ceil(count / 500));
    expect(await readResults(fresh(), place, packed)).toStrictEqual(results);
  }
});

test('the second run of a revision takes a fraction of what it would take alone', async () => {
  const place = newPlace();
  const run = (output: string) => Array.from({ length: 100 }, (_, index) => resultOf(index, output));
  await store(place, run('first'));
  const again = await store(place, run('second'));
  const alone = await store(newPlace(), run('second'), { revision: '2.0' });
  expect(again.chunk_bytes[0]).toBeLessThan((alone.chunk_bytes[0] ?? 0) + 1);
  expect(again.chunk_bytes[0]).toBeLessThan(1_000);
});

test('few results lie in the run itself, many in an item beside it', async () => {
  const place = newPlace();
  const few = await store(place, [resultOf(1, 'x')]);
  expect(few.results).toBeDefined();
  expect(await partsOf(place, few.attempt)).toEqual([]);
  const results = [resultOf(1, randomBytes(3_000).toString('hex'))];
  const many = await store(place, results);
  expect(many.results).toBeUndefined();
  expect(await partsOf(place, many.attempt)).toHaveLength(1);
  expect(await readResults(fresh(), place, many)).toStrictEqual(results);
});

test('results beyond the size of an item lie in several', async () => {
  const place = newPlace();
  // Random text does not compress: more than two parts of 380 kB.
  const results = Array.from({ length: 510 }, (_, index) => resultOf(index, randomBytes(1_500).toString('base64')));
  const packed = await store(place, results);
  expect(packed.chunk_bytes.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(760_000);
  expect(await partsOf(place, packed.attempt)).toHaveLength(3);
  expect(await readResults(fresh(), place, packed)).toStrictEqual(results);
});

test('first runs of a revision at once agree on one dictionary', async () => {
  const place = newPlace();
  const runs = Array.from({ length: 8 }, (_, run) => [resultOf(run, `output ${run}`), resultOf(run + 8, 'x')]);
  const packed = await Promise.all(runs.map((results) => store(place, results)));
  for (const [run, results] of runs.entries()) {
    expect(await readResults(fresh(), place, packed[run]!)).toStrictEqual(results);
  }
});
