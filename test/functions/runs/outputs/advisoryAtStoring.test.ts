import { expect, test } from '@jest/globals';
import { handler as createCase } from '../../../../functions/cases/create.ts';
import { handler as createRun } from '../../../../functions/runs/create.ts';
import { handler as listRuns } from '../../../../functions/runs/list.ts';
import { handler as createScorer } from '../../../../functions/scorers/create.ts';
import type { Run } from '../../../../shared/contracts/runs.ts';
import { timestamp } from '../../../../shared/domain/time.ts';
import type { Table } from '../../../../shared/storage/table/table.ts';
import { withOwn } from '../../../shared/storage/contended.ts';
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

test('which cases gate goes by created_at, which is decided before scoring, though a run that is stored meanwhile has a later one', async () => {
  let nowMs = NOW_MS;
  const at = await makeWorld(() => nowMs);
  await addCases(at);
  const { table } = at.runtime;
  const update: Table['update'] = async (change) => {
    const takesNumber = change.UpdateExpression?.includes('run_count') === true;
    if (takesNumber && nowMs === NOW_MS) {
      nowMs = LATER_MS;
      expect((await run(at)).body).toMatchObject({ status: 'aborted', total_cases: 2 });
    }
    return table.update(change);
  };
  const frozen = withOwn(table, { update });
  const { body } = await run(inTable(at, frozen));
  expect(body).toMatchObject({ status: 'cleared', total_cases: 1, advisory_cases: 1 });
  const listed = await call(listRuns, at, { params: { suiteId: at.suiteId } });
  expect(listed.body.data.map(({ created_at }: Run) => created_at)).toEqual(
    [NOW_MS, LATER_MS].map(timestamp),
  );
});
