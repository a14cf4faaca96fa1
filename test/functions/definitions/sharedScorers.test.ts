import { expect, test } from '@jest/globals';
import { handler as createCase } from '../../../functions/cases/create.ts';
import { handler as putDefinition } from '../../../functions/definitions/put.ts';
import { handler as createRun } from '../../../functions/runs/create.ts';
import { handler as createSuite } from '../../../functions/suites/create.ts';
import type { Table } from '../../../shared/storage/table/table.ts';
import { withOwn } from '../../shared/storage/contended.ts';
import { call, makeWorld, type World } from './world.ts';

const definition = (says: string) => ({
  version: 1,
  suite: 'returns',
  scorers: { says: { type: 'contains', config: { values: [says] } } },
  cases: [{ key: 'a', scorer: 'says', input: {} }],
});
const put = (at: World, says: string) => {
  const params = { slug: 'bot', suiteSlug: 'returns' };
  return call(putDefinition, at, { params, body: { definition: definition(says), allow_weaker: true } });
};

/** Does something before the transaction that puts a push in force. */
function interrupted(table: Table, acts: readonly (() => Promise<unknown>)[]): Table {
  let step = 0;
  const transact: Table['transact'] = async (writes, options) => {
    await acts[step++]?.();
    return table.transact(writes, options);
  };
  return withOwn(table, { transact });
}

test('a suite that begins to use a scorer while a push changes it is judged by the scorer as it is then', async () => {
  const at = await makeWorld();
  expect((await put(at, 'old')).status).toBe(200);
  const other = { params: { slug: 'bot' }, body: { name: 'Other', slug: 'other' } };
  const suiteId = (await call(createSuite, at, other)).body.data.id;
  const run = async () =>
    (await call(createRun, at, { body: { suite: 'other', output: 'new' } })).body.status;
  const body = { name: 'Late', input: {}, scorer_id: await at.scorerId('says') };
  const table = interrupted(at.runtime.table, [() => call(createCase, at, { params: { suiteId }, body })]);
  const answer = await put({ ...at, runtime: { ...at.runtime, table } }, 'new');
  expect(answer.body.data.applied).toBe(true);
  expect(await run()).toBe('cleared');
});
