import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, usedRuns } from '../../support/stage.ts';
import { resultsOf } from '../runs/gate.ts';
import { makeJudgedGate } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

test('a waiting client gets the verdict when the provider answers in time', async () => {
  const gate = await makeJudgedGate(stage, { count: 3 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  stage.providers.always('openai', async (call, response) => {
    await released;
    await verdict()(call, response);
  });
  const answering = gate.run('Paris');
  const listed = async () => (await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data;
  await eventually(async () => (await listed()).length === 1);
  release();
  const answer = await answering;
  expect(answer).toMatchObject({ status: 'cleared', passed: true, total_cases: 3, passed_cases: 3 });
  const { data } = (await gate.client('GET', `/v1/runs/${answer.id}`)).body;
  const { scores: _, failures: __, passed: ___, ...summary } = answer;
  expect(data).toMatchObject(summary);
  expect(data.completed_at >= data.created_at).toBe(true);
  expect(data.duration_ms).toBeGreaterThan(0);
});

test('when the provider takes longer the answer is the pending run, which ends when the provider answers', async () => {
  const gate = await makeJudgedGate(stage, { count: 2 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  stage.providers.always('openai', async (call, response) => {
    await released;
    await verdict()(call, response);
  });
  const answer = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'Paris' });
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 202,
    body: {
      id: expect.stringMatching(/^run_/),
      status: 'pending',
      message: expect.stringContaining(`GET /v1/runs/${answer.body.id}`),
    },
  });
  release();
  expect(await ended(gate.client, answer.body.id)).toMatchObject({ status: 'cleared', passed_cases: 2 });
  expect(await resultsOf(gate.client, answer.body.id)).toHaveLength(2);
  expect(await usedRuns(stage, gate.orgId)).toBe(1);
});

test('a client that hangs up while it waits loses nothing: its run ends and is listed', async () => {
  const gate = await makeJudgedGate(stage);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  stage.providers.always('openai', async (call, response) => {
    await released;
    await verdict()(call, response);
  });
  const patience = new AbortController();
  const waiting = fetch(`${stage.service.baseUrl}/v1/run`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${gate.apiKey}` },
    body: JSON.stringify({ suite: gate.suite.slug, output: 'Paris' }),
    signal: patience.signal,
  });
  const listed = async () => (await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data;
  await eventually(async () => (await listed()).length === 1);
  patience.abort();
  await expect(waiting).rejects.toThrow();
  release();
  const [{ id }] = await listed();
  expect(await ended(gate.client, id)).toMatchObject({ status: 'cleared' });
});
