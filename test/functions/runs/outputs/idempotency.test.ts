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

test('outputs that are sent twice under one key are judged once, counted once and answered alike', async () => {
  const first = await post(ALL.slice(1));
  const again = await post(ALL.slice(1));
  expect([first.status, isReplay(first), again.status, isReplay(again)]).toEqual([200, false, 200, true]);
  expect(again.body).toEqual(first.body);
  expect(await trust.counted()).toEqual({ usage: 1, runs: 1 });
});

test('the answer is the former one even where the suite would judge otherwise by now', async () => {
  const first = await post(ALL);
  await trust.patchCase('a', { sample_count: 2, expected: 'x', must_pass: true });
  expect((await post(ALL)).body).toEqual(first.body);
});

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

test('of many at once one is judged, and the others get its verdict or an error that says so', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(ALL)));
  for (const { status, body } of answers) {
    if (status !== 200) expect([status, body.error.code]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
  }
  const judged = answers.filter(({ status }) => status === 200);
  expect(new Set(judged.map(({ body }) => body.id)).size).toBe(1);
  expect(await trust.counted()).toEqual({ usage: 1, runs: 1 });
});
