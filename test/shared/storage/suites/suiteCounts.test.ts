import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { EvalCase } from '../../../../shared/contracts/cases.ts';
import { countsAt } from '../../../../shared/domain/suites/counts.ts';
import type { StoredScorer, StoredSuite } from '../../../../shared/domain/suites/ports.ts';
import { isJudged } from '../../../../shared/scoring/engine/engine.ts';
import { caseStore } from '../../../../shared/storage/suites/cases.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { scorerStore } from '../../../../shared/storage/suites/scorers.ts';
import { bumpRevision } from '../../../../shared/storage/suites/suiteHeads.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { interleaved } from '../../../support/interleaved.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { makeStoredSuite, storedCase, storedScorer } from '../stored.ts';
import '../../../support/seed.ts';
import { sized } from '../../../support/soak.ts';

const AT = '2026-05-05T10:00:00.000Z';
const SCORERS = 3;

/** A project with scorers and a suite, and what a writer may do there. */
class World {
  readonly #table: Table;
  readonly #scorers: readonly StoredScorer[];
  readonly #cases: string[] = [];
  readonly orgId: string;
  readonly suite: StoredSuite;

  constructor(table: Table, orgId: string, suite: StoredSuite, scorers: readonly StoredScorer[]) {
    this.#table = table;
    this.#scorers = scorers;
    this.orgId = orgId;
    this.suite = suite;
  }

  static async make(table: Table): Promise<World> {
    const { orgId, suite } = await makeStoredSuite(table);
    const scorers = Array.from({ length: SCORERS }, (_, index) =>
      storedScorer(suite, { type: index === 0 ? 'llm_judge' : 'contains' }),
    );
    for (const scorer of scorers) await scorerStore(table).create(orgId, scorer);
    return new World(table, orgId, suite, scorers);
  }

  /** The same world through another table, as another function sees it. */
  through = (table: Table): World => {
    const world = new World(table, this.orgId, this.suite, this.#scorers);
    world.#cases.push(...this.#cases);
    return world;
  };

  async act({ kind, nth, scorer, flag }: Act): Promise<unknown> {
    const { orgId, suite } = this;
    const cases = caseStore(this.#table);
    const scorers = scorerStore(this.#table);
    const suites = suiteStore(this.#table);
    const chosen = this.#scorers[scorer % SCORERS] as StoredScorer;
    const caseId = this.#cases[nth % Math.max(1, this.#cases.length)] ?? randomUUID();
    const update = (fields: Partial<EvalCase>) =>
      cases.update(orgId, suite, caseId, (found) => ({ ...found, ...fields }));
    switch (kind) {
      case 'create': {
        const made = storedCase(suite, {
          scorer_id: chosen.id,
          is_active: flag,
          sample_count: 1 + (nth % 3),
        });
        await cases.create(orgId, suite, made);
        return this.#cases.push(made.id);
      }
      case 'activate':
        return update({ is_active: flag });
      case 'move':
        return update({ scorer_id: flag ? chosen.id : randomUUID() });
      case 'sample':
        return update({ sample_count: 1 + (nth % 3) });
      case 'excuse':
        return update({ advisory: flag ? { owner: 'Ann', reason: 'Is rewritten', expires_at: AT } : null });
      case 'rename':
        return update({ name: 'Renamed', weight: 2 });
      case 'delete':
        return cases.delete(orgId, suite, caseId, AT);
      case 'reorder':
        return cases.reorder(orgId, suite, (current) => current.map(({ id }) => id).toReversed());
      case 'threshold':
        return suites.update(orgId, suite.id, (found) => ({ ...found, pass_threshold: nth / 10 }));
      case 'retype':
        return scorers.update(orgId, chosen.id, async (found) => ({
          ...found,
          type: flag ? 'llm_judge' : 'contains',
        }));
      case 'unscore':
        return scorers.delete(orgId, chosen, AT);
      case 'olderVersion':
        return this.#table.transact({ suite: bumpRevision(orgId, suite) });
      case 'count':
        return this.#count();
    }
  }

  async #count(): Promise<void> {
    const at = await this.at();
    const counts = await this.truth();
    const after = await this.at();
    const isSame =
      at.head.revision === after.head.revision &&
      at.project.scorersRevision === after.project.scorersRevision;
    if (isSame) await suiteStore(this.#table).keepCounts(this.orgId, after, counts);
  }

  /** As runs read it: the suite's head first. */
  async at() {
    const { orgId, suite } = this;
    const head = await suiteStore(this.#table).head(orgId, suite.slug, suite.project_id);
    const project = await projectStore(this.#table).head(orgId, suite.project_slug);
    if (head === undefined || project === undefined) throw new Error('gone');
    return { head, project };
  }

  async known() {
    const counts = countsAt(await this.at());
    if (counts === undefined) return undefined;
    const { cases, judged, extraOutputs, gating } = counts;
    return { cases, judged, extraOutputs, gating };
  }

  async truth() {
    const loaded = await suiteStore(this.#table).load(this.orgId, this.suite.id);
    const cases = loaded?.cases ?? [];
    const outputs = (some: typeof cases) => some.reduce((sum, { sample_count }) => sum + sample_count, 0);
    return {
      cases: cases.length,
      judged: outputs(cases.filter(({ scorer }) => isJudged(scorer))),
      extraOutputs: outputs(cases) - cases.length,
      gating: cases.filter(({ advisory_until }) => advisory_until === null).length,
    };
  }
}

const anyAct = fc.record({
  kind: fc.constantFrom(
    ...([
      'create',
      'create',
      'create',
      'activate',
      'activate',
      'move',
      'sample',
      'excuse',
      'rename',
    ] as const),
    ...(['delete', 'reorder', 'threshold', 'retype', 'unscore', 'olderVersion', 'count', 'count'] as const),
  ),
  nth: fc.integer({ min: 0, max: 7 }),
  scorer: fc.integer({ min: 0, max: SCORERS - 1 }),
  flag: fc.boolean(),
});
type Act = typeof anyAct extends fc.Arbitrary<infer T> ? T : never;

test('after any edits the head knows exactly how many cases are active, how many of them have no advisory, how many outputs they take and how many of these are judged, or says that it does not know', async () => {
  const law = fc.asyncProperty(fc.array(anyAct, { maxLength: 25 }), async (acts) => {
    const world = await World.make(new MemoryTable(Date.now));
    for (const act of acts) {
      await world.act(act);
      expect([undefined, await world.truth()]).toContainEqual(await world.known());
    }
    await world.act({ kind: 'count', nth: 0, scorer: 0, flag: true });
    expect(await world.known()).toEqual(await world.truth());
  });
  await fc.assert(law, { numRuns: sized(40, 150) });
});

test('as long as no scorer becomes a judge or ceases to be one, every edit keeps the counts known', async () => {
  const keeping = anyAct.filter(({ kind }) => !['retype', 'unscore', 'olderVersion'].includes(kind));
  const law = fc.asyncProperty(fc.array(keeping, { maxLength: 25 }), async (acts) => {
    const world = await World.make(new MemoryTable(Date.now));
    for (const act of acts) {
      await world.act(act);
      expect(await world.known()).toEqual(await world.truth());
    }
  });
  await fc.assert(law, { numRuns: sized(30, 100) });
});

/** Few enough kinds of acts, on one scorer, to meet each other often. */
const anyMeeting = fc
  .constantFrom(
    ...([
      ['create', true],
      ['create', true],
      ['activate', false],
      ['delete', true],
      ['retype', true],
      ['retype', false],
      ['unscore', true],
      ['count', true],
      ['count', true],
    ] as const),
  )
  .map(([kind, flag]): Act => ({ kind, nth: 0, scorer: 1, flag }));

test.each([
  ['any acts', anyAct, sized(100, 300)],
  ['acts on one scorer', anyMeeting, sized(350, 1_000)],
] as const)('under %s at once, known counts are exact', async (_, act, numRuns) => {
  const law = fc.asyncProperty(
    fc.scheduler(),
    fc.array(act, { maxLength: 4 }),
    fc.array(act, { minLength: 2, maxLength: 5 }),
    async (scheduler, before, atOnce) => {
      const table = new MemoryTable(Date.now);
      const world = await World.make(table);
      for (const one of before) await world.act(one);
      const acting = atOnce.map((one) => world.through(interleaved(table, scheduler)).act(one));
      await scheduler.waitFor(Promise.all(acting));
      expect([undefined, await world.truth()]).toContainEqual(await world.known());
    },
  );
  await fc.assert(law, { numRuns });
});
