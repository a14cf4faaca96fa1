import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { TIMESTAMP } from '../../support/expectations.ts';
import { type OwnStage, startOwnStage } from '../../support/ownStage.ts';
import { type Answer, verdict } from '../../support/providers.ts';
import { ended, newClient, submit, usedRuns } from '../../support/stage.ts';
import { makeJudgedGate } from '../judged/gate.ts';
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

/** What both ways say of a body. */
async function expectSame(gate: Gate, body: object) {
  const asked = { suite: gate.suite.slug, trigger: 'cli', trigger_meta: { sha: 'abc' } };
  // A result names when its verdict was remembered.
  const sent = { ...asked, judge_again: true, ...body };
  const answer = await gate.client('POST', '/v1/run', sent);
  expect(answer.status).toBe(200);
  const queued = await submit(gate.client, sent);
  const sync = await outcomeOf(gate, answer.body.id);
  expect(await outcomeOf(gate, queued)).toEqual(sync);
  const scored = answer.body.scores.map((score: { case: string }) => score.case);
  // Results come the gravest first.
  expect(sync.results.map(({ case_name }) => case_name).toSorted()).toEqual(scored.toSorted());
  return sync;
}

describe.each(Object.entries(SUITES))('a suite of %s', (_title, { suite, cases, outputs }) => {
  test('gets the same verdict and the same results whether its client waits or not, counted once each', async () => {
    const { client, orgId } = await newClient(stage);
    const gate = await makeGate(stage.service.baseUrl, { ...suite, keep_outputs: 'all' }, client);
    const made: EvalCase[] = [];
    for (const [scorer, evalCase] of cases) made.push(await gate.add(scorer, evalCase));
    for (const [shift, output] of outputs.entries()) {
      await expectSame(gate, { output });
      const own = made.map(({ id, key }, index) => ({
        case: index % 2 === 0 ? id : key,
        output: outputs[(index + shift) % outputs.length],
        metadata: { index, latency_ms: 3 * shift },
      }));
      await expectSame(gate, { outputs: own });
    }
    expect(await usedRuns(stage, orgId)).toBe(4 * outputs.length);
  });
});

test('a deleted scorer is the same error either way', async () => {
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 });
  const { scorer_id } = await gate.add({});
  await gate.add({});
  await gate.client('DELETE', `/v1/scorers/${scorer_id}`);
  await expectSame(gate, { output: 'ok' });
});

test('judged cases, among others, get the same verdicts either way', async () => {
  const byOutput: Answer = (call, response) => {
    const [, score = '0'] = /score me (\d\.\d)/.exec(call.user) ?? [];
    return verdict({ score: Number(score), reasoning: `As told: ${score}.` })(call, response);
  };
  stage.providers.always('openai', byOutput);
  const gate = await makeJudgedGate(stage, { count: 3, suite: { pass_threshold: 0.8 } });
  await gate.add({ config: { values: ['score'] } });
  for (const score of ['0.0', '0.4', '0.5', '1.0']) await expectSame(gate, { output: `score me ${score}` });
});

/** Samples, errors, missing and surplus outputs, a must-pass and an advisory case, gates and a judge. */
async function everything(): Promise<Gate> {
  const judged = await makeJudgedGate(stage, {
    count: 2,
    suite: {
      pass_threshold: 0.4,
      keep_outputs: 'all',
      gates: { min_judged_cases: 2, min_lower_bound: 0.1, tags: [{ tag: 'safety', pass_threshold: 0.5 }] },
    },
    caseOf: (index) => ({ key: `judged-${index}`, sample_count: 1 + index, tags: ['safety'] }),
  });
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const advisory = { owner: 'Ann', reason: 'Being rewritten', expires_at };
  await judged.add({}, { key: 'must', must_pass: true });
  await judged.add({}, { key: 'advisory', advisory });
  await judged.add({}, { key: 'sampled', sample_count: 3, sample_pass_rate: 0.6, weight: 2 });
  await judged.add({}, { key: 'missing', input: { asked: 'what?' } });
  await judged.add({}, { key: 'off', is_active: false });
  return judged;
}

describe('samples, errors, missing, surplus, advisory and judged outputs', () => {
  const byOutput: Answer = (call, response) =>
    verdict({ score: call.user.includes('good') ? 1 : 0, reasoning: 'As told.' })(call, response);
  const of = (key: string, ...outputs: string[]) => outputs.map((output) => ({ case: key, output }));

  test('have the same verdict and the same results whether their client waits or not', async () => {
    stage.providers.always('openai', byOutput);
    const gate = await everything();
    const judged = [...of('judged-0', 'good'), ...of('judged-1', 'bad', 'good')];
    const rest = [
      ...of('must', 'ok'),
      ...of('advisory', 'no'),
      { case: 'zzz', output: '' },
      ...of('off', ''),
    ];
    const error = (key: string) => ({ case: key, error: '429' });
    const variants = [
      [...judged, ...rest, ...of('sampled', 'ok', 'no', 'ok')],
      [...judged, ...rest, ...of('sampled', 'ok', 'no'), error('sampled')],
      [...rest, ...of('sampled', 'no'), error('judged-0'), ...of('judged-1', 'good')],
      [...judged, error('must'), error('advisory'), ...of('missing', 'ok')],
      [...of('missing', 'ok')],
    ];
    const statuses = [];
    for (const items of variants) {
      const { run } = await expectSame(gate, { outputs: items, input: { lang: 'en' } });
      statuses.push([run.status, run.inconclusive]);
    }
    expect(new Set(statuses.map(String)).size).toBe(3);
  });
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
    baseline_id: null,
    judge_usage: null,
    comparison: null,
    waiver: null,
    branch: null,
    pull_request: '7',
    is_default_branch: false,
    status: 'pending',
    pass_rate: 0,
    total_cases: 2,
    passed_cases: 0,
    failed_cases: 0,
    errored_cases: 0,
    inconclusive: false,
    suite_digest: null,
    outputs_digest: null,
    verdict: null,
    pass_threshold: null,
    notices: [],
    missing_cases: 0,
    advisory_cases: 0,
    advisory_failed_cases: 0,
    surplus_outputs: 0,
    surplus: [],
    suite: { slug: gate.suite.slug, name: gate.suite.name, project_slug: gate.project.slug },
    duration_ms: 0,
    trigger: 'github_action',
    trigger_meta: { pull_request: 7 },
    created_by: { type: 'api_key', key_id: expect.any(String), label: expect.any(String) },
    created_at: TIMESTAMP,
    completed_at: null,
  });
  expect((await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`)).body.data).toEqual([run]);
  expect(await resultsOf(gate.client, id)).toEqual([]);
  release();
  const { status, created_at } = await ended(gate.client, id);
  expect({ status, created_at }).toEqual({ status: 'cleared', created_at: run.created_at });
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

test('a queued run is held to the digest that it names: when the suite has changed it ends without a verdict', async () => {
  const { client, orgId } = await newClient(stage);
  const gate = await makeGate(stage.service.baseUrl, { pass_threshold: 0.5 }, client);
  const { id: caseId, key } = await gate.add({});
  const revision = async () => (await client('GET', `/v1/suites/${gate.suite.id}/revision`)).body.data.digest;
  const present = await revision();
  const body = { suite: gate.suite.slug, outputs: [{ case: key, output: 'ok' }], suite_digest: present };
  expect(await ended(client, await submit(client, body))).toMatchObject({
    status: 'cleared',
    suite_digest: present,
    notices: [],
  });
  await client('PATCH', `/v1/cases/${caseId}`, { weight: 2 });
  const answer = await client('POST', '/v1/run', { ...body, async: true });
  expect([answer.status, answer.body.error?.details]).toEqual([409, { suite_digest: await revision() }]);
  expect(await usedRuns(stage, orgId)).toBe(1);
});
