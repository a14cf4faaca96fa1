import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Api } from '../../support/api.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type Answer, verdict } from '../../support/providers.ts';
import { ended, newClient, usedRuns } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
import { type Gate, makeGate } from '../runs/gate.ts';
import { isReplay, runsListed, send } from './repeat.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

let client: Api;
let orgId: string;
let gate: Gate;
beforeEach(async () => {
  ({ client, orgId } = await newClient(stage));
  gate = await makeGate(stage.service.baseUrl, {}, client);
  await gate.add({});
});

const bodyOf = (fields: object = {}) => ({ suite: gate.suite.slug, output: 'ok', ...fields });

async function expectRuns(count: number): Promise<void> {
  expect(await runsListed(client, gate.suite)).toBe(count);
  expect(await usedRuns(stage, orgId)).toBe(count);
}

test('the same key and body answer the same run with the same body, say so and are counted once', async () => {
  const body = bodyOf({ trigger_meta: { sha: 'abc' }, input: { a: [1, { b: null }] } });
  const first = await send(client, 'release-1', body);
  expect({ status: first.status, replay: isReplay(first) }).toEqual({ status: 200, replay: false });
  expect(first.headers.has('idempotency-replayed')).toBe(false);
  for (let repeat = 0; repeat < 2; repeat++) {
    const again = await send(client, 'release-1', body);
    expect({ status: again.status, replay: isReplay(again) }).toEqual({ status: 200, replay: true });
    expect(again.body).toEqual(first.body);
  }
  await expectRuns(1);
});

test('an aborted verdict is replayed too, even when the suite would judge otherwise by now', async () => {
  const first = await send(client, 'key', bodyOf({ output: 'no' }));
  expect(first.body.status).toBe('aborted');
  await client('PATCH', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, { pass_threshold: 0 });
  const again = await send(client, 'key', bodyOf({ output: 'no' }));
  expect({ replay: isReplay(again), body: again.body }).toEqual({ replay: true, body: first.body });
});

test.each([
  ['another order of fields', '{"output":"ok","input":{"b":{"y":2,"x":1},"a":1},"suite":"SLUG"}'],
  ['other white space', '{ "suite": "SLUG",\n"input": {"a": 1.0, "b": {"x": 1, "y": 2}}, "output": "ok" }'],
  [
    'defaults spelled out',
    '{"suite":"SLUG","input":{"a":1,"b":{"x":1,"y":2}},"output":"ok","async":false,"trigger":"api"}',
  ],
])('%s is the same body', async (_title, text) => {
  const first = await send(client, 'key', bodyOf({ input: { a: 1, b: { x: 1, y: 2 } } }));
  const again = await send(client, 'key', text.replace('SLUG', gate.suite.slug));
  expect({ replay: isReplay(again), id: again.body.id }).toEqual({ replay: true, id: first.body.id });
  await expectRuns(1);
});

test.each([
  ['another output', { output: 'ok ' }],
  ['another input', { input: { a: '1' } }],
  ['an object in place of a list of its fields', { input: { a: [['b', 1]] } }],
  ['an index in place of a list', { input: { a: { 0: 'b' } } }],
  ['other metadata', { trigger_meta: { sha: 'x' } }],
  ['waiting or not', { async: true }],
])('%s under a used key is refused and runs nothing', async (_title, fields) => {
  const first = await send(client, 'key', bodyOf({ input: { a: { b: 1 } } }));
  expect(first.status).toBe(200);
  const other = await send(client, 'key', { ...bodyOf({ input: { a: { b: 1 } } }), ...fields });
  expect({ status: other.status, body: other.body }).toEqual({
    status: 422,
    body: { error: { code: 'IDEMPOTENCY_KEY_REUSED', message: expect.any(String) } },
  });
  await expectRuns(1);
});

test('without a key the same body runs again', async () => {
  const [first, second] = [await gate.run('ok'), await gate.run('ok')];
  expect(first.id).not.toBe(second.id);
  await expectRuns(2);
});

test('keys differ by case, and belong to an organisation', async () => {
  const ids = [await send(client, 'key', bodyOf()), await send(client, 'KEY', bodyOf())].map(
    ({ body }) => body.id,
  );
  const other = await newClient(stage);
  const theirs = await makeGate(stage.service.baseUrl, {}, other.client);
  await theirs.add({});
  const answer = await send(other.client, 'key', bodyOf());
  expect({ status: answer.status, replay: isReplay(answer) }).toEqual({ status: 200, replay: false });
  expect(new Set([...ids, answer.body.id]).size).toBe(3);
  await expectRuns(2);
});

test.each([
  ['empty', ''],
  ['of 256 characters', 'k'.repeat(256)],
])('a key that is %s is refused and runs nothing', async (_title, key) => {
  expectInvalid(await send(client, key, bodyOf()), 'idempotency-key');
  await expectRuns(0);
});

test('a key of 255 characters is taken', async () => {
  const key = 'k'.repeat(255);
  const [first, again] = [await send(client, key, bodyOf()), await send(client, key, bodyOf())];
  expect([first.status, isReplay(again), again.body.id]).toEqual([200, true, first.body.id]);
});

test('a first attempt that was refused leaves the key free for the corrected request', async () => {
  expectNotFound(await send(client, 'key', bodyOf({ suite: 'nowhere' })), { suites: [gate.suite.slug] });
  expectInvalid(await send(client, 'key', bodyOf({ output: 5 })), 'output');
  const corrected = await send(client, 'key', bodyOf());
  expect({ status: corrected.status, replay: isReplay(corrected) }).toEqual({ status: 200, replay: false });
  await expectRuns(1);
});

test('a run whose project was deleted is not shown by its key either', async () => {
  await send(client, 'key', bodyOf());
  expect((await client('DELETE', `/v1/projects/${gate.project.slug}`)).status).toBe(204);
  expectNotFound(await send(client, 'key', bodyOf()));
});

describe('a run that is not scored at once', () => {
  const hold = () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const answer: Answer = async (call, response) => {
      await released;
      await verdict()(call, response);
    };
    stage.providers.always('openai', answer);
    return release;
  };

  test('is replayed as pending until it has ended, and then with its verdict', async () => {
    const release = hold();
    const judged = await makeJudgedGate(stage, { count: 2 });
    const body = { suite: judged.suite.slug, output: 'Paris', async: true };
    const first = await send(judged.client, 'key', body);
    const pending = await send(judged.client, 'key', body);
    expect([first.status, pending.status, isReplay(first), isReplay(pending)]).toEqual([
      202,
      202,
      false,
      true,
    ]);
    expect(pending.body).toEqual(first.body);
    release();
    await ended(judged.client, first.body.id);
    const concluded = await send(judged.client, 'key', body);
    expect([concluded.status, isReplay(concluded)]).toEqual([200, true]);
    expect(concluded.body).toMatchObject({ id: first.body.id, status: 'cleared', passed_cases: 2 });
    expect(stage.providers.calls.filter(({ apiKey }) => apiKey === judged.rawKey)).toHaveLength(2);
    expect(await usedRuns(stage, judged.orgId)).toBe(1);
  });

  test('is judged once although two clients wait for it', async () => {
    const release = hold();
    const judged = await makeJudgedGate(stage);
    const body = { suite: judged.suite.slug, output: 'Paris' };
    const first = send(judged.client, 'key', body);
    while ((await runsListed(judged.client, judged.suite)) === 0);
    const second = send(judged.client, 'key', body);
    release();
    const [one, two] = await Promise.all([first, second]);
    expect([one.status, two.status, isReplay(one), isReplay(two)]).toEqual([200, 200, false, true]);
    expect(two.body).toEqual(one.body);
    expect(stage.providers.calls.filter(({ apiKey }) => apiKey === judged.rawKey)).toHaveLength(1);
    expect(await usedRuns(stage, judged.orgId)).toBe(1);
  });
});
