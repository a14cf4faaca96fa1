import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { splitResults } from '../../../../../shared/domain/runs/results/join.ts';
import {
  keepScores,
  readResults,
  readScores,
} from '../../../../../shared/domain/runs/results/readResults.ts';
import { scoreRun } from '../../../../../shared/domain/runs/score.ts';
import { keptResults } from '../../../../../shared/domain/runs/store.ts';
import { createSuiteCache } from '../../../../../shared/domain/runs/suiteCache.ts';
import { revisionsOf } from '../../../../../shared/domain/suites/chains/atOneMoment.ts';
import { SuiteRevision } from '../../../../../shared/domain/suites/chains/suiteRevision.ts';
import { timestamp } from '../../../../../shared/domain/time.ts';
import { outputDigest } from '../../../../../shared/scoring/digest/outputs.ts';
import { chainStore } from '../../../../../shared/storage/revisions/chains.ts';
import { runStore } from '../../../../../shared/storage/runs/runs.ts';
import { projectStore } from '../../../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../../../shared/storage/suites/suites.ts';
import type { Key } from '../../../../../shared/storage/table/keys.ts';
import type { Item, QueryRange, Table } from '../../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../../support/memory/memoryTable.ts';
import { addCases, addScorer } from '../../../../support/revisions/bars.ts';
import { finishedRun, makeStoredSuite, runOf, storedCase, storedScorer } from '../../../storage/stored.ts';

const memory = new MemoryTable(Date.now);

/** As another function sees it: with nothing in memory. It counts what it reads. */
function another() {
  const read: string[] = [];
  const seen = (items: readonly (Item | undefined)[]) =>
    read.push(...items.map((item) => String(item?.sk).replace(/#.*/, '')));
  const own = {
    get: async (key: Key) => {
      const item = await memory.get(key);
      seen([item]);
      return item;
    },
    getMany: async (keys: readonly Key[]) => {
      const items = await memory.getMany(keys);
      seen(items);
      return items;
    },
    query: async (range: QueryRange) => {
      const items = await memory.query(range);
      seen(items);
      return items;
    },
  };
  const table = Object.assign(Object.create(memory) as Table, own);
  const deps = { runs: runStore(table, randomUUID), chains: chainStore(table) };
  return { deps, countOf: (kind: string) => read.filter((one) => one === kind).length };
}

interface Scorer {
  readonly type: string;
  readonly config: object;
}

/** A run of a suite of 100 such cases: every third one is answered by another text. */
async function ranWith(scorer: Scorer) {
  const made = await makeStoredSuite(memory);
  const { orgId, suite } = made;
  const scorer_id = await addScorer(memory, orgId, storedScorer(suite, scorer as never));
  const cases = Array.from({ length: 100 }, (_, index) =>
    storedCase(suite, {
      scorer_id,
      key: `case-${index}`,
      input: { question: `asked ${index}` },
      expected: `expected ${index % 3}`,
    }),
  );
  await addCases(memory, orgId, suite, cases);
  const head = await suiteStore(memory).head(orgId, suite.slug, suite.project_id);
  const project = await projectStore(memory).head(orgId, suite.project_slug);
  if (head === undefined || project === undefined) throw new Error('the suite is gone');
  const place = { orgId, suite: head, project, revisions: revisionsOf({ head, project }) };
  const at = await SuiteRevision.read(chainStore(memory), place);
  const scorable = await createSuiteCache().get(at);
  if (scorable === undefined) throw new Error('the suite is not scored at once');
  const sample = { output: 'expected 1', input: {} };
  const digest = outputDigest({ output: sample.output }, sample.input);
  const planned = scorable.cases;
  const sampled = {
    samples: planned.map(() => [sample]),
    digests: planned.map(() => [digest]),
    surplus: [],
    surplusOutputs: 0,
    isSingle: true,
  };
  const scored = scoreRun(
    {
      suite: scorable,
      settings: at.settings,
      createdAt: timestamp(Date.now()),
      sampled,
      digests: { suite: `sha256:${'5e'.repeat(32)}`, outputs: `sha256:${digest}` },
      digestName: 'unused',
      baseline: null,
      waivers: [],
    },
    Date.now,
  );
  const kept = await keptResults(at, scored);
  const results = kept.map(({ result }) => result);
  const finished = finishedRun({ ...made, head }, [], { revisions: at.revisions });
  const { id } = runOf(
    await runStore(memory, randomUUID).commit({ ...finished, results: splitResults(kept, planned) }),
  );
  const run = await runStore(memory, randomUUID).find(orgId, id);
  if (run === undefined) throw new Error('the run is gone');
  return { orgId, run, results, suite };
}

const EXACT = { type: 'exact_match', config: {} };
const SEARCH = { type: 'contains', config: { values: ['expected 1'] } };

const withIds = (id: string, results: readonly object[]) =>
  results.map((result) => ({ ...result, id: expect.any(String), run_id: id }));

test.each([EXACT, SEARCH])(
  'a function that knows nothing reads the results that the run answered: %j',
  async (scorer) => {
    const { orgId, run, results } = await ranWith(scorer);
    const { deps, countOf } = another();
    expect(await readResults(deps, orgId, run)).toEqual(withIds(run.id, results));
    // 100 cases lie in 9 blocks, and the scorer in one.
    expect(countOf('ROWS')).toBe(10);
    expect(countOf('REVISION')).toBe(2);
    // Of the scorer; of cases only those of which a result needs one.
    expect(countOf('TEXTS')).toBe(scorer === EXACT ? 10 : 1);
  },
);

test('a reader of scores reads no text and no config', async () => {
  const { orgId, run, results } = await ranWith(EXACT);
  const { deps, countOf } = another();
  const scores = await readScores(deps, orgId, run);
  const figures = ({ case_id, key, score, reason, passed }: (typeof results)[number]) => ({
    case_id,
    key,
    score,
    reason,
    passed,
  });
  expect(scores?.map(figures)).toEqual(results.map(figures));
  expect(countOf('TEXTS')).toBe(0);
});

test('kept scores are in the order of the cases', async () => {
  const { orgId, run, results } = await ranWith(EXACT);
  const figures = ({ case_id, score }: { case_id: string; score: number }) => ({ case_id, score });
  const kept = await keepScores(another().deps, orgId, run, figures);
  expect(kept).toEqual(results.map(figures));
});

test('the item of a run of 100 passes, results included, takes less than a kilobyte', async () => {
  const { run } = await ranWith({ type: 'contains', config: { values: ['expected'] } });
  const item = memory
    .items()
    .find(({ revisions, results }) => revisions === run.revisions && results instanceof Uint8Array);
  const bytes = (value: unknown) =>
    value instanceof Uint8Array ? value.length : Buffer.byteLength(JSON.stringify(value));
  const size = Object.entries(item ?? {}).reduce((sum, [name, value]) => sum + name.length + bytes(value), 0);
  expect(item).toBeDefined();
  expect(size).toBeLessThan(1_024);
});

test('where texts of cases have been dropped, results are read without them', async () => {
  const { orgId, run, results, suite } = await ranWith(EXACT);
  const texts = memory.items().filter(({ pk, sk }) => {
    return String(pk).endsWith(suite.id) && String(sk).startsWith('TEXTS#');
  });
  for (const { pk, sk } of texts) {
    const isThere = { ConditionExpression: 'attribute_exists(pk)', ExpressionAttributeValues: {} };
    await memory.delete({ pk: String(pk), sk: String(sk) }, isThere);
  }
  const read = await readResults(another().deps, orgId, run);
  expect(read).toHaveLength(100);
  for (const [index, result] of (read ?? []).entries()) {
    const { passed, reason } = results[index] ?? {};
    expect(result).toMatchObject({ passed, reason, excerpts_cut: true });
    const shown = { expected: null, actual: passed === true ? null : 'expected 1', case_sensitive: true };
    expect(result.scorer_output).toEqual(shown);
    const lost = { input_excerpt: null, expected_excerpt: null, output_excerpt: 'expected 1' };
    if (passed !== true) expect(result).toMatchObject(lost);
  }
});
