import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Answer } from '../../support/providers.ts';
import { resultsOf } from '../runs/gate.ts';
import {
  type CheckedGate,
  type CheckStage,
  EXACT,
  judgedBy,
  makeCheckedGate,
  startCheckStage,
} from './stage.ts';

const GATES = { judges: { min_caught: 0.7 } };
const OLD = 'gpt-5.4-mini-2026-08-01';
const NEW = 'gpt-5.4-mini-2026-11-20';

let stage: CheckStage;
beforeAll(async () => {
  stage = await startCheckStage();
});
afterAll(() => stage.stop());
afterEach(() => stage.providers.reset());

async function runOf(gate: CheckedGate, output = 'RIGHT') {
  const body = { suite: gate.suite.slug, output, async: true };
  const { id } = (await gate.client('POST', '/v1/run', body)).body;
  const before = stage.providers.calls.length;
  await stage.work();
  const run = (await gate.client('GET', `/v1/runs/${id}`)).body.data;
  const judges = run.verdict.gates.find((one: { gate: string }) => one.gate === 'judges');
  const results = await resultsOf(gate.client, id);
  return { ...run, judges, results, calls: stage.providers.calls.length - before };
}

async function checked(gate: CheckedGate) {
  await gate.check();
  await stage.work();
}

/** The scores of one question after the other, by these models. */
const inTurn = (...answers: (readonly [score: number, model: string])[]): Answer => {
  let asked = 0;
  return (call, response) => {
    const [score, model] = answers[asked++] ?? [0, OLD];
    return judgedBy({ model, score: () => score })(call, response);
  };
};

test('a vote of a model that no check has seen leaves the gate open, also where another vote decides', async () => {
  stage.providers.always('openai', judgedBy(EXACT));
  const gate = await makeCheckedGate(stage, { gates: GATES });
  const config = { ...gate.scorer.config, votes: 3 };
  await gate.client('PATCH', `/v1/scorers/${gate.scorer.id}`, { config });
  const { data } = (await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  for (const { id } of data.slice(1)) await gate.client('PATCH', `/v1/cases/${id}`, { is_active: false });
  await gate.client('PATCH', `/v1/cases/${data[0].id}`, { threshold: 0.7 });
  await checked(gate);
  stage.providers.always('openai', inTurn([0.6, NEW], [0.8, OLD], [0.9, NEW]));
  const run = await runOf(gate);
  expect(run.results[0]).toMatchObject({ passed: true, score: 0.8, scorer_output: { answered_model: OLD } });
  expect(run).toMatchObject({ inconclusive: true, judges: { reason: expect.stringContaining(NEW) } });
});

test('runs without a check that counts do not choose among verdicts: the first one stays', async () => {
  const gate = await makeCheckedGate(stage, { gates: GATES });
  stage.providers.always('openai', inTurn([0, NEW], [0, NEW], [0, NEW], [1, NEW], [1, NEW], [1, NEW]));
  const first = await runOf(gate);
  expect(first.results.map(({ score }: { score: number }) => score)).toEqual([0, 0, 0]);
  const second = await runOf(gate);
  expect(second.results.map(({ score }: { score: number }) => score)).toEqual([0, 0, 0]);
  stage.providers.always('openai', judgedBy({ ...EXACT, model: NEW }));
  await checked(gate);
  const last = await runOf(gate);
  expect([last.status, last.calls]).toEqual(['aborted', 0]);
});

test('a lower threshold of a case whose wrong answers were sent needs another check, a higher one does not', async () => {
  const half = judgedBy({ score: (answer) => (answer === 'RIGHT' ? 1 : 0.45) });
  stage.providers.always('openai', half);
  const gate = await makeCheckedGate(stage, { gates: GATES });
  const { data } = (await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  const setThreshold = (threshold: number) => gate.client('PATCH', `/v1/cases/${data[0].id}`, { threshold });
  await setThreshold(0.8);
  await checked(gate);
  expect((await gate.found()).judges[0].fail).toMatchObject({ sent: 30, caught: 30 });
  await setThreshold(0.9);
  expect(await runOf(gate)).toMatchObject({ status: 'cleared', judges: { status: 'passed' } });
  await setThreshold(0.4);
  expect(await runOf(gate, 'WRONG')).toMatchObject({ judges: { status: 'inconclusive' } });
  expect(await runOf(gate)).toMatchObject({
    inconclusive: true,
    fault: 'bar',
    judges: {
      reason: 'judge tone was checked while case case-0 had a higher threshold: evalgate check returns',
    },
  });
  await checked(gate);
  expect(await runOf(gate)).toMatchObject({ judges: { status: 'inconclusive', observed: 0.487800515 } });
});
