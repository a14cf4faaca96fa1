import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type Answer, verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, submit } from '../../support/stage.ts';
import { resultsOf } from '../runs/gate.ts';
import { type JudgedGate, makeJudgedGate } from './gate.ts';

const SLOTS = 20;
const RUNS = 3;

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

/** Calls under way by whose key and where, now and at most so far. Nothing is answered before `release`. */
function held() {
  const flights = new Map<string, { now: number; max: number }>();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const answer: Answer = async (call, response) => {
    const key = `${call.provider} ${call.apiKey}`;
    const flight = flights.get(key) ?? { now: 0, max: 0 };
    flights.set(key, flight);
    flight.max = Math.max(flight.max, ++flight.now);
    response.once('close', () => flight.now--);
    await released;
    // Some sooner than others, so that slots are handed on one by one.
    await new Promise((resolve) => setTimeout(resolve, 20 + Math.random() * 60));
    await verdict()(call, response);
  };
  return { answer, release, flights };
}

test('3 runs of 20 judged cases at once use all 20 calls and never more; other organisations do not wait for them', async () => {
  const { answer, release, flights } = held();
  stage.providers.always('all', answer);
  const own = await makeJudgedGate(stage, { count: SLOTS });
  const elsewhere = await makeJudgedGate(stage, {
    provider: 'anthropic',
    count: SLOTS,
    as: own,
  });
  const other = await makeJudgedGate(stage, { count: SLOTS });
  const sent = await Promise.all([
    ...Array.from({ length: RUNS }, (_, run) => sendTo(own, `Paris ${run}`)),
    sendTo(elsewhere),
    sendTo(other),
  ]);
  const keys = [`openai ${own.rawKey}`, `anthropic ${elsewhere.rawKey}`, `openai ${other.rawKey}`];
  await eventually(() => keys.every((key) => flights.get(key)?.now === SLOTS));
  release();
  for (const { gate, id } of sent) {
    const run = await ended(gate.client, id);
    expect(run).toMatchObject({ status: 'cleared', passed_cases: SLOTS, errored_cases: 0 });
    const results = await resultsOf(gate.client, id);
    expect(results.map(({ case_id }) => case_id)).toEqual(gate.cases.map((evalCase) => evalCase.id));
  }
  expect([...flights.keys()].sort()).toEqual(keys.toSorted());
  for (const key of keys) expect({ key, ...flights.get(key) }).toEqual({ key, now: 0, max: SLOTS });
  expect(stage.providers.calls).toHaveLength((RUNS + 2) * SLOTS);
});

test('both names of a provider share its 20 calls', async () => {
  const { answer, release, flights } = held();
  stage.providers.always('openai', answer);
  const named = await makeJudgedGate(stage, { count: SLOTS });
  const aliased = await makeJudgedGate(stage, {
    provider: 'provider_a',
    count: SLOTS,
    as: named,
    key: false,
  });
  const sent = await Promise.all([sendTo(named), sendTo(aliased)]);
  await eventually(() => flights.get(`openai ${named.rawKey}`)?.now === SLOTS);
  release();
  for (const { gate, id } of sent) expect((await ended(gate.client, id)).status).toBe('cleared');
  expect(flights.get(`openai ${named.rawKey}`)?.max).toBe(SLOTS);
});

/** Equal outputs of a suite are asked about once. */
async function sendTo(gate: JudgedGate, output = 'Paris') {
  return {
    gate,
    id: await submit(gate.client, { suite: gate.suite.slug, project: gate.project.slug, output }),
  };
}
