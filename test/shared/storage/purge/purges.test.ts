import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { purgeAll } from '../../../../shared/domain/purge/purge.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { purgeStore } from '../../../../shared/storage/purge/purges.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { purgesDue, runKey } from '../../../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../../../shared/storage/table/table.ts';
import { dropExpired } from '../../../support/dropExpired.ts';
import { dyingAt, unlessDead } from '../../../support/dyingAt.ts';
import { KEPT_ORGANISATIONS } from '../../../support/keptOrganisations.ts';
import { MemoryTable } from '../../../support/memory/memoryTable.ts';
import { addCases, addScorer, putSuite } from '../../../support/revisions/bars.ts';
import { textsOfItems } from '../../../support/textsOfItems.ts';
import { aLog, deletionAt, type MadeSuite, makeStoredSuite, storedCase, storedScorer } from '../stored.ts';

const START_MS = Date.parse('2036-05-05T10:00:00.000Z');
const RETENTION_DAYS = 90;
const KEPT_DAYS = RETENTION_DAYS + 17;

interface World {
  readonly table: MemoryTable;
  /** In one project. */
  readonly suites: readonly [MadeSuite, MadeSuite];
  toDay(days: number): void;
  purge(on?: Table): Promise<number>;
  /** The kinds of items that are left of something. */
  kindsOf(id: string): Promise<string[]>;
  texts(): string;
}

async function newWorld(): Promise<World> {
  let nowMs = START_MS;
  const now = () => nowMs;
  const table = new MemoryTable(now);
  const first = await makeStoredSuite(table);
  const suites = [first, await makeStoredSuite(table, { beside: first })] as const;
  for (const { orgId, suite } of suites) {
    const { id: _, ...scorer } = storedScorer(suite, { config: { values: [`config ${suite.id}`] } });
    await addScorer(table, orgId, scorer);
    await addCases(table, orgId, suite, [storedCase(suite, { expected: `text ${suite.id}` })]);
    await table.put({ ...runKey(orgId, suite.id, 1), status: 'cleared' });
  }
  return {
    table,
    suites,
    toDay(days) {
      nowMs = START_MS + days * DAY_MS;
    },
    purge: (on = table) =>
      purgeAll({
        purges: purgeStore(on),
        now,
        retentionDays: async () => RETENTION_DAYS,
        onFailure: unlessDead,
        ...KEPT_ORGANISATIONS,
      }),
    async kindsOf(id) {
      await dropExpired({ table, items: async () => table.items() }, nowMs);
      const items = table.items().filter(({ pk, sk }) => `${pk} ${sk}`.includes(id));
      const kinds = items.map(({ pk, sk }) => (pk === 'PURGEDUE' ? pk : String(sk).replace(/#.*/, '')));
      return [...new Set(kinds)].sort();
    },
    texts: () => textsOfItems(table.items()).join(),
  };
}

const deletedAt = timestamp(START_MS);

const deleteSuite = ({ table }: World, { orgId, suite }: MadeSuite) =>
  suiteStore(table).delete(orgId, suite, deletionAt(deletedAt));

async function deleteProject({ table, suites: [{ orgId, suite }] }: World): Promise<void> {
  const project = await projectStore(table).find(orgId, suite.project_id);
  if (project === undefined) throw new Error('no project');
  expect(await projectStore(table).delete({ ...project, updated_at: deletedAt }, aLog)).toBe(true);
}

const dueOf = async ({ table }: World, kind: string): Promise<Item | undefined> =>
  (await table.query(purgesDue)).find((item) => item.kind === kind);

/** Each purge dies one write later than the one before it, until one ends. */
async function purgeDying(world: World, kind: string, isDone: boolean): Promise<void> {
  const before = (await dueOf(world, kind))?.next_at;
  expect(before).toBeDefined();
  for (let write = 1; (await dueOf(world, kind))?.next_at === before; write++) {
    await world.purge(dyingAt(world.table, { write, isDone }));
    expect(write).toBeLessThan(100);
  }
}

test.each([true, false])(
  'a project goes with its suites 30 days after its deletion, wherever its purges die (the last write done: %s)',
  async (isDone) => {
    const world = await newWorld();
    const [first, before] = world.suites;
    expect(await deleteSuite(world, before)).toBe('deleted');
    await deleteProject(world);
    world.toDay(29.9);
    await world.purge();
    for (const { suite } of world.suites) expect(world.texts()).toContain(`text ${suite.id}`);
    world.toDay(30.1);
    await purgeDying(world, 'project', isDone);
    for (const { suite } of world.suites) {
      expect((await world.kindsOf(suite.id)).filter((kind) => kind !== 'PURGEDUE')).toEqual([]);
      expect(world.texts()).not.toContain(`text ${suite.id}`);
      expect(world.texts()).not.toContain(`config ${suite.id}`);
    }
    world.toDay(400);
    await world.purge();
    // Of the organisation's projects.
    expect(await world.kindsOf(first.orgId)).toEqual(['LIST']);
  },
);

test.each([true, false])(
  'texts of a suite go 30 days after its deletion, the rest with its last run, wherever its purges die (the last write done: %s)',
  async (isDone) => {
    const world = await newWorld();
    const [{ orgId, suite }, other] = world.suites;
    expect(await deleteSuite(world, { ...other, orgId, suite })).toBe('deleted');
    world.toDay(29.9);
    await world.purge();
    expect(world.texts()).toContain(`text ${suite.id}`);
    world.toDay(30.1);
    await purgeDying(world, 'suite', isDone);
    expect(world.texts()).not.toContain(`text ${suite.id}`);
    for (const days of [60, KEPT_DAYS - 0.1]) {
      world.toDay(days);
      await world.purge();
      const kept = ['REVISION', 'ROWS', 'RUN'];
      expect(await world.kindsOf(suite.id)).toEqual(expect.arrayContaining(kept));
    }
    world.toDay(KEPT_DAYS + 0.1);
    await purgeDying(world, 'suite', isDone);
    world.toDay(KEPT_DAYS + 3);
    await world.purge();
    expect(await world.kindsOf(suite.id)).toEqual([]);
    expect(world.texts()).toContain(`text ${other.suite.id}`);
    expect(world.texts()).toContain(`config ${suite.id}`);
  },
);

test('a purge of what lives again drops nothing', async () => {
  const world = await newWorld();
  const [deleted] = world.suites;
  const { orgId, suite } = deleted;
  expect(await deleteSuite(world, deleted)).toBe('deleted');
  await world.table.put((await dueOf(world, 'suite'))?.head as Item);
  world.toDay(300);
  await world.purge();
  expect(world.texts()).toContain(`text ${suite.id}`);
  expect((await suiteStore(world.table).find(orgId, suite.id))?.id).toBe(suite.id);
  expect(await dueOf(world, 'suite')).toBeUndefined();
});

test('a purge removes the rest of a suite that was never made', async () => {
  const world = await newWorld();
  const [{ orgId, suite }] = world.suites;
  const never = { ...suite, id: randomUUID(), slug: 'never' };
  const dying = dyingAt(world.table, { write: 3, isDone: false });
  await putSuite(dying, orgId, never).catch(unlessDead);
  expect(await world.kindsOf(never.id)).toEqual(['PURGEDUE', 'REVISION']);
  world.toDay(3);
  await world.purge();
  expect(await world.kindsOf(never.id)).toEqual([]);
});
