import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { purgeDeleted } from '../../../../shared/domain/purge/purge.ts';
import { DAY_MS, timestamp } from '../../../../shared/domain/time.ts';
import { purgeStore } from '../../../../shared/storage/purge/purges.ts';
import { runStore } from '../../../../shared/storage/runs/runs.ts';
import { projectStore } from '../../../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../../../shared/storage/suites/suites.ts';
import { resultsKey, runKey, TTL } from '../../../../shared/storage/table/keys.ts';
import { dropExpired } from '../../../support/dropExpired.ts';
import { type OwnTable, startOwnTable } from '../../../support/ownService.ts';
import { putSuite } from '../../../support/revisions/bars.ts';
import { resultOf } from '../results.ts';
import { finishedRun, type MadeSuite, makeStoredSuite } from '../stored.ts';

const START_MS = Date.parse('2036-05-05T10:00:00.000Z');
const MONTHS_LATER = (START_MS + 300 * DAY_MS) / 1_000;
const now = () => nowMs;

let own: OwnTable;
let nowMs = START_MS;
beforeAll(async () => {
  own = await startOwnTable(now);
});
afterAll(() => own.stop());

/** A deleted project of two suites with a run each, one of which was deleted before. */
async function deletedProject(): Promise<MadeSuite> {
  nowMs = START_MS;
  const made = await makeStoredSuite(own.table);
  const { orgId, suite } = made;
  const deleted = { ...suite, id: randomUUID(), slug: 'deleted' };
  const suites = suiteStore(own.table);
  await putSuite(own.table, orgId, deleted);
  for (const one of [suite, deleted]) {
    const head = await suites.head(orgId, one.slug, one.project_id);
    if (head === undefined) throw new Error('no head');
    const at = { startedAtMs: nowMs, completedAtMs: nowMs, retentionDays: 365 };
    await runStore(own.table, randomUUID).commit(
      finishedRun({ orgId, head, suite: one }, [resultOf(0, 'x'.repeat(900))], at),
    );
  }
  await suites.delete(orgId, deleted, { deletedAt: timestamp(nowMs) });
  const project = { id: suite.project_id, org_id: orgId, name: 'Bot', slug: 'bot', description: null };
  await projectStore(own.table).delete({
    ...project,
    weaker_pushes: 'suites',
    created_at: timestamp(nowMs),
    updated_at: timestamp(nowMs),
  });
  return made;
}

const itemsOf = async ({ orgId }: MadeSuite) =>
  (await own.items()).filter(({ pk, sk }) => `${pk} ${sk}`.includes(orgId));

async function purge(): Promise<void> {
  const purges = purgeStore(own.table);
  await purgeDeleted({
    purges,
    now,
    onFailure: (error) => {
      throw error;
    },
  });
}

test('a purge that stops after any of its items, in its first walk or its last, and goes on months later, leaves nothing', async () => {
  for (const walk of ['first', 'last', 'last, but for a run under way']) {
    let hasEnded = false;
    for (let items = 1; !hasEnded; items++) {
      const made = await deletedProject();
      nowMs = START_MS + (walk === 'first' ? 0.1 : 3.1) * DAY_MS;
      const pending = { ...runKey(made.orgId, made.suite.id, 2), status: 'pending', [TTL]: MONTHS_LATER };
      if (walk.endsWith('under way')) await own.table.put(pending);
      const purges = purgeStore(own.table);
      const [due] = (await purges.due(nowMs)).filter(({ kind }) => kind === 'project');
      if (due === undefined) throw new Error('nothing is due');
      let position = { fromMs: nowMs, at: null, left: false } as NonNullable<typeof due.position>;
      for (let step = 0; step < items && !hasEnded; step++) {
        position = await purges.expire(due, position, { limit: 1, isLast: walk !== 'first' });
        hasEnded = position.at === null;
      }
      if (!hasEnded) await purges.save({ ...due, position });
      // What was under way writes more.
      const late = {
        ...resultsKey(made.orgId, made.suite.id, 'late', { chunk: 0, part: 0 }),
        [TTL]: MONTHS_LATER,
      };
      if (walk !== 'last') await own.table.put(late);
      // The service is off until what has its time to live is dropped.
      for (const days of [31, 40, 75]) {
        nowMs = START_MS + days * DAY_MS;
        await dropExpired(own, nowMs);
        await purge();
      }
      nowMs = START_MS + 76 * DAY_MS;
      await dropExpired(own, nowMs);
      const left = (await itemsOf(made)).map(({ sk }) => String(sk).replace(/#.*/, ''));
      expect({ walk, items, left: left.filter((kind) => kind !== 'USAGE' && kind !== 'LIST') }).toEqual({
        ...{ walk, items, left: [] },
      });
    }
  }
});
