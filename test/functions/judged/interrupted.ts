import { expect } from '@jest/globals';
import { type Answer, verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, type Stage, submit, usedRuns } from '../../support/stage.ts';
import { type Gate, resultsOf } from '../runs/gate.ts';
import { callsByCase, type JudgedGate, makeJudgedGate } from './gate.ts';

const RUNS = 4;
const CASES = 5;
const CALLS_MAX = 4;

/** Answers every second call and leaves the others without an answer. */
function halfSilent(): Answer {
  let calls = 0;
  return (call, response) => (calls++ % 2 === 0 ? verdict()(call, response) : undefined);
}

const sendTo = ({ client, suite }: Gate): Promise<string> =>
  submit(client, { suite: suite.slug, output: 'Paris' });

export async function expectComplete(stage: Stage, gate: JudgedGate, id: string): Promise<void> {
  const run = await ended(gate.client, id);
  expect(run).toMatchObject({ status: 'cleared', total_cases: CASES, passed_cases: CASES, errored_cases: 0 });
  const results = await resultsOf(gate.client, id);
  expect(results.map(({ case_id }) => case_id)).toEqual(gate.cases.map((evalCase) => evalCase.id));
  const listed = (await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body;
  expect(listed.pagination.total).toBe(1);
  expect(await usedRuns(stage, gate.orgId)).toBe(1);
  for (const calls of callsByCase(stage.providers, gate)) {
    expect(calls).toBeGreaterThanOrEqual(1);
    expect(calls).toBeLessThanOrEqual(CALLS_MAX);
  }
}

/** Runs under way when the service ends, some of their cases judged, some being judged. */
export async function interrupted(stage: Stage): Promise<{ gate: JudgedGate; id: string }[]> {
  stage.providers.always('all', halfSilent());
  const sent = [];
  for (let count = 0; count < RUNS; count++) {
    const gate = await makeJudgedGate(stage, { count: CASES });
    sent.push({ gate, id: await sendTo(gate) });
  }
  await eventually(() => stage.providers.calls.length === RUNS * CASES);
  return sent;
}
