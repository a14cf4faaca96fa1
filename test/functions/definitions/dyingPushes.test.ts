import { beforeAll, describe, expect, test } from '@jest/globals';
import { handler as createCase } from '../../../functions/cases/create.ts';
import { handler as getDefinition } from '../../../functions/definitions/get.ts';
import { handler as putDefinition } from '../../../functions/definitions/put.ts';
import { handler as createRun } from '../../../functions/runs/create.ts';
import { handler as getRevision } from '../../../functions/suites/revision.ts';
import { type Dying, dyingTable } from './dyingTable.ts';
import { call, inTable, makeWorld, type World } from './world.ts';

/** A push that dies at its n-th write, before or after the write took place. */

const scorers = {
  says: { type: 'contains', config: { values: ['30 days'] } },
  polite: { type: 'contains', config: { values: ['please'] } },
};
const BEFORE = {
  version: 1,
  suite: 'returns',
  pass_threshold: 0.5,
  scorers,
  cases: [
    { key: 'a', scorer: 'says', input: { q: 1 } },
    { key: 'b', scorer: 'says', input: { q: 2 } },
    { key: 'c', scorer: 'polite', input: { q: 3 } },
  ],
};
const AFTER = {
  version: 1,
  suite: 'returns',
  name: 'Returned',
  pass_threshold: 0.9,
  scorers: { says: { ...scorers.says, config: { values: ['thirty'] } }, new: scorers.polite },
  cases: [
    { key: 'c', scorer: 'new', input: { q: 3 }, expected: 'x'.repeat(200_000) },
    { key: 'a', scorer: 'says', input: { q: 1 }, weight: 3 },
    { key: 'd', scorer: 'new', input: { q: 4 } },
  ],
};
const CHANGE = { definition: AFTER, prune: true, allow_weaker: true };
const PARAMS = { slug: 'bot', suiteSlug: 'returns' };

let world: World;
const put = (at: World, body: object) => call(putDefinition, at, { params: PARAMS, body });
const definition = async (at: World) => (await call(getDefinition, at, { params: PARAMS })).body.data;

async function started(): Promise<World> {
  const at = await makeWorld();
  expect((await put(at, { definition: BEFORE })).status).toBe(200);
  return at;
}

/** How many writes the push takes that does not die. */
let writes = 0;
beforeAll(async () => {
  world = await started();
  const dying = dyingTable(world.runtime.table, Number.POSITIVE_INFINITY, 'before');
  expect((await put(inTable(world, dying.table), CHANGE)).body.data.applied).toBe(true);
  writes = dying.writes();
  expect(writes).toBeGreaterThan(4);
});

const STEPS_MAX = 20;
const steps = Array.from({ length: STEPS_MAX }, (_, step) => step + 1);

describe.each(['before', 'after'] as const)('a push that dies %s a write', (when: Dying) => {
  test.each(steps)(
    'leaves the old bar or the new one whole, and another push heals it: write %i',
    async (step) => {
      if (step > writes) return;
      const at = await started();
      const dying = dyingTable(at.runtime.table, step, when);
      await put(inTable(at, dying.table), CHANGE);
      const found = await definition(at);
      const isNew = found.definition.pass_threshold === 0.9;
      expect(found.definition.cases.map(({ key }: { key: string }) => key)).toEqual(
        isNew ? ['c', 'a', 'd'] : ['a', 'b', 'c'],
      );
      const params = { suiteId: at.suiteId };
      expect((await call(getRevision, at, { params })).body.data.digest).toBe(found.suite_digest);
      const run = (await call(createRun, at, { body: { suite: 'returns', output: 'thirty, please' } })).body;
      expect(run).toMatchObject({ suite_digest: found.suite_digest, status: isNew ? 'cleared' : 'aborted' });
      const healed = await put(at, CHANGE);
      expect(healed.body.data.applied).toBe(!isNew);
      expect((await definition(at)).definition).toMatchObject({
        name: 'Returned',
        cases: [{ key: 'c' }, { key: 'a' }, { key: 'd' }],
      });
    },
  );

  test.each(steps)('keeps no edit of the suite from what is in force: write %i', async (step) => {
    if (step > writes) return;
    const at = await started();
    await put(inTable(at, dyingTable(at.runtime.table, step, when).table), CHANGE);
    const { scorers: used } = (await definition(at)).definition;
    const isNew = used.new !== undefined;
    const body = { key: 'by-hand', name: 'By hand', input: {}, scorer_id: await at.scorerId('says') };
    expect((await call(createCase, at, { params: { suiteId: at.suiteId }, body })).status).toBe(201);
    const keys = (await definition(at)).definition.cases.map(({ key }: { key: string }) => key);
    expect(keys).toEqual([...(isNew ? ['c', 'a', 'd'] : ['a', 'b', 'c']), 'by-hand']);
  });
});
