import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Scorer } from '../../../../../shared/contracts/scorers.ts';
import type { Evaluation } from '../../../../../shared/domain/evaluation/evaluation.ts';
import { chunksPlace, slicesOf } from '../../../../../shared/domain/evaluation/planning/caseSlices.ts';
import { plainRules } from '../../../../../shared/domain/suites/bar/rules.ts';
import type { PlannedCase } from '../../../../../shared/domain/suites/plannedCase.ts';
import { writeChunks } from '../../../../../shared/domain/suites/packs/writeChunks.ts';
import { evaluationStore } from '../../../../../shared/storage/evaluation/evaluations.ts';
import { packStore } from '../../../../../shared/storage/packs/packedSuites.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { storedScorer } from '../../../storage/stored.ts';
import '../../../../support/seed.ts';
import { sized } from '../../../../support/soak.ts';

const MB = 1_000_000;
/** What a chunk holds at most, and one case more: input, expected and config. */
const CHUNK_BYTES_MAX = 3 * MB + 3 * 256_000;

const memory = new MemoryTable(Date.now);
const store = evaluationStore(memory, Date.now);

const AT = new Date().toISOString();
const NO_DOCUMENTS = { input_digest: '', expected_digest: '' };

const PROJECT = { project_id: randomUUID(), project_slug: 'bot' };
const scorerOf = (bytes: number, isJudged: boolean): Scorer =>
  storedScorer(PROJECT, {
    type: isJudged ? 'llm_judge' : 'regex',
    config: { rubric: 'é'.repeat(bytes / 2) },
  });

const caseOf = (id: string, scorer: Scorer | null, bytes: number): PlannedCase => ({
  ...{ id, name: 'A case', threshold: 0.5, weight: 1, scorer, ...plainRules(id) },
  input: {},
  expected: 'x'.repeat(bytes),
});

/** Plans these cases and reads back what each chunk holds; notes how many were read at once. */
async function planned(cases: readonly PlannedCase[], slices: number[] = []): Promise<PlannedCase[][]> {
  const run = { id: 'run_none', suite_id: randomUUID(), created_at: AT };
  const evaluation = { orgId: randomUUID(), run, planner: randomUUID() } as unknown as Evaluation;
  const byId = new Map(cases.map((planned) => [planned.id, planned]));
  const planning = {
    casesIfSmall: async () => undefined,
    cases: async (_: string, __: unknown, ids: readonly string[]) => {
      slices.push(ids.length);
      return ids.flatMap((id) => byId.get(id) ?? []).map((evalCase) => ({ ...evalCase, ...NO_DOCUMENTS }));
    },
  };
  const ids = cases.map(({ id }) => id);
  const place = chunksPlace(evaluation, evaluation.planner ?? '');
  const { chunks } = await writeChunks(packStore(memory), place, slicesOf(planning, evaluation, ids));
  const read = Array.from({ length: chunks }, (_, chunk) => store.plannedChunk(evaluation, chunk));
  return (await Promise.all(read)).map((chunk) => chunk ?? []);
}

/** In memory: what is shared by several cases counts once. */
function bytesOf(chunk: readonly PlannedCase[]): number {
  const configs = new Set(chunk.map(({ scorer }) => scorer));
  const sizes = [...configs, ...chunk.map(({ scorer: _, ...own }) => own)].map((part) =>
    JSON.stringify(part),
  );
  return sizes.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

test('however large configs and cases are, a chunk fits into memory, and all cases come back as they were', async () => {
  const anySuite = fc.record({
    scorers: fc.array(fc.record({ bytes: fc.constantFrom(0, 2_000, 128_000), isJudged: fc.boolean() }), {
      minLength: 1,
      maxLength: 200,
    }),
    count: fc.integer({ min: 1, max: 300 }),
    expected: fc.constantFrom(0, 256_000),
  });
  const fits = fc.asyncProperty(anySuite, async ({ scorers, count, expected }) => {
    const made = [null, ...scorers.map(({ bytes, isJudged }) => scorerOf(bytes, isJudged))];
    const cases = Array.from({ length: count }, (_, index) =>
      caseOf(randomUUID(), made[index % made.length] ?? null, index % 7 === 0 ? expected : 10),
    );
    const chunks = await planned(cases);
    expect(chunks.flat()).toEqual(cases);
    for (const chunk of chunks) expect(bytesOf(chunk)).toBeLessThanOrEqual(CHUNK_BYTES_MAX);
  });
  await fc.assert(fits, { numRuns: sized(4, 12) });
});

test('a config that all cases share does not make chunks smaller', async () => {
  const scorer = scorerOf(128_000, false);
  const cases = Array.from({ length: 500 }, () => caseOf(randomUUID(), scorer, 10));
  const chunks = await planned(cases);
  expect(chunks).toHaveLength(1);
  expect(new Set(chunks[0]?.map((evalCase) => evalCase.scorer)).size).toBe(1);
});

test.each([
  ['small', 100, [20, 100, 100]],
  ['large', 250_000, [20, 19, 19]],
])('%s cases are read as many at once as a small function can hold', async (_, bytes, wanted) => {
  const slices: number[] = [];
  const cases = Array.from({ length: 220 }, () => caseOf(randomUUID(), null, bytes));
  await planned(cases, slices);
  expect(slices.slice(0, 3)).toEqual(wanted);
});

test('a chunk holds 200 judged cases at most, and the plan says at which providers each chunk needs a seat', async () => {
  const judgeOf = (_provider: string): Scorer => ({
    ...scorerOf(10, true),
    config: { rubric: 'x', _provider },
  });
  const [openai, alias, google] = [judgeOf('openai'), judgeOf('provider_a'), judgeOf('google')];
  const scorers = [
    ...Array.from({ length: 250 }, () => openai),
    ...Array.from({ length: 300 }, () => null),
    google,
    alias,
  ];
  const cases = scorers.map((scorer) => caseOf(randomUUID(), scorer, 10));
  const run = { id: 'run_none', suite_id: randomUUID(), created_at: AT };
  const evaluation = { orgId: randomUUID(), run, planner: randomUUID() } as unknown as Evaluation;
  const written = await writeChunks(packStore(memory), chunksPlace(evaluation, 'planner'), [cases]);
  expect(written).toMatchObject({ chunks: 2, totalCases: 552, judges: { openai: [0, 1], google: [1] } });
});

test('a chunk ends at 500 outputs: a case of 100 samples counts as a hundred', async () => {
  const cases = Array.from({ length: 12 }, () => ({ ...caseOf(randomUUID(), null, 10), sample_count: 100 }));
  expect((await planned(cases)).map(({ length }) => length)).toEqual([5, 5, 2]);
});
