import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { failure, verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, submit, usedRuns } from '../../support/stage.ts';
import { type JudgedGate, makeJudgedGate } from '../judged/gate.ts';
import { resultsOf } from '../runs/gate.ts';
import { keysOf, makeKey } from './keys.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterEach(() => stage.providers.reset());
afterAll(() => stage.stop());

const sendTo = ({ client, suite, project }: JudgedGate) =>
  submit(client, { suite: suite.slug, project: project.slug, output: 'Paris' });

/** Revokes the organisation's only key while the first calls of a run are under way. */
async function revokedAmid(gate: JudgedGate, underWay: number): Promise<{ id: string; release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  stage.providers.always('openai', async (call, response) => {
    await released;
    await verdict()(call, response);
  });
  const id = await sendTo(gate);
  await eventually(() => stage.providers.inFlight.now === underWay);
  const [key] = await keysOf(gate.client);
  expect((await gate.client('DELETE', `/v1/byok-keys/${key.id}`)).status).toBe(204);
  expect(await keysOf(gate.client)).toEqual([]);
  return { id, release };
}

test('a key revoked while it is being used ends no run: the calls under way count, and the next run has no key', async () => {
  const gate = await makeJudgedGate(stage, { count: 3 });
  const { id, release } = await revokedAmid(gate, 3);
  release();
  expect(await ended(gate.client, id)).toMatchObject({
    status: 'cleared',
    passed_cases: 3,
    errored_cases: 0,
  });
  expect(await gate.run('London')).toMatchObject({ status: 'aborted', inconclusive: true, errored_cases: 3 });
  expect(stage.providers.calls).toHaveLength(3);
  await makeKey(gate.client);
  expect(await gate.run('London')).toMatchObject({ status: 'cleared' });
});

test('of a long run whose key is revoked, each case has a verdict or BYOK_KEY_MISSING, and errors clear nothing', async () => {
  const gate = await makeJudgedGate(stage, { count: 45 });
  const { id, release } = await revokedAmid(gate, 20);
  release();
  const run = await ended(gate.client, id);
  const results = await resultsOf(gate.client, id);
  expect(results.map(({ case_id }) => case_id)).toEqual(gate.cases.map((evalCase) => evalCase.id));
  const errors = results.flatMap(({ scorer_output: { error } }) => (error === undefined ? [] : [error]));
  expect(new Set([...errors, 'BYOK_KEY_MISSING'])).toEqual(new Set(['BYOK_KEY_MISSING']));
  expect(results.filter(({ passed }) => passed)).toHaveLength(45 - errors.length);
  expect(run).toMatchObject({
    status: errors.length === 0 ? 'cleared' : 'aborted',
    errored_cases: errors.length,
    inconclusive: errors.length > 0,
  });
  expect(await usedRuns(stage, gate.orgId)).toBe(1);
});

test('a key that the provider rejects amid a run is BYOK_KEY_REJECTED for the cases it met, one call each', async () => {
  const gate = await makeJudgedGate(stage, { count: 4 });
  stage.providers.next('openai', failure(401), failure(401));
  const run = await ended(gate.client, await sendTo(gate));
  expect(run).toMatchObject({ status: 'aborted', inconclusive: true, passed_cases: 2, errored_cases: 2 });
  const errors = (await resultsOf(gate.client, run.id)).map(({ scorer_output }) => scorer_output.error);
  expect(errors.filter((error) => error !== undefined)).toEqual(['BYOK_KEY_REJECTED', 'BYOK_KEY_REJECTED']);
  expect(stage.providers.calls).toHaveLength(4);
});
