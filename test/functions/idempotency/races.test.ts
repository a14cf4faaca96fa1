import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { ended, newClient, usedRuns } from '../../support/stage.ts';
import { makeGate } from '../runs/gate.ts';
import { isReplay, runsListed, send } from './repeat.ts';

const AT_ONCE = 20;

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

async function newGate() {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, {}, client);
  await gate.add({});
  return { ...gate, orgId };
}

test.each([
  ['whose client waits', { async: false }, 200],
  ['whose client does not', { async: true }, 202],
])('20 requests at once with one key are one run %s', async (_title, fields, status) => {
  const gate = await newGate();
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
  const gate = await newGate();
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
