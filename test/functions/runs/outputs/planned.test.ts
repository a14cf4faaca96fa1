import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectInvalid } from '../../../support/expectations.ts';
import { type OwnStage, startOwnStage } from '../../../support/ownStage.ts';
import { ended, newClient, submit, usedRuns } from '../../../support/stage.ts';
import { ALL, KEYS, makeTrust, type Trust } from './trust.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

async function newTrust(): Promise<Trust & { readonly orgId: string }> {
  const { client, orgId } = await newClient(stage);
  return { ...(await makeTrust(stage.service.baseUrl, {}, client)), orgId };
}

test('outputs that wait while their suite changes are judged by the bar that was in force when the run was accepted', async () => {
  const trusts = [];
  for (let each = 0; each < 4; each++) trusts.push(await newTrust());
  const [changed, fewer, gone, excused] = trusts;
  await fewer!.patchCase('a', { sample_count: 2 });
  stage.queue.isDown = true;
  const send = async (trust: Trust, outputs: readonly object[], fields: object = {}) =>
    submit(trust.client, { suite: 't', outputs, ...fields });
  const digests = await Promise.all(trusts.map((trust) => trust.digest()));
  const ids = [
    await send(changed!, ALL, { suite_digest: digests[0] }),
    await send(fewer!, [...ALL, ALL[0]!]),
    await send(gone!, ALL),
    await send(excused!, ALL),
  ];
  await changed!.patchCase('a', { expected: 'other' });
  await fewer!.patchCase('a', { sample_count: 1 });
  await gone!.patchCase('a', { is_active: false });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const advisory = { owner: 'Ann', reason: 'Being rewritten', expires_at };
  for (const key of KEYS) await excused!.patchCase(key, { advisory });
  stage.queue.isDown = false;
  await stage.sweep();
  for (const [index, trust] of trusts.entries()) {
    expect(await ended(trust.client, ids[index]!)).toMatchObject({
      status: 'cleared',
      passed_cases: 4,
      advisory_cases: 0,
      surplus: [],
      notices: [],
      suite_digest: digests[index],
    });
    expect(await trust.digest()).not.toBe(digests[index]);
    expect(await usedRuns(stage, trust.orgId)).toBe(1);
  }
});

test('what does not fit the suite is refused when the run is accepted, stores no run and counts nothing', async () => {
  const trust = await newTrust();
  const before = await trust.digest();
  await trust.patchCase('a', { weight: 2 });
  const send = (fields: object) => trust.client('POST', '/v1/run', { suite: 't', async: true, ...fields });
  const changed = await send({ outputs: ALL, suite_digest: before });
  expect([changed.status, changed.body.error.code]).toEqual([409, 'SUITE_CHANGED']);
  expect(changed.body.error.details).toEqual({ suite_digest: await trust.digest() });
  expectInvalid(await send({ outputs: [...ALL, ALL[0]!] }), 'outputs.4');
  expectInvalid(await send({ outputs: [{ case: 'unknown', output: 'a' }] }), 'outputs');
  await trust.patchCase('a', { sample_count: 2 });
  expectInvalid(await send({ output: 'a' }), 'output');
  expect(await trust.counted()).toEqual({ usage: 0, runs: 0 });
});
