import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verdict } from '../../support/providers.ts';
import { ended, newClient, type ProcessStage, startStage, usedRuns } from '../../support/stage.ts';
import { isReplay, runsListed, send } from '../idempotency/repeat.ts';
import { makeGate } from '../runs/gate.ts';
import { makeJudgedGate } from './gate.ts';
import { expectComplete, interrupted } from './interrupted.ts';

const AT_ONCE = 20;
const BODY = { suite: 'a-suite', output: 'ok' };

/** kill -9 amid judged runs and requests with idempotency keys. `npm run soak` and test/faults kill in other ways. */
let stage: ProcessStage;
let sent: Awaited<ReturnType<typeof interrupted>>;
let keyed: Awaited<ReturnType<typeof sendKeyed>>;
beforeAll(async () => {
  stage = await startStage();
  sent = await interrupted(stage);
  keyed = await sendKeyed();
  stage.providers.always('all', verdict());
  await stage.restart('SIGKILL');
});
afterAll(() => stage.stop());

async function newGate() {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, { slug: BODY.suite }, client);
  await gate.add({});
  return { ...gate, orgId };
}

/** One that has ended, one that is pending, and many under way. */
async function sendKeyed() {
  const [gate, dying] = [await newGate(), await newGate()];
  const judged = await makeJudgedGate(stage);
  stage.providers.always('openai', () => {});
  const first = await send(gate.client, 'key', BODY);
  const pending = { suite: judged.suite.slug, output: 'Paris', async: true };
  const accepted = await send(judged.client, 'key', pending);
  const requests = Array.from({ length: AT_ONCE }, (_, index) =>
    send(dying.client, `key-${index}`, BODY).catch(() => undefined),
  );
  await Promise.race(requests);
  return { gate, first, judged, pending, accepted, dying, requests };
}

test('all judged runs end after a restart, each case once, each run counted once', async () => {
  for (const { gate, id } of sent) await expectComplete(stage, gate, id);
});

test('keys survive a restart: what ended is replayed, and what was pending ends as the same run', async () => {
  const { gate, first, judged, pending, accepted } = keyed;
  const again = await send(gate.client, 'key', BODY);
  expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body]);
  const replayed = await send(judged.client, 'key', pending);
  expect([isReplay(replayed), replayed.body.id]).toEqual([true, accepted.body.id]);
  expect(await ended(judged.client, accepted.body.id)).toMatchObject({ status: 'cleared' });
  const other = await send(judged.client, 'key', { ...pending, output: 'London' });
  expect(other.status).toBe(422);
  expect(await runsListed(judged.client, judged.suite)).toBe(1);
  expect(await usedRuns(stage, judged.orgId)).toBe(1);
});

test('a key whose request died with its service is free again for the same request', async () => {
  const { dying, requests } = keyed;
  for (const [index, answer] of (await Promise.all(requests)).entries()) {
    const again = await send(dying.client, `key-${index}`, BODY);
    expect(again.status).toBe(200);
    if (answer !== undefined) expect([again.body.id, isReplay(again)]).toEqual([answer.body.id, true]);
  }
  expect(await runsListed(dying.client, dying.suite)).toBe(AT_ONCE);
  expect(await usedRuns(stage, dying.orgId)).toBe(AT_ONCE);
});
