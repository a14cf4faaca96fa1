import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { placeOfRun } from '../../../shared/domain/runs/ids.ts';
import { DAY_MS } from '../../../shared/domain/time.ts';
import { retentionDueKey, runKey } from '../../../shared/storage/table/keys.ts';
import { changePlan } from '../../support/changePlan.ts';
import { newClient, type ProcessStage, startStage } from '../../support/stage.ts';
import { makeGate } from '../runs/gate.ts';

let stage: ProcessStage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.stop());

test('a restarted service resumes an extension whose message was lost with the queue', async () => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, {}, client);
  await gate.add({});
  const place = placeOfRun((await gate.run('ok')).id);
  if (place === undefined) throw new Error('no place');
  await changePlan(stage.table, orgId, 'pro', Date.now());
  // Two minutes later by its clock: requests of before have ended.
  await stage.restart('SIGKILL');
  while ((await stage.table.get(retentionDueKey(orgId))) !== undefined) await delay(100);
  const run = await stage.table.get(runKey(orgId, place.suiteId, place.number));
  expect(Number(run?.expires_at) * 1_000).toBeGreaterThan(Date.now() + 365 * DAY_MS);
});
