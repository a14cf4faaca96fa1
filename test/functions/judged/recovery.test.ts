import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { type Answer, verdict } from '../../support/providers.ts';
import { eventually } from '../../support/service.ts';
import { ended, type Stage, startStage, submit, usedRuns } from '../../support/stage.ts';
import { fillSuite } from '../runs/filled.ts';
import { type Gate, makeGate, resultsOf } from '../runs/gate.ts';
import { callsByCase, type JudgedGate, makeJudgedGate } from './gate.ts';

const RUNS = 4;
const CASES = 5;
const CALLS_MAX = 4;

let stage: Stage;
beforeEach(async () => {
  stage = await startStage();
});
afterEach(() => stage.stop());

/** Answers every second call and leaves the others without an answer. */
function halfSilent(): Answer {
  let calls = 0;
  return (call, response) => (calls++ % 2 === 0 ? verdict()(call, response) : undefined);
}

const sendTo = ({ client, suite }: Gate): Promise<string> =>
  submit(client, { suite: suite.slug, output: 'Paris' });

async function expectComplete(gate: JudgedGate, id: string): Promise<void> {
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
async function interrupted(): Promise<{ gate: JudgedGate; id: string }[]> {
  stage.providers.always('all', halfSilent());
  const sent = [];
  for (let count = 0; count < RUNS; count++) {
    const gate = await makeJudgedGate(stage, { count: CASES });
    sent.push({ gate, id: await sendTo(gate) });
  }
  await eventually(() => stage.providers.calls.length === RUNS * CASES);
  return sent;
}

test('kill -9 amid four judged runs: after a restart all end, each case once, each run counted once', async () => {
  const sent = await interrupted();
  await stage.restart('SIGKILL');
  stage.providers.always('all', verdict());
  // Some calls of the restarted service may have met the silence of before.
  await stage.restart('SIGKILL');
  for (const { gate, id } of sent) await expectComplete(gate, id);
});

test('SIGTERM amid four judged runs loses as little', async () => {
  const sent = await interrupted();
  await stage.restart('SIGTERM');
  stage.providers.always('all', verdict());
  await stage.restart('SIGTERM');
  for (const { gate, id } of sent) await expectComplete(gate, id);
});

/** By this clock it takes a day until what the dead process held runs out. */
const SLOW_CLOCK = { TEST_CLOCK_AHEAD_MS: '0', TEST_CLOCK_SLOWNESS: '1000' };

test.each(['SIGKILL', 'SIGTERM'] as const)(
  '%s amid four judged runs: the restarted service goes on at once, each case once, each run counted once',
  async (signal) => {
    const sent = await interrupted();
    const judgedBefore = new Map(sent.map(({ gate }) => [gate, callsByCase(stage.providers, gate)]));
    stage.providers.always('all', verdict());
    await stage.restart(signal, SLOW_CLOCK);
    for (const { gate, id } of sent) await expectComplete(gate, id);
    for (const { gate } of sent) {
      const again = callsByCase(stage.providers, gate).map(
        (calls, index) => calls - (judgedBefore.get(gate)?.[index] ?? 0),
      );
      // Only the calls without an answer, or whose answer was not yet saved, are made again: each once.
      for (const calls of again) expect(calls).toBeLessThanOrEqual(1);
    }
  },
);

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
