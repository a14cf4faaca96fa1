import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import { cutChunks } from '../../../../shared/domain/evaluation/planning/cutChunks.ts';
import { createSuiteCache } from '../../../../shared/domain/runs/suiteCache.ts';
import { createAtOneMoment, revisionsOf } from '../../../../shared/domain/suites/chains/atOneMoment.ts';
import {
  currentProject,
  currentSuite,
  type RevisionIds,
  revisionsName,
  revisionsNamed,
} from '../../../../shared/domain/suites/chains/chains.ts';
import { rangeOf } from '../../../../shared/domain/suites/chains/chunks.ts';
import { editProject, editSuite } from '../../../../shared/domain/suites/chains/edits.ts';
import { editedProject, editedSuite } from '../../../../shared/domain/suites/chains/memberEdits.ts';
import { requestedCase, requestedScorer } from '../../../../shared/domain/suites/chains/members.ts';
import { putRevisions } from '../../../../shared/domain/suites/chains/putRevisions.ts';
import { SuiteRevision } from '../../../../shared/domain/suites/chains/suiteRevision.ts';
import { headsOf, resolveSuite } from '../../../../shared/domain/suites/resolveSuite.ts';
import type { StoredSuite } from '../../../../shared/domain/suites/stored.ts';
import { chainStore } from '../../../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { projectHeadKey, suiteHeadKey } from '../../../../shared/storage/table/keys.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { addCases, addScorer } from '../../../support/revisions/bars.ts';
import { ACT, editorOf } from '../../../support/revisions/edits.ts';
import { sized } from '../../../support/soak.ts';
import { makeStoredSuite, principalOf, storedCase, storedScorer } from '../../storage/stored.ts';
import '../../../support/seed.ts';

/** More than a block holds. */
const CASES = 15;

interface Made {
  readonly table: Table;
  readonly orgId: string;
  readonly suite: StoredSuite;
  readonly scorerId: string;
}

const newCase = ({ suite, scorerId }: Omit<Made, 'table'>, fields: Partial<EvalCase>) =>
  storedCase(suite, { scorer_id: scorerId, ...fields });

const scorerOf = (suite: StoredSuite, version: number) =>
  storedScorer(suite, { key: 'eq', type: 'exact_match', config: { version } });

async function make(): Promise<Made & { readonly table: MemoryTable }> {
  const table = new MemoryTable(Date.now);
  const { orgId, suite } = await makeStoredSuite(table);
  const scorerId = await addScorer(table, orgId, scorerOf(suite, 0));
  const made = { table, orgId, suite, scorerId };
  const cases = Array.from({ length: CASES }, (_, index) => newCase(made, { expected: index }));
  await addCases(table, orgId, suite, cases);
  return made;
}

const depsOf = (table: Table) => ({
  suites: suiteStore(table),
  projects: projectStore(table),
  chains: chainStore(table),
  now: Date.now,
});

interface SeenCase {
  readonly name: string;
  readonly expected: unknown;
  readonly weight: number;
  readonly scorer: { readonly config: unknown } | null;
}

const seen = (passThreshold: number, cases: readonly SeenCase[]): string =>
  JSON.stringify([
    passThreshold,
    cases.map(({ name, expected, weight, scorer }) => [name, expected, weight, scorer?.config ?? null]),
  ]);

/** What a run should see at the revisions: all items of it, read without any run's code. */
async function truthOf({ table, orgId, suite }: Made, { suite: ofSuite, project: ofProject }: RevisionIds) {
  const chains = chainStore(table);
  const head = await suiteStore(table).head(orgId, suite.slug, suite.project_id);
  const project = await projectStore(table).head(orgId, suite.project_slug);
  if (head === undefined || project === undefined) throw new Error('nothing is deleted');
  const present = await currentSuite(chains, orgId, { ...head, position: ofSuite });
  const scorers = await currentProject(chains, orgId, { ...project, position: ofProject });
  const members = await present.ordered();
  const texts = await present.texts(members.map(({ member }) => member.number));
  const [scorer] = await scorers.members();
  const config = scorer && (await scorers.texts([scorer.number])).get(scorer.number)?.config;
  const cases = members
    .filter(({ member }) => member.row.is_active)
    .map(({ member: { number, row } }) => ({
      name: row.name,
      weight: row.weight,
      expected: scorer === undefined ? null : texts.get(number)?.expected,
      scorer: scorer === undefined ? null : { config },
    }));
  return seen(present.revision.fields.suite.pass_threshold, cases);
}

const EDITS = {
  rename: (version: number) => ({ name: `Version ${version}` }),
  weigh: (version: number) => ({ weight: version }),
  expect: (version: number) => ({ expected: `version ${version}` }),
  deactivate: () => ({ is_active: false }),
} satisfies Record<string, (version: number) => Partial<EvalCase>>;
const OTHER_EDITS = ['add', 'delete', 'reorder', 'threshold', 'config', 'unscore', 'push'] as const;
const anyEdit = fc.record({
  kind: fc.oneof(
    fc.constantFrom(...(Object.keys(EDITS) as (keyof typeof EDITS)[])),
    fc.constantFrom(...OTHER_EDITS),
  ),
  nth: fc.nat(CASES - 1),
});
type Edit = typeof anyEdit extends fc.Arbitrary<infer T> ? T : never;

async function edit(made: Made, { kind, nth }: Edit, version: number): Promise<unknown> {
  const { table, orgId, suite } = made;
  const deps = depsOf(table);
  const project = { id: suite.project_id, slug: suite.project_slug };
  const scorer = {
    number: 1,
    after: { ...requestedScorer({ ...scorerOf(suite, version), id: made.scorerId }) },
  };
  switch (kind) {
    case 'add':
      return addCases(table, orgId, suite, [newCase(made, { name: `Added by ${version}` })]);
    case 'config':
    case 'unscore':
      return editProject(deps, editorOf(orgId), project, async (present) => {
        const [before] = await present.members();
        if (before === undefined) return undefined;
        return editedProject(present, ACT, [
          { ...scorer, before, ...(kind === 'unscore' && { after: null }) },
        ]);
      });
    case 'push':
      return push(made, version);
    case 'threshold':
      return editSuite(deps, editorOf(orgId), suite, (present) =>
        editedSuite(present, {
          act: ACT,
          suite: { ...present.revision.fields.suite, pass_threshold: version / 10 },
        }),
      );
    case 'reorder':
      return editSuite(deps, editorOf(orgId), suite, async (present) => {
        const numbers = (await present.ordered()).map(({ member }) => member.number);
        return editedSuite(present, { act: ACT, order: numbers.toReversed() });
      });
  }
  return editSuite(deps, editorOf(orgId), suite, async (present) => {
    const before = (await present.ordered())[nth]?.member;
    if (before === undefined) return undefined;
    const texts = (await present.texts([before.number])).get(before.number);
    const fields = kind === 'delete' ? {} : EDITS[kind](version);
    const wanted = requestedCase(newCase(made, { ...before.row, ...texts, ...fields }));
    return editedSuite(present, {
      act: ACT,
      cases: [{ number: before.number, before, after: kind === 'delete' ? null : wanted }],
    });
  });
}

/** Of the suite and its scorer at once. */
async function push({ table, orgId, suite, scorerId }: Made, version: number): Promise<unknown> {
  const deps = depsOf(table);
  const { head, project } = await headsOf(deps, principalOf(orgId), suite);
  const present = await currentSuite(deps.chains, orgId, head);
  const scorers = await currentProject(deps.chains, orgId, project);
  const [before] = await scorers.members();
  const after = requestedScorer({ ...scorerOf(suite, version), id: scorerId });
  if (before === undefined) return undefined;
  const changed = { ...present.revision.fields.suite, pass_threshold: version / 10 };
  return putRevisions(deps, editorOf(orgId), {
    suite,
    present,
    project,
    edited: await editedSuite(present, { act: ACT, suite: changed }),
    scorers: {
      present: scorers,
      edited: editedProject(scorers, ACT, [{ number: before.number, before, after }]),
    },
  });
}

interface Seen {
  readonly revisions: string;
  readonly view: string;
}

/** A function that runs suites; it lives as long as the test. */
function running({ table, orgId, suite }: Made) {
  const deps = depsOf(table);
  const suiteCache = createSuiteCache();
  const atOneMoment = createAtOneMoment(deps);
  const resolve = () => resolveSuite(deps, principalOf(orgId), { suite: suite.slug });
  const read = (revisions: RevisionIds) => {
    const { id, slug, project_id: projectId, project_slug } = suite;
    const project = { id: projectId, slug: project_slug };
    return SuiteRevision.read(deps.chains, {
      orgId,
      suite: { suiteId: id, slug, projectId },
      project,
      revisions,
    });
  };
  return {
    accept: async () => revisionsOf(await atOneMoment(orgId, resolve)),
    async score(revisions: RevisionIds): Promise<string> {
      const scorable = await suiteCache.get(await read(revisions));
      if (scorable === undefined) throw new Error('A suite without judges is scored at once');
      return seen(scorable.prepared.suite.passThreshold, scorable.cases);
    },
    /** In chunks, each of which another function may read. */
    async evaluate(revisions: RevisionIds): Promise<string> {
      const at = await read(revisions);
      const { ends } = await cutChunks(at);
      const chunks = await Promise.all(ends.map((_, chunk) => at.cases(rangeOf(ends, chunk))));
      return seen(at.bar.passThreshold, chunks.flat());
    },
  };
}

/** Fewer than a run reads the heads again, so that each finds a moment without an edit. */
const anyEdits = fc.array(anyEdit, { maxLength: 4 });
const anyRun = fc.record({
  where: fc.constantFrom('first function', 'second function', 'new function'),
  isQueued: fc.boolean(),
});

test('under any edits and pushes at once every run sees exactly the suite of one moment of its acceptance', async () => {
  const law = fc.asyncProperty(
    fc.scheduler(),
    anyEdits,
    fc.array(fc.array(anyRun, { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 }),
    async (scheduler, edits, clients) => {
      const made = await make();
      const { orgId, suite } = made;
      const heads = [
        suiteHeadKey(orgId, suite.slug, suite.project_id),
        projectHeadKey(orgId, suite.project_slug),
      ];
      const moments: string[] = [];
      const look = () => {
        const items = made.table.items();
        const [ofSuite, ofProject] = heads.map((key) => {
          const item = items.find(({ pk, sk }) => pk === key.pk && sk === key.sk);
          return { n: Number(item?.n), token: String(item?.token) };
        });
        if (ofSuite && ofProject) moments.push(revisionsName({ suite: ofSuite, project: ofProject }));
      };
      look();
      const through = (): Made => ({ ...made, table: interleaved(made.table, scheduler, look) });
      const functions = new Map<string, ReturnType<typeof running>>();
      const runs: Seen[] = [];
      const client = async (all: readonly (typeof anyRun extends fc.Arbitrary<infer T> ? T : never)[]) => {
        for (const { where, isQueued } of all) {
          const own = functions.get(where) ?? running(through());
          if (where !== 'new function') functions.set(where, own);
          const begun = moments.length - 1;
          const revisions = await own.accept();
          expect(moments.slice(begun)).toContain(revisionsName(revisions));
          const view = await (isQueued ? running(through()).evaluate(revisions) : own.score(revisions));
          runs.push({ revisions: revisionsName(revisions), view });
        }
      };
      const writer = async () => {
        for (const [index, one] of edits.entries()) await edit(through(), one, index + 1);
      };
      await scheduler.waitFor(Promise.all([writer(), ...clients.map(client)]));
      for (const { revisions, view } of runs)
        expect(view).toBe(await truthOf(made, revisionsNamed(revisions)));
    },
  );
  await fc.assert(law, { numRuns: sized(60, 2_000) });
});
