import { beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { expectInvalid } from '../../../support/expectations.ts';
import { isReplay, send } from '../../idempotency/repeat.ts';
import { ALL, makeTrust, right, type Trust } from './trust.ts';

let trust: Trust;
beforeEach(async () => {
  trust = await makeTrust(sharedServiceUrl());
});

const post = (outputs: readonly object[], fields: object = {}) =>
  send(trust.client, 'release-1', { suite: 't', outputs, ...fields });

test.each<[string, readonly object[], object]>([
  ['another output', [...right('a', 'b', 'c'), { case: 'd', output: 'D' }], {}],
  ['one output fewer', right('a', 'b', 'c'), {}],
  ['another order', ALL.toReversed(), {}],
  ['other metadata', [{ ...ALL[0], metadata: { n: 1 } }, ...ALL.slice(1)], {}],
  ['another input of an item', [{ ...ALL[0], input: {} }, ...ALL.slice(1)], {}],
  ['an error in place of an output', [{ case: 'a', error: 'a' }, ...ALL.slice(1)], {}],
  ['a digest', ALL, { suite_digest: `sha256:${'0'.repeat(64)}` }],
  ['not waiting', ALL, { async: true }],
])('%s under a used key is refused, and nothing is counted', async (_, outputs, fields) => {
  await post(ALL);
  const answer = await post(outputs, fields);
  expect([answer.status, answer.body.error?.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  expect(await trust.counted()).toEqual({ usage: 1, runs: 1 });
});

test('outputs that were refused leave the key free', async () => {
  expectInvalid(await post(right('a', 'a')), 'outputs.1');
  expectInvalid(await post([{ case: 'zzz', output: '' }]), 'outputs');
  expect((await post(ALL, { suite_digest: `sha256:${'0'.repeat(64)}` })).status).toBe(409);
  expect(await trust.counted()).toEqual({ usage: 0, runs: 0 });
  const answer = await post(ALL);
  expect([answer.status, isReplay(answer)]).toEqual([200, false]);
});
