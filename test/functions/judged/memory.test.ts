import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { makeCase, makeSuite } from '../../support/builders.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { failure, verdict } from '../../support/providers.ts';
import { ended, submit } from '../../support/stage.ts';
import { resultsOf } from '../runs/gate.ts';
import { type JudgedGate, judgeOf, makeJudgedGate } from './gate.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());
beforeEach(() => stage.providers.reset());

async function run({ client, suite, project }: JudgedGate, body: object = {}) {
  const before = stage.providers.calls.length;
  const id = await submit(client, { suite: suite.slug, project: project.slug, output: 'Paris', ...body });
  const shown = await ended(client, id);
  const results = await resultsOf(client, id);
  return { shown, results, calls: stage.providers.calls.length - before };
}

test('the same question of a suite takes one call; the run counts it, and a result names when it was answered', async () => {
  const gate = await makeJudgedGate(stage, { count: 2 });
  const first = await run(gate);
  // It is in no function's memory.
  await stage.reload({});
  stage.providers.always('openai', verdict({ score: 0 }));
  const second = await run(gate);
  expect([first.calls, second.calls]).toEqual([2, 0]);
  expect(first.shown.judge_usage).toEqual({ calls: 2, remembered: 0, input_tokens: 240, output_tokens: 60 });
  expect(second.shown.judge_usage).toEqual({ calls: 0, remembered: 2, input_tokens: 0, output_tokens: 0 });
  expect(second.shown.status).toBe('cleared');
  for (const [index, { scorer_output, ...result }] of second.results.entries()) {
    const { remembered_at, ...output } = scorer_output;
    expect(output).toEqual(first.results[index]?.scorer_output);
    expect(Date.parse(String(remembered_at))).toBeGreaterThan(Date.parse(first.shown.created_at) - 1);
    expect(result).toMatchObject({ passed: true, score: 1, reason: first.results[index]?.reason });
  }
});

test('another output, input, expected value, rubric, scale, model or suite is another question', async () => {
  const gate = await makeJudgedGate(stage);
  const { client, suite, scorer, cases, project } = gate;
  const path = `/v1/cases/${cases[0]?.id}`;
  const { config } = judgeOf(stage.providers);
  const edit = (changed: object) =>
    client('PATCH', `/v1/scorers/${scorer.id}`, { config: { ...config, ...changed } });
  await run(gate);
  const changes: (() => Promise<unknown>)[] = [
    () => client('PATCH', path, { input: { marker: 'other' } }),
    () => client('PATCH', path, { expected: 'Paris' }),
    () => edit({ rubric: 'Another rubric.' }),
    () => edit({ scale: [0, 1] }),
    () => edit({ model: 'gpt-5.4' }),
    () => edit({ votes: 3 }),
  ];
  for (const change of changes) {
    await change();
    expect((await run(gate)).calls).toBe(1);
    expect((await run(gate)).calls).toBe(0);
  }
  expect((await run(gate, { output: 'London' })).calls).toBe(1);
  expect((await run(gate, { input: { question: 'Which?' } })).calls).toBe(1);
  const other = await makeSuite(client, project, { name: 'Other' });
  await makeCase(client, other, scorer, { input: { marker: 'other' }, expected: 'Paris' });
  expect((await run({ ...gate, suite: other })).calls).toBe(1);
  expect(suite.id).not.toBe(other.id);
});

test('a threshold is no part of a question: whether the case passes is decided anew', async () => {
  const gate = await makeJudgedGate(stage, { caseOf: () => ({ threshold: 0.5 }) });
  stage.providers.always('openai', verdict({ score: 0.6 }));
  expect((await run(gate)).shown.status).toBe('cleared');
  await gate.client('PATCH', `/v1/cases/${gate.cases[0]?.id}`, { threshold: 0.7 });
  const { shown, calls } = await run(gate);
  expect([shown.status, calls]).toEqual(['aborted', 0]);
});

test('an error is not remembered', async () => {
  const gate = await makeJudgedGate(stage);
  stage.providers.next('openai', failure(401));
  expect((await run(gate)).results[0]).toMatchObject({ errored: true });
  const { calls, shown } = await run(gate);
  expect([calls, shown.status]).toEqual([1, 'cleared']);
  expect((await run(gate)).calls).toBe(0);
});

test('judge_again asks anew, and its verdict is the one that is remembered', async () => {
  const gate = await makeJudgedGate(stage);
  await run(gate);
  stage.providers.always('openai', verdict({ score: 0 }));
  const again = await run(gate, { judge_again: true });
  expect([again.calls, again.shown.status]).toEqual([1, 'aborted']);
  stage.providers.always('openai', verdict());
  const later = await run(gate);
  expect([later.calls, later.shown.status]).toEqual([0, 'aborted']);
});

test('a credential of scope run cannot have an output judged again', async () => {
  const gate = await makeJudgedGate(stage);
  const { key } = (await gate.client('POST', '/v1/api-keys', { name: 'CI', scope: 'run' })).body.data;
  const body = { suite: gate.suite.slug, output: 'Paris', judge_again: true };
  const { status, body: answer } = await stage.as(key)('POST', '/v1/run', body);
  expect([status, answer.error.code]).toEqual([403, 'SCOPE_REQUIRED']);
  expect(stage.providers.calls).toHaveLength(0);
});

test('an output with half a surrogate pair is refused before it is judged', async () => {
  const gate = await makeJudgedGate(stage);
  const { status } = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'Paris \ud83d' });
  expect(status).toBe(400);
});

test('equal questions of one run at other thresholds each pass by their own', async () => {
  const thresholds = [0.5, 0.9];
  const gate = await makeJudgedGate(stage, {
    count: 2,
    caseOf: (index) => ({ threshold: thresholds[index], input: { marker: 'same' } }),
  });
  stage.providers.always('openai', verdict({ score: 0.6 }));
  for (const calls of [2, 0]) {
    const judged = await run(gate);
    expect([judged.calls, ...judged.results.map(({ passed }) => passed)]).toEqual([calls, true, false]);
  }
});

test('runs that ask the same question at once have one verdict', async () => {
  const gate = await makeJudgedGate(stage);
  const both = Promise.withResolvers<void>();
  let calls = 0;
  stage.providers.always('openai', async (call, response) => {
    const score = calls++;
    if (calls === 2) both.resolve();
    await both.promise;
    await verdict({ score })(call, response);
  });
  const runs = await Promise.all([run(gate), run(gate)]);
  expect(calls).toBe(2);
  const scores = runs.map(({ results }) => results[0].score);
  expect(scores[0]).toBe(scores[1]);
  expect((await run(gate)).results[0].score).toBe(scores[0]);
});

test('equal questions within one run have one verdict, also where both reach the judge', async () => {
  const gate = await makeJudgedGate(stage, { count: 2, caseOf: () => ({ input: { marker: 'same' } }) });
  stage.providers.next('openai', verdict({ score: 0 }), verdict({ score: 1 }));
  const { results, calls } = await run(gate);
  expect(calls).toBe(2);
  expect(results[0].score).toBe(results[1].score);
});

test('characters that the judge does not see make no other question', async () => {
  const gate = await makeJudgedGate(stage);
  await run(gate);
  stage.providers.always('openai', verdict({ score: 0 }));
  for (const output of ['Pa\u200bris', 'Paris\u2060', '\u{e0041}Paris']) {
    const { calls, shown } = await run(gate, { output });
    expect([calls, shown.status]).toEqual([0, 'cleared']);
  }
  expect((await run(gate, { output: 'Paris\ufe0f' })).calls).toBe(1);
});
