import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import type { Evaluation } from '../../../../shared/domain/evaluation/evaluation.ts';
import { packOf } from '../../../../shared/domain/evaluation/planning/packOf.ts';
import { createSuiteCache } from '../../../../shared/domain/runs/suiteCache.ts';
import type { StoredScorer, StoredSuite } from '../../../../shared/domain/suites/ports.ts';
import { resolveSuite } from '../../../../shared/domain/suites/resolveSuite.ts';
import { createJudgeIdentity } from '../../../../shared/judge/judgeIdentity.ts';
import { judgeSettingsFromEnv } from '../../../../shared/judge/settings.ts';
import { packStore } from '../../../../shared/storage/packs/packedSuites.ts';
import { caseStore } from '../../../../shared/storage/suites/cases.ts';
import { planningStore } from '../../../../shared/storage/suites/planning.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../../../shared/storage/suites/scorers.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import type { Item } from '../../../../shared/storage/table/table.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { sized } from '../../../support/soak.ts';
import { makeStoredSuite, principalOf, storedCase, storedScorer } from '../../storage/stored.ts';
import '../../../support/seed.ts';

const AT = '2026-05-05T10:00:00.000Z';
/** Large enough to be packed by the function that scores it. */
const LARGE = 'x'.repeat(200_000);
const LARGE_TEXT = JSON.stringify(LARGE);
const CASES = 3;
const judgeIdentity = createJudgeIdentity(judgeSettingsFromEnv({}));

interface Made {
  readonly table: MemoryTable;
  readonly orgId: string;
  readonly suite: StoredSuite;
  readonly scorer: StoredScorer;
  readonly caseIds: readonly string[];
}

async function make(): Promise<Made> {
  const table = new MemoryTable(Date.now);
  const { orgId, suite } = await makeStoredSuite(table);
  const scorer = storedScorer(suite, { config: { values: ['0'] } });
  await scorerStore(table).create(orgId, scorer);
  const made = { table, orgId, suite, scorer, caseIds: [] as string[] };
  for (let index = 0; index < CASES; index++) {
    const { id } = await createCase(made, { expected: index === 0 ? LARGE : index });
    made.caseIds.push(id);
  }
  return made;
}

async function createCase({ table, orgId, suite, scorer }: Omit<Made, 'caseIds'>, fields: Partial<EvalCase>) {
  const evalCase = storedCase(suite, { scorer_id: scorer.id, ...fields });
  await caseStore(table).create(orgId, suite, evalCase);
  return evalCase;
}

interface SeenCase {
  readonly id: string;
  readonly name: string;
  readonly expected: unknown;
  readonly weight: number;
  readonly scorer: { readonly config: unknown } | null;
}

const seen = (passThreshold: number, cases: readonly SeenCase[]): string =>
  JSON.stringify([
    passThreshold,
    cases.map(({ id, name, expected, weight, scorer }) => [
      id,
      name,
      // It would be most of a view, and there are thousands of views.
      expected === LARGE ? 'LARGE' : expected,
      weight,
      scorer?.config ?? null,
    ]),
  ]);

/** What a run should see, read of the items at once. */
function truthOf(items: readonly Item[]): string {
  const live = items.filter(({ deleted_at }) => deleted_at === undefined);
  const byKey = new Map(live.map((item) => [String(item.sk), item]));
  const scorers = new Map(live.filter(({ sk }) => sk === 'SCORER').map((item) => [item.id, item]));
  const blocks = live.filter(({ sk }) => String(sk).startsWith('LIST#CASES#'));
  const ids = blocks.flatMap((block) =>
    (block.ids as Uint8Array[]).map((id) => Buffer.from(id).toString('hex')),
  );
  const uuids = ids.map((id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'));
  const cases = uuids
    .map((id) => byKey.get(`CASE#${id}`))
    .filter((item) => item?.is_active === true)
    .map((item) => {
      const scorer = scorers.get(item?.scorer_id);
      return {
        ...(item as unknown as SeenCase),
        expected: item?.expected === LARGE_TEXT ? LARGE : JSON.parse(String(item?.expected)),
        scorer: scorer === undefined ? null : { config: JSON.parse(String(scorer.config)) },
      };
    });
  return seen(Number(byKey.get('SUITE')?.pass_threshold), cases);
}

const EDITS = [
  'rename',
  'weigh',
  'deactivate',
  'add',
  'delete',
  'reorder',
  'threshold',
  'config',
  'unscore',
] as const;
const anyEdit = fc.record({ kind: fc.constantFrom(...EDITS), nth: fc.integer({ min: 0, max: CASES - 1 }) });
type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

async function edit(made: Made, { kind, nth }: Edit, version: number): Promise<unknown> {
  const { table, orgId, suite, scorer, caseIds } = made;
  const cases = caseStore(table);
  const update = (fields: Partial<EvalCase>) =>
    cases.update(orgId, suite, caseIds[nth] ?? '', (found) => ({ ...found, ...fields }));
  switch (kind) {
    case 'rename':
      return update({ name: `Version ${version}` });
    case 'weigh':
      return update({ weight: version });
    case 'deactivate':
      return update({ is_active: false });
    case 'add':
      return createCase(made, { name: `Added by ${version}` });
    case 'delete':
      return cases.delete(orgId, suite, caseIds[nth] ?? '', AT);
    case 'reorder':
      return cases.reorder(orgId, suite, (current) => current.map(({ id }) => id).toReversed());
    case 'threshold':
      return suiteStore(table).update(orgId, suite.id, (found) => ({
        ...found,
        pass_threshold: version / 10,
      }));
    case 'config':
      return scorerStore(table).update(orgId, scorer.id, async (found) => ({
        ...found,
        config: { values: [`${version}`] },
      }));
    case 'unscore':
      return scorerStore(table).delete(orgId, scorer, AT);
  }
}

/** A function that scores at once; it lives as long as the test. */
function scoringFunction(
  { table, orgId, suite }: Made,
  needsCases = false,
): () => Promise<string | undefined> {
  const suites = suiteStore(table);
  const onUnkept = (error: unknown) => {
    throw error;
  };
  const cache = createSuiteCache({
    ...{ suites, packs: packStore(table), onUnkept, now: Date.now, newId: randomUUID, judgeIdentity },
  });
  const principal = principalOf(orgId);
  const deps = { suites, projects: projectStore(table) };
  return async () => {
    const resolve = () => resolveSuite(deps, principal, { suite: suite.slug });
    const { suite: found } = await cache.get(orgId, resolve, {
      scoresNow: true,
      needsCases,
      needsDigest: false,
    });
    if (found.caseCount === 0) return undefined;
    if (found.prepared === undefined) throw new Error('A suite without judges is scored at once');
    return seen(found.prepared.suite.passThreshold, found.prepared.suite.cases);
  };
}

async function planned({ table, orgId, suite }: Made): Promise<string | undefined> {
  const run = { suite_id: suite.id, suite_slug: suite.slug, project_id: suite.project_id };
  const place = { project_slug: suite.project_slug, created_at: new Date().toISOString() };
  const evaluation = { orgId, run: { ...run, ...place } } as unknown as Evaluation;
  const deps = { planning: planningStore(table), newId: randomUUID, judgeIdentity };
  const pack = await packOf(deps, evaluation);
  if (pack === undefined) return undefined;
  const cases = await packStore(table).packedCases({ orgId, suiteId: suite.id, revision: '' }, pack);
  return cases && seen(pack.passThreshold, cases);
}

const EMPTY = /^\[[^,]*,\[\]\]$/;

/** Fewer than a run reads a suite again, so that each finds a moment without an edit. */
const anyEdits = fc.array(anyEdit, { maxLength: 4 });
const anyRun = fc.constantFrom('first function', 'second function', 'planner', 'new function');

test('under any edits at once every run sees exactly the suite of one moment between its beginning and its end', async () => {
  const law = fc.asyncProperty(
    fc.scheduler(),
    anyEdits,
    fc.array(fc.array(anyRun, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
    async (scheduler, edits, clients) => {
      const made = await make();
      const moments: string[] = [];
      const look = () => void moments.push(truthOf(made.table.items()));
      look();
      const through = (): Made => ({
        ...made,
        table: interleaved(made.table, scheduler, look) as MemoryTable,
      });
      const functions: Record<string, () => Promise<string | undefined>> = {
        'first function': scoringFunction(through()),
        'second function': scoringFunction(through()),
        planner: () => planned(through()),
      };
      const client = async (runs: readonly (typeof anyRun extends fc.Arbitrary<infer T> ? T : never)[]) => {
        for (const run of runs) {
          const begun = moments.length - 1;
          const view = await (functions[run] ?? scoringFunction(through()))();
          const possible = moments.slice(begun);
          if (view === undefined) expect(possible.some((moment) => EMPTY.test(moment))).toBe(true);
          else expect(possible.includes(view)).toBe(true);
        }
      };
      const writer = async () => {
        for (const [index, one] of edits.entries()) await edit(through(), one, index + 1);
      };
      const all = Promise.all([writer(), ...clients.map(client)]);
      await scheduler.waitFor(all);
    },
  );
  await fc.assert(law, { numRuns: sized(100, 2_000) });
});
