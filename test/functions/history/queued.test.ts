import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { eventually } from '../../support/service.ts';
import { ended, newClient, submit } from '../../support/stage.ts';
import { makeGate } from '../runs/gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

test('a queued run lists its bar when it has ended, a second one does not', async () => {
  const { client } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, {}, client);
  await gate.add({});
  const bars = async () => (await client('GET', `/v1/suites/${gate.suite.id}/revisions`)).body.data;
  const first = await submit(client, { suite: gate.suite.slug, output: 'ok' });
  const { suite_digest: digest, created_at: first_run_at } = await ended(client, first);
  const listed = [
    { digest, first_run_id: first, first_run_at, case_count: 1, pass_threshold: 1, reliability: null },
  ];
  await eventually(async () => (await bars()).length > 0);
  expect(await bars()).toEqual(listed);
  await ended(client, await submit(client, { suite: gate.suite.slug, output: 'ok' }));
  await gate.run('ok');
  expect(await bars()).toEqual(listed);
});
