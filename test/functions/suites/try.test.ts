import { beforeAll, describe, expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { makeKey } from '../apiKeys/organisation.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const url = sharedServiceUrl();
let gate: Gate;
beforeAll(async () => {
  gate = await makeGate(url);
});

type Fields = Readonly<Record<string, unknown>>;

const attempt = ({ client, suite }: Gate, body: Fields) => client('POST', `/v1/suites/${suite.id}/try`, body);

const QUESTION = { question: 'How long may I keep it?' };
const JUDGE = { type: 'llm_judge', config: { _provider: 'openai', model: 'm', rubric: 'It is polite.' } };
const TRACE = { type: 'trajectory', config: { forbidden: ['refund'] } };
const METRIC = { type: 'metric', config: { field: 'latency_ms', max: 9 } };

test('all cases judge the one output as a run would, and nothing is stored, counted or turned', async () => {
  const own = await makeGate(url);
  await own.add({}, { key: 'says-ok', input: QUESTION });
  await own.add({ config: { values: ['30 days'] } }, { key: 'names-days', input: QUESTION });
  await own.add({ config: { values: ['never'] } }, { key: 'inactive', is_active: false });
  const usage = async () => (await own.client('GET', '/v1/billing/usage')).body;
  const before = await usage();
  const { status, body } = await attempt(own, { output: 'ok, soon' });
  expect({ status, refusal: body.data.refusal }).toEqual({ status: 200, refusal: null });
  expect(await usage()).toEqual(before);
  const path = `/v1/suites/${own.suite.id}`;
  expect((await own.client('GET', path)).body.data.latest_run).toBeNull();
  expect((await own.client('GET', `${path}/runs`)).body.pagination.total).toBe(0);
  const { scores } = await own.run('ok, soon');
  const { scores: tried } = body.data;
  expect(tried.map(({ case_name: _, ...score }: Fields) => score)).toEqual(
    scores.map(({ passed, score, threshold, reason }, index) => ({
      case: ['says-ok', 'names-days'][index],
      passed,
      score,
      threshold,
      reason,
    })),
  );
  expect((await attempt(own, {})).body).toEqual({ data: { refusal: null, scores: [] } });
});

describe('a suite whose cases cannot all judge one output', () => {
  const OTHER = { question: 'May I return it?' };
  test.each<[string, readonly (readonly [Fields, Fields])[], RegExp]>([
    [
      'different questions',
      [
        [{}, { input: QUESTION }],
        [{}, { input: OTHER }],
      ],
      /its cases ask 2 different questions/,
    ],
    [
      'a question of one case',
      [
        [{}, { input: QUESTION }],
        [{}, { input: {} }],
      ],
      /ask 2 different questions/,
    ],
    ['several outputs a case', [[{}, { sample_count: 3 }]], /1 of 1 cases take several outputs/],
    [
      'a trace',
      [
        [TRACE, {}],
        [{}, {}],
      ],
      /1 of 2 cases judge a trace/,
    ],
    ['metadata', [[METRIC, {}]], /1 of 1 cases judge metadata/],
    ['a model', [[JUDGE, {}]], /1 of 1 cases ask a model, which only runs do/],
    ['no active case', [[{}, { is_active: false }]], /no active case/],
  ])('reports it, and takes none: %s', async (_, cases, why) => {
    const own = await makeGate(url);
    for (const [scorer, evalCase] of cases) await own.add(scorer, evalCase);
    const asked = await attempt(own, {});
    expect(asked.status).toBe(200);
    expect(asked.body.data).toEqual({ refusal: expect.stringMatching(why), scores: [] });
    const { status, body } = await attempt(own, { output: 'ok' });
    expect(status).toBe(400);
    expect(JSON.stringify(body.error)).toMatch(why);
  });

  test('names a scorer that was deleted as the reason', async () => {
    const scorer = await makeScorer(gate.client, gate.project, {});
    await makeCase(gate.client, gate.suite, scorer);
    await gate.client('DELETE', `/v1/scorers/${scorer.id}`);
    expectInvalid(await attempt(gate, { output: 'ok' }), 'output');
    expect((await attempt(gate, {})).body.data.refusal).toMatch(
      /1 of 1 cases have a scorer that was deleted/,
    );
  });
});

test('a credential that may not edit, and another organisation, try nothing', async () => {
  const own = await makeGate(url);
  await own.add({});
  for (const scope of ['run', 'read']) {
    const limited = { ...own, client: api(url, (await makeKey(own.client, { scope })).key) };
    expect((await attempt(limited, { output: 'ok' })).status).toBe(403);
  }
  expectNotFound(await gate.client('POST', `/v1/suites/${own.suite.id}/try`, { output: 'ok' }));
});
