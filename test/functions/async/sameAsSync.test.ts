import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TIMESTAMP } from '../../support/expectations.ts';
import { type Answer, verdict } from '../../support/providers.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { ended, newClient, submit, usedRuns } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
import { fillSuite } from '../runs/filled.ts';
import { type Gate, makeGate, resultsOf } from '../runs/gate.ts';
import { SUITES } from './suites.ts';

let stage: OwnStage;
beforeAll(async () => {
  stage = await startOwnStage();
});
afterAll(() => stage.stop());

const TIMES = { duration_ms: 0, created_at: '', completed_at: '' };

/** A run and its results without what differs between any two runs. */
async function outcomeOf({ client }: Gate, id: string) {
  const { id: _, ...run } = await ended(client, id);
  expect(run).toMatchObject({ created_at: TIMESTAMP, completed_at: TIMESTAMP });
  expect(run.completed_at! >= run.created_at).toBe(true);
  const results = await resultsOf(client, id);
  expect(results.every(({ run_id }) => run_id === id)).toBe(true);
  expect(new Set(results.map((result) => result.id)).size).toBe(results.length);
  return {
    run: { ...run, ...TIMES },
    results: results.map(({ id: __, run_id: ___, ...result }) => ({ ...result, duration_ms: 0 })),
  };
}

async function expectSame(gate: Gate, output: string, fields: object = {}): Promise<void> {
  const body = { suite: gate.suite.slug, output, trigger: 'cli', trigger_meta: { sha: 'abc' }, ...fields };
  const [verdict, asyncId] = [await gate.run(output, body), await submit(gate.client, body)];
  const sync = await outcomeOf(gate, verdict.id);
  expect(await outcomeOf(gate, asyncId)).toEqual(sync);
  expect(sync.results.map(({ case_name }) => case_name)).toEqual(verdict.scores.map((score) => score.case));
}

describe.each(Object.entries(SUITES))('a suite of %s', (_title, { suite, cases, outputs }) => {
  test('gets the same verdict and the same results whether its client waits or not, counted once each', async () => {
    const { client, orgId } = await newClient(stage);
    const gate = await makeGate(stage.service.baseUrl, suite, client);
    for (const [scorer, evalCase] of cases) await gate.add(scorer, evalCase);
    for (const output of outputs) await expectSame(gate, output);
    expect(await usedRuns(stage, orgId)).toBe(2 * outputs.length);
  });
});

test('a deleted scorer is the same error either way', async () => {
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 });
  const { scorer_id } = await gate.add({});
  await gate.add({});
  await gate.client('DELETE', `/v1/scorers/${scorer_id}`);
  await expectSame(gate, 'ok');
});

test('judged cases, among others, get the same verdicts either way', async () => {
  const byOutput: Answer = (call, response) => {
    const [, score = '0'] = /score me (\d\.\d)/.exec(call.user) ?? [];
    return verdict({ score: Number(score), reasoning: `As told: ${score}.` })(call, response);
  };
  stage.providers.always('openai', byOutput);
  const gate = await makeJudgedGate(stage, { count: 3, suite: { pass_threshold: 0.8 } });
  await gate.add({ config: { values: ['score'] } });
  for (const score of ['0.0', '0.4', '0.5', '1.0']) await expectSame(gate, `score me ${score}`);
});

test('an async run is listed and readable at once, pending, with no result yet', async () => {
  const gate = await makeJudgedGate(stage, { count: 2 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  stage.providers.always('openai', async (call, response) => {
    await released;
    await verdict()(call, response);
  });
  const answer = await gate.client('POST', '/v1/run', {
    suite: gate.suite.slug,
    output: 'Paris',
    async: true,
    trigger: 'github_action',
    trigger_meta: { pull_request: 7 },
  });
  const id = answer.body.id;
  const message = expect.stringContaining(`GET /v1/runs/${id}`);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 202,
    body: { id: expect.stringMatching(/^run_[0-9A-Za-z]+$/), status: 'pending', message },
  });
  const run = (await gate.client('GET', `/v1/runs/${id}`)).body.data;
  expect(run).toEqual({
    id,
    suite_id: gate.suite.id,
    status: 'pending',
    pass_rate: 0,
    total_cases: 2,
    passed_cases: 0,
    failed_cases: 0,
    errored_cases: 0,
    inconclusive: false,
    ...{ suite_digest: null, outputs_digest: null, verdict: null, pass_threshold: null, notices: [] },
    ...{ missing_cases: 0, advisory_cases: 0, advisory_failed_cases: 0, surplus_outputs: 0, surplus: [] },
    suite: { slug: gate.suite.slug, name: gate.suite.name, project_slug: gate.project.slug },
    duration_ms: 0,
    trigger: 'github_action',
    trigger_meta: { pull_request: 7 },
    created_by: { type: 'api_key', key_id: expect.any(String) },
    created_at: TIMESTAMP,
    completed_at: null,
  });
  expect((await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data).toEqual([run]);
  expect(await resultsOf(gate.client, id)).toEqual([]);
  release();
  const { status, created_at } = await ended(gate.client, id);
  expect({ status, created_at }).toEqual({ status: 'cleared', created_at: run.created_at });
});

test('1,200 cases are evaluated in parts and come back whole, in order and as a sync run has them', async () => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
  const { scorer_id } = await gate.add({ type: 'exact_match', config: {} }, { is_active: false });
  const ids = await fillSuite(stage.table, gate, 1_200, (index) => ({
    name: `Case ${index}`,
    scorer_id,
    expected: index % 2 === 0 ? 'even' : 'odd',
    weight: 1 + (index % 3),
  }));
  await expectSame(gate, 'even');
  const id = await submit(client, { suite: gate.suite.slug, output: 'odd' });
  expect(await ended(client, id)).toMatchObject({ status: 'cleared', total_cases: 1_200, passed_cases: 600 });
  expect((await resultsOf(client, id)).map(({ case_id }) => case_id)).toEqual(ids);
  expect(await usedRuns(stage, orgId)).toBe(3);
});

test.each([
  ['an unknown suite', { suite: 'nowhere' }, 404],
  ['a suite without cases', {}, 400],
  ['an async that is no boolean', { async: 'yes' }, 400],
])('%s is refused at once and counts nothing', async (_title, fields, status) => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, {}, client);
  const body = { suite: gate.suite.slug, output: '-', async: true, ...fields };
  expect((await client('POST', '/v1/run', body)).status).toBe(status);
  expect((await client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data).toEqual([]);
  expect(await usedRuns(stage, orgId)).toBe(0);
});
