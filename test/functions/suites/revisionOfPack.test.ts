import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { caseKey } from '../../../shared/storage/table/keys.ts';
import { ended, newClient, type ProcessStage, startStage, submit } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

let stage: ProcessStage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

async function revisionOf({ client, suite }: Gate) {
  const answer = await client('GET', `/v1/suites/${suite.id}/revision`);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

/** Past the service, so that only a pack still has the suite as it was. */
async function editBehind({ project }: Gate, { id, suite_id }: EvalCase) {
  const { updated } = await stage.table.update({
    Key: caseKey(project.org_id, suite_id, id),
    UpdateExpression: 'SET threshold = :threshold',
    ExpressionAttributeValues: { ':threshold': 0.123 },
  });
  expect(updated).toBe(true);
}

test('a suite that a queued run has packed is read from the pack, its judges, too', async () => {
  const gate = await makeJudgedGate(stage, { config: { model: 'gpt-named' }, count: 2 });
  const before = await revisionOf(gate);
  expect(before).toMatchObject({ case_count: 2, judges: [{ provider: 'openai', model: 'gpt-named' }] });
  await ended(gate.client, await submit(gate.client, { suite: gate.suite.slug, output: 'x' }));
  await editBehind(gate, gate.cases[0] as EvalCase);
  expect(await revisionOf(gate)).toEqual(before);
  await gate.client('PATCH', `/v1/cases/${gate.cases[1]?.id}`, { weight: 2 });
  const edited = await revisionOf(gate);
  expect(edited).toEqual({ ...before, digest: edited.digest });
  expect(edited.digest).not.toBe(before.digest);
});

test('a suite that a synchronous run has packed is read from the pack, until an advisory has ended', async () => {
  const { client } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, {}, client);
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const advisory = { owner: 'Ada', reason: 'It is being revised.', expires_at };
  const evalCase = await gate.add({}, { expected: 'x'.repeat(250_000), input: {} });
  await gate.add({}, { advisory });
  const before = await revisionOf(gate);
  expect(before).toMatchObject({ case_count: 2, gating_cases: 1, judges: [] });
  await gate.run('ok');
  await editBehind(gate, evalCase);
  expect(await revisionOf(gate)).toEqual(before);
  await stage.restart('SIGTERM', { TEST_CLOCK_AHEAD_MS: '3600000' });
  const later = await revisionOf(gate);
  expect(later).toEqual({ ...before, gating_cases: 2, digest: later.digest });
});
