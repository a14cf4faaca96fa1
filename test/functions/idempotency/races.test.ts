import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { verdict } from '../../support/providers.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { ended, newClient, type Stage, startStage, usedRuns } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
import { makeGate } from '../runs/gate.ts';
import { isReplay, runsListed, send } from './repeat.ts';

const AT_ONCE = 20;

async function newGate(stage: Stage) {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, {}, client);
  await gate.add({});
  return { ...gate, orgId };
}

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

test.each([
  ['whose client waits', { async: false }, 200],
  ['whose client does not', { async: true }, 202],
])('20 requests at once with one key are one run %s', async (_title, fields, status) => {
  const gate = await newGate(stage);
  for (let round = 1; round <= 3; round++) {
    const body = { suite: gate.suite.slug, output: 'ok', ...fields };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () => send(gate.client, `round-${round}`, body)),
    );
    const firsts = answers.filter((answer) => answer.status < 300 && !isReplay(answer));
    expect(firsts.map((answer) => answer.status)).toEqual([status]);
    const id = firsts[0]?.body.id;
    for (const answer of answers) {
      if (answer.status === 409) expect(answer.body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
      // A replay may come after the run has ended.
      else
        expect({ id: answer.body.id, status: [200, 202].includes(answer.status) }).toEqual({
          id,
          status: true,
        });
    }
    await ended(gate.client, id);
    const again = await send(gate.client, `round-${round}`, body);
    expect([again.status, isReplay(again), again.body.id]).toEqual([200, true, id]);
    expect(await runsListed(gate.client, gate.suite)).toBe(round);
    expect(await usedRuns(stage, gate.orgId)).toBe(round);
  }
});

test('of two bodies raced under one key one runs, and the other is refused', async () => {
  const gate = await newGate(stage);
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) =>
      send(gate.client, 'key', { suite: gate.suite.slug, output: index % 2 === 0 ? 'ok' : 'no' }),
    ),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(new Set(done.map(({ body }) => body.id)).size).toBe(1);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.every(({ status }) => status === 409 || status === 422)).toBe(true);
  expect(refused.filter(({ status }) => status === 422).length).toBeGreaterThanOrEqual(AT_ONCE / 2);
  expect(await runsListed(gate.client, gate.suite)).toBe(1);
  expect(await usedRuns(stage, gate.orgId)).toBe(1);
});

test('keys survive a restart: what ended is replayed, what was pending ends as the same run, what died is free again', async () => {
  const stage = await startStage();
  const gate = await newGate(stage);
  const judged = await makeJudgedGate(stage);
  stage.providers.always('openai', () => {});
  const body = { suite: gate.suite.slug, output: 'ok' };
  const pending = { suite: judged.suite.slug, output: 'Paris', async: true };
  const first = await send(gate.client, 'key', body);
  const accepted = await send(judged.client, 'key', pending);
  const dying = await newGate(stage);
  const dyingBody = { ...body, suite: dying.suite.slug };
  const requests = Array.from({ length: AT_ONCE }, (_, index) =>
    send(dying.client, `key-${index}`, dyingBody).catch(() => undefined),
  );
  await Promise.race(requests);
  stage.providers.always('openai', verdict());
  await stage.restart('SIGKILL');
  const again = await send(gate.client, 'key', body);
  expect([again.status, isReplay(again), again.body]).toEqual([200, true, first.body]);
  const replayed = await send(judged.client, 'key', pending);
  expect([isReplay(replayed), replayed.body.id]).toEqual([true, accepted.body.id]);
  expect(await ended(judged.client, accepted.body.id)).toMatchObject({ status: 'cleared' });
  const other = await send(judged.client, 'key', { ...pending, output: 'London' });
  expect(other.status).toBe(422);
  expect(await runsListed(judged.client, judged.suite)).toBe(1);
  expect(await usedRuns(stage, judged.orgId)).toBe(1);
  for (const [index, answer] of (await Promise.all(requests)).entries()) {
    const repeated = await send(dying.client, `key-${index}`, dyingBody);
    expect(repeated.status).toBe(200);
    if (answer !== undefined) expect([repeated.body.id, isReplay(repeated)]).toEqual([answer.body.id, true]);
  }
  expect(await runsListed(dying.client, dying.suite)).toBe(AT_ONCE);
  expect(await usedRuns(stage, dying.orgId)).toBe(AT_ONCE);
  await stage.stop();
});
