import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

test('outputs that wait while their suite changes are judged by the bar of their planning, or given back', async () => {
  const trusts = [];
  for (let each = 0; each < 5; each++) trusts.push(await newTrust());
  const [held, free, fewer, gone, excused] = trusts;
  await fewer!.patchCase('a', { sample_count: 2 });
  stage.queue.isDown = true;
  const send = async (trust: Trust, outputs: readonly object[], fields: object = {}) =>
    submit(trust.client, { suite: 't', outputs, ...fields });
  const ids = [
    await send(held!, ALL, { suite_digest: await held!.digest() }),
    await send(free!, ALL),
    await send(fewer!, [...ALL, ALL[0]!]),
    await send(gone!, ALL.slice(0, 1)),
    await submit(excused!.client, { suite: 't', output: 'a' }),
  ];
  for (const trust of [held!, free!]) await trust.patchCase('a', { expected: 'other' });
  await fewer!.patchCase('a', { sample_count: 1 });
  await gone!.patchCase('a', { is_active: false });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const advisory = { owner: 'Ann', reason: 'Being rewritten', expires_at };
  for (const key of KEYS) await excused!.patchCase(key, { advisory });
  const present = await free!.digest();
  stage.queue.isDown = false;
  await stage.sweep();

  const runs = [];
  for (const [index, trust] of trusts.entries()) runs.push(await ended(trust.client, ids[index]!));
  const unjudged = { status: 'aborted', inconclusive: true, verdict: null };
  expect(runs[0]).toMatchObject({ ...unjudged, notices: [{ code: 'SUITE_CHANGED' }] });
  expect(runs[1]).toMatchObject({
    ...{ status: 'cleared', passed_cases: 3, suite_digest: present, notices: [] },
  });
  const tooMany = { code: 'OUTPUTS_REFUSED', message: expect.stringMatching(/"a".*\b1\b/) };
  expect(runs[2]).toMatchObject({ ...unjudged, notices: [tooMany] });
  expect(runs[3]).toMatchObject({ ...unjudged, notices: [{ code: 'OUTPUTS_REFUSED' }] });
  const advisoryOnly = { code: 'OUTPUTS_REFUSED', message: expect.stringContaining('advisory') };
  expect(runs[4]).toMatchObject({ ...unjudged, notices: [advisoryOnly] });
  const used = [];
  for (const { orgId } of trusts) used.push(await usedRuns(stage, orgId));
  expect(used).toEqual([0, 1, 0, 0, 0]);
});
