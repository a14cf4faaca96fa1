import { expect, test } from '@jest/globals';
import { handler as createCase } from '../../../../functions/cases/create.ts';
import { handler as createRun } from '../../../../functions/runs/create.ts';
import { handler as getRun } from '../../../../functions/runs/get.ts';
import { handler as listRuns } from '../../../../functions/runs/list.ts';
import { handler as createScorer } from '../../../../functions/scorers/create.ts';
import type { PlanId } from '../../../../shared/contracts/auth.ts';
import { timestamp } from '../../../../shared/domain/time.ts';
import { changePlan } from '../../../../shared/storage/billing/planChanges.ts';
import { usageStore } from '../../../../shared/storage/runs/usage.ts';
import { afterPushes } from '../../../../shared/storage/table/pushes/afterPushes.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { call, inTable, makeWorld, type World } from '../../definitions/world.ts';

const NOW_MS = Date.parse('2036-05-05T10:00:00.000Z');
const ENDS_MS = NOW_MS + 60_000;
const LATER_MS = NOW_MS + 120_000;

/** `steady` passes, and `moved` fails and is advisory for a minute. */
async function addCases(at: World): Promise<void> {
  const config = { values: ['ok'] };
  const made = { params: { slug: 'bot' }, body: { name: 'Says ok', type: 'contains', config } };
  const scorer_id = (await call(createScorer, at, made)).body.data.id;
  const expires_at = timestamp(ENDS_MS);
  const advisory = { owner: 'Ann', reason: 'Being rewritten for the new form', expires_at };
  for (const fields of [{ key: 'steady' }, { key: 'moved', advisory }]) {
    const body = { name: fields.key, scorer_id, input: {}, expected: null, ...fields };
    const { status } = await call(createCase, at, { params: { suiteId: at.suiteId }, body });
    expect(status).toBe(201);
  }
}

const outputs = [
  { case: 'steady', output: 'ok' },
  { case: 'moved', output: 'no' },
];
const run = (at: World) => call(createRun, at, { body: { project: 'bot', suite: 'returns', outputs } });

/** `meanwhile` happens before the first of the writes that store a run; its process was frozen there. */
function frozen(table: Table, meanwhile: () => Promise<void>): Table {
  let left = 1;
  const before = async (isOfRun: boolean) => {
    if (isOfRun && left-- > 0) await meanwhile();
  };
  return {
    ...afterPushes(table),
    async transact(writes, options) {
      await before('run' in writes);
      return table.transact(writes, options);
    },
    async update(change) {
      await before(change.UpdateExpression?.includes('run_count') === true);
      return table.update(change);
    },
  };
}

test.each<PlanId>(['free', 'pro'])(
  'on the plan %s a run whose function froze, and which is created behind another by whose time an advisory has ended, is scored by that time',
  async (plan) => {
    let nowMs = NOW_MS;
    const at = await makeWorld(() => nowMs);
    await addCases(at);
    const { table } = at.runtime;
    await changePlan(table, { orgId: at.orgId, plan: () => plan, atMs: nowMs, alongside: {} });
    const late = inTable(
      at,
      frozen(table, async () => {
        nowMs = LATER_MS;
        expect((await run(at)).body).toMatchObject({ status: 'aborted', total_cases: 2 });
      }),
    );
    const { status, body } = await run(late);
    expect([status, body]).toMatchObject([
      200,
      { status: 'aborted', total_cases: 2, failed_cases: 1, advisory_cases: 0, notices: [] },
    ]);
    const read = (await call(getRun, at, { params: { runId: body.id } })).body.data;
    expect(read).toMatchObject({ created_at: timestamp(LATER_MS), status: 'aborted', total_cases: 2 });
    const listed = await call(listRuns, at, { params: { suiteId: at.suiteId } });
    expect(listed.body.pagination.total).toBe(2);
    expect(await usageStore(table).used(at.orgId, '2036-05')).toBe(2);
  },
);

test('a run that is created behind another before its advisory ends is scored once', async () => {
  let nowMs = NOW_MS;
  const at = await makeWorld(() => nowMs);
  await addCases(at);
  const late = frozen(at.runtime.table, async () => {
    nowMs = ENDS_MS - 1;
    await run(at);
  });
  const { body } = await run(inTable(at, late));
  expect(body).toMatchObject({ status: 'cleared', total_cases: 1, advisory_cases: 1 });
  const read = (await call(getRun, at, { params: { runId: body.id } })).body.data;
  expect(read.created_at).toBe(timestamp(ENDS_MS - 1));
});
