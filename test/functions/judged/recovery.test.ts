import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, type Stage, startStage } from '../../support/stage.ts';
import { resultsOf } from '../runs/gate.ts';
import { callsByCase, makeJudgedGate } from './gate.ts';
import { CALLS_MAX, expectComplete, interrupted, sendTo } from './interrupted.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(() => stage.stop());

test('kill -9 amid four judged runs: after a restart all end, each case once, each run counted once', async () => {
  const sent = await interrupted(stage);
  await stage.restart('SIGKILL');
  stage.providers.always('all', verdict());
  // Some calls of the restarted service may have met the silence of before.
  await stage.restart('SIGKILL');
  for (const { gate, id } of sent) await expectComplete(stage, gate, id);
});

test('a case is never asked about more than 4 times, however often its evaluator dies', async () => {
  const gate = await makeJudgedGate(stage, { count: 2 });
  await gate.add({ config: { values: ['Paris'] } }, { name: 'Says Paris' });
  stage.providers.always('openai', () => {});
  const id = await sendTo(gate);
  for (let calls = 1; calls <= CALLS_MAX; calls++) {
    await eventually(() => callsByCase(stage.providers, gate).every((made) => made === calls));
    await stage.restart('SIGKILL');
  }
  const run = await ended(gate.client, id);
  expect(run).toMatchObject({ status: 'aborted', inconclusive: true, errored_cases: 2, passed_cases: 1 });
  const results = await resultsOf(gate.client, id);
  expect(results.map(({ scorer_output }) => scorer_output.error)).toEqual([
    'JUDGE_UNAVAILABLE',
    'JUDGE_UNAVAILABLE',
    undefined,
  ]);
  expect(callsByCase(stage.providers, gate)).toEqual([CALLS_MAX, CALLS_MAX]);
});
