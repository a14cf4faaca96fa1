import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, type ProcessStage, startStage, submit, usedRuns } from '../../support/stage.ts';
import { fillSuite } from '../runs/filled.ts';
import { makeGate, resultsOf } from '../runs/gate.ts';
import { callsByCase, makeJudgedGate } from './gate.ts';
import { CALLS_MAX, expectComplete, interrupted, sendTo } from './interrupted.ts';

let stage: ProcessStage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(() => stage.stop());

test('SIGTERM amid four judged runs loses as little', async () => {
  const sent = await interrupted(stage);
  await stage.restart('SIGTERM');
  stage.providers.always('all', verdict());
  await stage.restart('SIGTERM');
  for (const { gate, id } of sent) await expectComplete(stage, gate, id);
});

/** By this clock it takes an hour until what the dead process held runs out. */
const SLOW_CLOCK = { TEST_CLOCK_AHEAD_MS: '0', TEST_CLOCK_SLOWNESS: '30' };

test.each(['SIGKILL', 'SIGTERM'] as const)(
  '%s amid four judged runs: the restarted service goes on at once, each case once, each run counted once',
  async (signal) => {
    const sent = await interrupted(stage);
    const judgedBefore = new Map(sent.map(({ gate }) => [gate, callsByCase(stage.providers, gate)]));
    stage.providers.always('all', verdict());
    await stage.restart(signal, SLOW_CLOCK);
    for (const { gate, id } of sent) await expectComplete(stage, gate, id);
    for (const { gate } of sent) {
      const again = callsByCase(stage.providers, gate).map(
        (calls, index) => calls - (judgedBefore.get(gate)?.[index] ?? 0),
      );
      // Only the calls without an answer, or whose answer was not yet saved, are made again: each once.
      for (const calls of again) expect(calls).toBeLessThanOrEqual(1);
    }
  },
);

test('kill -9 amid runs of 1,200 cases that no model judges: all end with every result, counted once', async () => {
  const gate = await makeGate(
    stage.service.baseUrl,
    { pass_threshold: 0.5 },
    (await makeJudgedGate(stage)).client,
  );
  const { client, project } = gate;
  const scorer = (await gate.add({ type: 'exact_match', config: {} }, { is_active: false })).scorer_id;
  const ids = await fillSuite(stage.table, gate, 1_200, (index) => ({
    name: `Case ${index}`,
    scorer_id: scorer,
    expected: index % 2 === 0 ? 'even' : 'odd',
  }));
  const body = { suite: gate.suite.slug, project: project.slug, output: 'even' };
  const accepted: string[] = [];
  for (let round = 0; round < 3; round++) {
    accepted.push(...(await Promise.all([1, 2, 3].map(() => submit(client, body)))));
    await stage.restart('SIGKILL');
  }
  for (const id of accepted) {
    const run = await ended(client, id);
    expect(run).toMatchObject({ status: 'cleared', total_cases: 1_200, passed_cases: 600 });
    expect((await resultsOf(client, id)).map(({ case_id }) => case_id)).toEqual(ids);
  }
  expect(await usedRuns(stage, project.org_id)).toBe(accepted.length);
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
