import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { makeScorer } from '../../support/builders.ts';
import { type Cost, costOf, type EngineService, startEngineService } from '../../support/ownService.ts';
import { fillSuite } from './filled.ts';
import { type Gate, makeGate } from './gate.ts';

let service: EngineService;
beforeAll(async () => {
  service = await startEngineService();
});
afterAll(() => service.stop());

interface Filled extends Gate {
  readonly ids: readonly string[];
  readonly scorerId: string;
}

async function filledGate(cases: number): Promise<Filled> {
  const gate = await makeGate(service.baseUrl, { pass_threshold: 0.5 });
  const { id: scorerId } = await makeScorer(gate.client, gate.project);
  const ids = await fillSuite(service.table, gate, cases, (index) => ({
    name: `Case ${index}`,
    scorer_id: scorerId,
    expected: null,
  }));
  return { ...gate, ids, scorerId };
}

const send = ({ client, suite }: Gate, fields: object) =>
  client('POST', '/v1/run', { suite: suite.slug, output: 'ok', ...fields });

async function admitted(gate: Gate): Promise<{ totalCases: number; cost: Cost }> {
  let id = '';
  const cost = await costOf(service, async () => {
    const answer = await send(gate, { async: true });
    expect(answer.status).toBe(202);
    id = answer.body.id;
  });
  const { data } = (await gate.client('GET', `/v1/runs/${id}`)).body;
  return { totalCases: data.total_cases, cost };
}

const change = async (gate: Filled, fields: object, nth = 0) => {
  const answer = await gate.client('PATCH', `/v1/cases/${gate.ids[nth]}`, fields);
  expect(answer.status).toBe(200);
};

test('right after an edit an async run costs the same for 600 cases as for one, and knows how many there are', async () => {
  const [small, large] = [await filledGate(1), await filledGate(600)];
  for (const gate of [small, large]) await admitted(gate);
  await change(small, { weight: 2 });
  const one = await admitted(small);
  expect(one.totalCases).toBe(1);
  await change(large, { is_active: false });
  const many = await admitted(large);
  expect(many).toEqual({ totalCases: 599, cost: one.cost });
  // Key and heads, and the revisions of suite and scorers.
  expect(many.cost.read).toBeLessThanOrEqual(5);
  await change(large, { is_active: true });
  await change(large, { is_active: false }, 7);
  await change(large, { is_active: false }, 8);
  await large.client('DELETE', `/v1/cases/${large.ids[9]}`);
  await large.client('DELETE', `/v1/cases/${large.ids[8]}`);
  expect(await admitted(large)).toEqual({ totalCases: 597, cost: one.cost });
});

test('runs at once of a suite that was just filled all know its cases', async () => {
  const gate = await filledGate(30);
  const answers = await Promise.all(Array.from({ length: 8 }, () => send(gate, { async: true })));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));
  for (const { body } of answers) {
    const { data } = (await gate.client('GET', `/v1/runs/${body.id}`)).body;
    expect(data.total_cases).toBe(30);
  }
});

test('whether a case is judged follows its scorer: the type that it gets, and its deletion', async () => {
  const gate = await filledGate(3);
  const path = `/v1/scorers/${gate.scorerId}`;
  const rubric = { type: 'llm_judge', config: { rubric: 'Is it good?', _provider: 'openai' } };
  const isScoredAtOnce = async () => {
    const { body } = await send(gate, {});
    return body.total_cases === 3;
  };
  expect(await isScoredAtOnce()).toBe(true);
  expect((await gate.client('PATCH', path, rubric)).status).toBe(200);
  expect((await send(gate, { async: true })).status).toBe(202);
  const plain = { type: 'contains', config: { values: ['ok'] } };
  expect((await gate.client('PATCH', path, plain)).status).toBe(200);
  expect(await isScoredAtOnce()).toBe(true);
  await gate.client('PATCH', path, rubric);
  await gate.client('DELETE', path);
  // Cases without a scorer fail at once.
  expect(await isScoredAtOnce()).toBe(true);
});

test('a suite whose last active case is switched off refuses runs, sync and async', async () => {
  const gate = await filledGate(2);
  await admitted(gate);
  for (const nth of [0, 1]) await change(gate, { is_active: false }, nth);
  for (const fields of [{}, { async: true }]) {
    const answer = await send(gate, fields);
    expect([answer.status, answer.body.error?.code ?? answer.body]).toEqual([400, 'VALIDATION_ERROR']);
  }
});
