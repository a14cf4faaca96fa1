import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import { createSuiteCache } from '../../../../shared/domain/runs/suiteCache.ts';
import { revisionsOf } from '../../../../shared/domain/suites/chains/atOneMoment.ts';
import { editProject } from '../../../../shared/domain/suites/chains/edits.ts';
import { editedProject } from '../../../../shared/domain/suites/chains/memberEdits.ts';
import { SuiteRevision } from '../../../../shared/domain/suites/chains/suiteRevision.ts';
import { createSuiteDigests } from '../../../../shared/domain/suites/digests/knownDigests.ts';
import { digestOf } from '../../../../shared/domain/suites/digests/suiteDigester.ts';
import { rulesOf } from '../../../../shared/domain/suites/gates/rules.ts';
import { headsOf } from '../../../../shared/domain/suites/resolveSuite.ts';
import type { StoredScorer } from '../../../../shared/domain/suites/stored.ts';
import { createJudgeIdentity } from '../../../../shared/judge/judgeIdentity.ts';
import { judgeSettingsFromEnv } from '../../../../shared/judge/settings.ts';
import { documentDigest } from '../../../../shared/scoring/digest/documents.ts';
import { chainStore } from '../../../../shared/storage/revisions/chains.ts';
import { knownDigestStore } from '../../../../shared/storage/suites/knownDigests.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { addCases, addScorer } from '../../../support/revisions/bars.ts';
import { ACT, editorOf } from '../../../support/revisions/edits.ts';
import {
  type MadeSuite,
  makeStoredSuite,
  principalOf,
  storedCase,
  storedScorer,
} from '../../storage/stored.ts';
import '../../../support/seed.ts';

const judgeIdentity = createJudgeIdentity(judgeSettingsFromEnv({}));
const CONFIGS = [
  ['exact_match', {}],
  ['contains', { values: ['ok'] }],
  ['llm_judge', { rubric: 'Is it good?', _provider: 'openai', model: 'gpt-named' }],
  ['llm_judge', { rubric: 'Is it kind?', _provider: 'anthropic' }],
  ['regex', { pattern: 'ok' }],
] as const;

const anyCase = fc.record({
  scorer: fc.nat(CONFIGS.length - 1),
  fields: fc.record({
    expected: fc.jsonValue({ maxDepth: 1 }),
    input: fc.record({ q: fc.string({ maxLength: 3 }) }),
    sample_count: fc.integer({ min: 1, max: 3 }),
    is_active: fc.boolean(),
    weight: fc.integer({ min: 0, max: 3 }),
  }),
});
/** More cases than a block holds; some scorers are deleted afterwards. */
const anySuite = fc.record({
  cases: fc.array(anyCase, { maxLength: 30 }),
  deleted: fc.subarray([0, 1, 2, 3, 4], { maxLength: 2 }),
});
type AnySuite = typeof anySuite extends fc.Arbitrary<infer S> ? S : never;

interface Made extends MadeSuite {
  readonly table: MemoryTable;
  /** As they were made. */
  readonly cases: readonly EvalCase[];
  /** By id, those that are left. */
  readonly scorers: ReadonlyMap<string, StoredScorer>;
}

async function make({ cases, deleted }: AnySuite): Promise<Made> {
  const table = new MemoryTable(Date.now);
  const made = await makeStoredSuite(table);
  const { orgId, suite } = made;
  const ids: string[] = [];
  const scorers = new Map<string, StoredScorer>();
  for (const [index, [type, config]] of CONFIGS.entries()) {
    const scorer = storedScorer(suite, { key: `scorer-${index}`, type, config });
    const id = await addScorer(table, orgId, scorer);
    ids.push(id);
    if (!deleted.includes(index)) scorers.set(id, { ...scorer, id });
  }
  const own = cases.map(({ scorer, fields }, index) =>
    storedCase(suite, { ...fields, key: `case-${index}`, scorer_id: ids[scorer] ?? '' }),
  );
  const caseIds = await addCases(table, orgId, suite, own);
  const deps = { chains: chainStore(table), now: Date.now };
  await editProject(
    deps,
    editorOf(orgId),
    { id: suite.project_id, slug: suite.project_slug },
    async (present) => {
      const members = (await present.members()).filter(({ row }) => !scorers.has(row.id));
      return editedProject(
        present,
        ACT,
        members.map((before) => ({ number: before.number, before, after: null })),
      );
    },
  );
  const kept = own.map((one, index) => ({ ...one, id: caseIds[index] ?? '' }));
  return { ...made, table, cases: kept, scorers };
}

/** As a function reads it that knows nothing yet. */
async function readAt({ orgId, suite }: MadeSuite, table: Table): Promise<SuiteRevision> {
  const deps = { suites: suiteStore(table), projects: projectStore(table) };
  const { head, project } = await headsOf(deps, principalOf(orgId), suite);
  return SuiteRevision.read(chainStore(table), {
    orgId,
    suite: head,
    project,
    revisions: revisionsOf({ head, project }),
  });
}

const isJudged = (scorer: StoredScorer | undefined): boolean => scorer?.type === 'llm_judge';

test('counts, cases and digest of a revisions are those of its active cases, with only the texts that scorers read', async () => {
  const law = fc.asyncProperty(anySuite, async (drawn) => {
    const made = await make(drawn);
    const at = await readAt(made, made.table);
    const active = made.cases.filter(({ is_active }) => is_active);
    const scorerOf = ({ scorer_id }: EvalCase) => made.scorers.get(scorer_id);
    const outputs = (cases: readonly EvalCase[]) => cases.reduce((sum, one) => sum + one.sample_count, 0);
    const judged = active.filter((one) => isJudged(scorerOf(one)));
    expect(await at.counts()).toEqual({
      cases: active.length,
      outputs: outputs(active),
      judged: outputs(judged),
    });
    expect(await at.cases()).toMatchObject(
      active.map((one) => {
        const scorer = scorerOf(one);
        const reads = scorer !== undefined && scorer.type !== 'contains';
        return {
          id: one.id,
          key: one.key,
          weight: one.weight,
          expected: reads ? one.expected : null,
          input: isJudged(scorer) ? one.input : {},
          scorer: scorer === undefined ? null : { id: scorer.id, config: scorer.config },
        };
      }),
    );
    const { digest, judges } = await createSuiteDigests({
      digests: knownDigestStore(made.table),
      judgeIdentity,
    })(at);
    const documents = active.map((one) => ({
      ...one,
      ...rulesOf(one),
      scorer: scorerOf(one) ?? null,
      input_digest: documentDigest(one.input),
      expected_digest: documentDigest(one.expected),
    }));
    expect(digest).toBe(digestOf({ passThreshold: 1, gates: {}, cases: documents }, judgeIdentity));
    const asked = new Set(judged.map((one) => scorerOf(one)?.config._provider));
    expect(judges.map(({ provider }) => provider)).toEqual([...asked].sort());
  });
  await fc.assert(law, { numRuns: 40 });
});

/** The table, and which items were read of it: the kinds of their keys. */
function watched(table: MemoryTable) {
  const read: string[] = [];
  const kind = ({ sk }: { readonly sk: string }) => void read.push(sk.split('#')[0] ?? '');
  const seen = Object.assign(Object.create(table) as MemoryTable, {
    get: (key: { pk: string; sk: string }) => {
      kind(key);
      return table.get(key);
    },
    getMany: (keys: readonly { pk: string; sk: string }[]) => {
      keys.forEach(kind);
      return table.getMany(keys);
    },
  });
  return { seen, read };
}

const SMALL: AnySuite = {
  cases: Array.from({ length: 20 }, () => ({
    scorer: 0,
    fields: { expected: 'ok', input: { q: '' }, sample_count: 1, is_active: true, weight: 1 },
  })),
  deleted: [],
};

test('the digest of a revisions is computed once, and read by all other functions without a case', async () => {
  const made = await make(SMALL);
  const first = await createSuiteDigests({ digests: knownDigestStore(made.table), judgeIdentity })(
    await readAt(made, made.table),
  );
  const { seen, read } = watched(made.table);
  const { find } = knownDigestStore(seen);
  const digestOfSuite = createSuiteDigests({ digests: { find }, judgeIdentity });
  const at = await readAt(made, seen);
  expect(await digestOfSuite(at)).toEqual(first);
  expect(await digestOfSuite(at)).toEqual(first);
  expect(read.filter((kind) => ['BAR', 'ROWS', 'TEXTS'].includes(kind))).toEqual(['BAR']);
});

test('without a right to write, the digest is computed by each function, and none is kept', async () => {
  const made = await make(SMALL);
  const { find } = knownDigestStore(made.table);
  const at = await readAt(made, made.table);
  const { digest } = await createSuiteDigests({ digests: { find }, judgeIdentity })(at);
  expect(made.table.items().filter(({ sk }) => String(sk).startsWith('BAR#'))).toEqual([]);
  expect(
    (await createSuiteDigests({ digests: knownDigestStore(made.table), judgeIdentity })(at)).digest,
  ).toBe(digest);
});

test('a suite is prepared once a revisions; another revisions, of the suite or of its scorers, is another suite', async () => {
  const made = await make(SMALL);
  const cache = createSuiteCache();
  const first = await cache.get(await readAt(made, made.table));
  expect(first?.cases).toHaveLength(20);
  expect(await cache.get(await readAt(made, made.table))).toBe(first);
  await addCases(made.table, made.orgId, made.suite, [storedCase(made.suite, { key: 'more' })]);
  const second = await cache.get(await readAt(made, made.table));
  expect(second?.cases).toHaveLength(21);
  await addScorer(made.table, made.orgId, storedScorer(made.suite, { key: 'unused' }));
  expect(await cache.get(await readAt(made, made.table))).not.toBe(second);
});

test('a suite too large for one function, or with a judge, is left to the evaluator without reading a text of its cases', async () => {
  const large = await make(SMALL);
  const { orgId, suite } = large;
  const texts = Array.from({ length: 140 }, (_, index) =>
    storedCase(suite, { key: `large-${index}`, expected: 'x'.repeat(250_000) }),
  );
  await addCases(large.table, orgId, suite, texts);
  const judged = await make({
    ...SMALL,
    cases: SMALL.cases.map((one, index) => ({ ...one, scorer: index === 3 ? 2 : 0 })),
  });
  for (const made of [large, judged]) {
    const { seen, read } = watched(made.table);
    expect(await createSuiteCache().get(await readAt(made, seen))).toBeUndefined();
    expect(read.filter((kind) => kind === 'TEXTS')).toEqual([]);
  }
});
