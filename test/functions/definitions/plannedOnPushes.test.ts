import { beforeAll, describe, expect, test } from '@jest/globals';
import { handler as listCases } from '../../../functions/cases/list.ts';
import { handler as reorderCases } from '../../../functions/cases/reorder.ts';
import { handler as getDefinition } from '../../../functions/definitions/get.ts';
import { handler as putDefinition } from '../../../functions/definitions/put.ts';
import { handler as listScorers } from '../../../functions/scorers/list.ts';
import { handler as listSuites } from '../../../functions/suites/list.ts';
import { afterPushes } from '../../../shared/storage/table/pushes/afterPushes.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { sized } from '../../support/soak.ts';
import { dyingTable } from './dyingTable.ts';
import { call, inTable, makeWorld, type World } from './world.ts';

/** Writers that read while another push is in force that is not written out: its end changes no revision. */

const numbered = (count: number, first = 0) =>
  Array.from({ length: count }, (_, index) => `case-${first + index}`);
const says = { type: 'contains', config: { values: ['30 days'] } };
const definition = (suite: string, keys: readonly string[], scorer = 'says') => ({
  ...{ version: 1, suite, scorers: { [scorer]: says } },
  cases: keys.map((key) => ({ key, scorer, input: {} })),
});
type Definition = ReturnType<typeof definition>;

const put = (at: World, sent: Definition) => {
  const params = { slug: 'bot', suiteSlug: sent.suite };
  return call(putDefinition, at, { params, body: { definition: sent, prune: true, allow_weaker: true } });
};
const keysOf = async (at: World): Promise<string[]> => {
  const { data } = (await call(getDefinition, at, { params: { slug: 'bot', suiteSlug: 'returns' } })).body;
  return data.definition.cases.map(({ key }: { key: string }) => key);
};

/** A push that dies after its n-th write. */
const dyingPush = (at: World, sent: Definition, step: number) =>
  put(inTable(at, dyingTable(at.runtime.table, step, 'after').table), sent);

/** Does something once the writer has looked for a push under way, and before it reads the suite. */
function meeting(table: Table, act: () => Promise<unknown>): Table {
  let isDone = false;
  return {
    ...afterPushes(table),
    async get(key, options) {
      if (!isDone && key.sk === 'SUITE') {
        isDone = true;
        await act();
      }
      return table.get(key, options);
    },
  };
}

const EXTRA = { key: 'x', scorer: 'extra', input: {} };
const BEFORE = definition('returns', numbered(250));

async function started(): Promise<World> {
  const at = await makeWorld();
  expect((await put(at, BEFORE)).status).toBe(200);
  return at;
}

const WRITES_MAX = 24;
/** Every third one; all of them in `npm run soak`. */
const STEPS = Array.from({ length: WRITES_MAX }, (_, index) => index + 1).filter(
  (step) => step % sized(3, 1) === 0,
);
let world: World;
beforeAll(async () => {
  world = await started();
  const dying = dyingTable(world.runtime.table, Number.POSITIVE_INFINITY, 'after');
  await put(inTable(world, dying.table), definition('returns', numbered(650, 20)));
  expect(dying.writes()).toBeLessThanOrEqual(WRITES_MAX);
});

describe('a push that is planned while another one of the suite has died', () => {
  test.each(STEPS)('is the suite, whole, and each case stands once: write %i', async (step) => {
    const at = await started();
    const other = () => dyingPush(at, definition('returns', numbered(650, 20)), step);
    const wanted = numbered(30, 440).toReversed();
    const answer = await put(inTable(at, meeting(at.runtime.table, other)), definition('returns', wanted));
    expect(answer.status).toBe(200);
    expect(await keysOf(at)).toEqual(wanted);
    expect(at.leftovers()).toEqual([]);
  });
});

describe('a push that is planned while one of another suite has died', () => {
  test.each(STEPS)('makes no second scorer of a key, and loses none: write %i', async (step) => {
    const at = await started();
    const other = () => dyingPush(at, definition('other', ['a'], 'made'), step);
    const meets = inTable(at, meeting(at.runtime.table, other));
    expect((await put(meets, definition('returns', ['b', 'c'], 'made'))).status).toBe(200);
    const scorers = (await call(listScorers, at, { params: { slug: 'bot' } })).body.data;
    expect(scorers.map(({ key }: { key: string }) => key)).toEqual(['made']);
    const suites: { id: string }[] = (await call(listSuites, at, { params: { slug: 'bot' } })).body.data;
    for (const { id: suiteId } of suites) {
      const cases = (await call(listCases, at, { params: { suiteId } })).body.data;
      for (const { scorer_id } of cases) expect(scorer_id).toBe(scorers[0].id);
    }
  });
});

describe('a push that prunes scorers after one of another suite has died', () => {
  test.each(STEPS)('leaves those that the other suite has begun to use: write %i', async (step) => {
    const at = await makeWorld();
    const both = definition('returns', ['b']);
    await put(at, { ...both, scorers: { ...both.scorers, extra: says }, cases: [...both.cases, EXTRA] });
    await dyingPush(at, definition('other', ['a'], 'extra'), step);
    const suites: { slug: string }[] = (await call(listSuites, at, { params: { slug: 'bot' } })).body.data;
    const isUsed = suites.some(({ slug }) => slug === 'other');
    expect((await put(at, both)).status).toBe(200);
    const scorers = (await call(listScorers, at, { params: { slug: 'bot' } })).body.data;
    const keys = scorers.map(({ key }: { key: string }) => key).toSorted();
    expect(keys).toEqual(isUsed ? ['extra', 'says'] : ['says']);
  });
});

describe('cases that are put into a new order after a push has died', () => {
  test.each(STEPS)('are those of the bar in force, or the order is refused: write %i', async (step) => {
    const at = await makeWorld();
    await put(at, definition('returns', ['a', 'b', 'c']));
    const params = { suiteId: at.suiteId };
    const listed = (await call(listCases, at, { params })).body.data;
    const case_ids = listed.map(({ id }: { id: string }) => id).toReversed();
    await dyingPush(at, definition('returns', ['a', 'c', 'd']), step);
    const inForce = await keysOf(at);
    const { status } = await call(reorderCases, at, { params, body: { case_ids } });
    const isNew = inForce.includes('d');
    expect(status).toBe(isNew ? 404 : 200);
    expect(await keysOf(at)).toEqual(isNew ? ['a', 'c', 'd'] : ['c', 'b', 'a']);
  });
});
