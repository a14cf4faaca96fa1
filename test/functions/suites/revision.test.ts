import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { EvalCase } from '../../../shared/contracts/cases.ts';
import { PROMPT_VERSION } from '../../../shared/judge/prompts/version.ts';
import { documentDigest } from '../../../shared/scoring/digest/documents.ts';
import { caseDigest, scorerDigest, suiteDigest } from '../../../shared/scoring/digest/suiteDigest.ts';
import { api } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const NOON_MS = Date.parse('2036-05-05T12:00:00.000Z');
const AZURE = 'https://a-customer.openai.azure.com|their-judge';

let service: OwnService;
let gate: Gate;
let cases: EvalCase[];
beforeAll(async () => {
  service = await startOwnService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.ms = NOON_MS;
  gate = await makeGate(service.baseUrl, { pass_threshold: 0.6 });
  cases = [];
  for (const expected of ['a', { b: [1, null] }, null]) {
    cases.push(await gate.add({ type: 'exact_match', config: {} }, { expected, input: { given: expected } }));
  }
});

const first = () => cases[0] as EvalCase;
const pathOf = () => `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;

async function revision(client = gate.client) {
  const answer = await client('GET', `/v1/suites/${gate.suite.id}/revision`);
  expect(answer.status).toBe(200);
  return answer.body.data;
}
const digest = async (): Promise<string> => (await revision()).digest;

async function patch(path: string, body: object) {
  const answer = await gate.client('PATCH', path, body);
  if (answer.status !== 200) throw new Error(`PATCH ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

test('GET /v1/suites/:suiteId/revision answers the bar without what cases hold, to scope run, too', async () => {
  const { body } = await gate.client('POST', '/v1/api-keys', { name: 'CI', scope: 'run' });
  const answered = await revision(api(service.baseUrl, body.data.key));
  expect(answered).toEqual({
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    scoring: 1,
    reliability: null,
    pass_threshold: 0.6,
    gates: {},
    case_count: 3,
    gating_cases: 3,
    judges: [],
  });
  expect(await revision()).toEqual(answered);
});

test('an empty suite has a digest', async () => {
  gate = await makeGate(service.baseUrl);
  expect(await revision()).toMatchObject({ case_count: 0, gating_cases: 0, digest: expect.any(String) });
});

test('its digest can be computed from what the API answers', async () => {
  const digests = [];
  for (const { id } of cases) {
    const { data } = (await gate.client('GET', `/v1/cases/${id}`)).body;
    const scorer = (await gate.client('GET', `/v1/scorers/${data.scorer_id}`)).body.data;
    const documents = {
      inputDigest: documentDigest(data.input),
      expectedDigest: documentDigest(data.expected),
    };
    digests.push([id, caseDigest({ ...data, ...documents, scorerDigest: scorerDigest(scorer) })] as const);
  }
  expect(await digest()).toBe(suiteDigest({ passThreshold: 0.6, gates: {} }, digests));
});

describe('an edit that decides changes the digest, and the former one comes back when it is undone', () => {
  const ofSuite = (fields: object, undo: object) => async (): Promise<() => Promise<unknown>> => {
    await patch(pathOf(), fields);
    return () => patch(pathOf(), undo);
  };
  const ofCase = (fields: Partial<EvalCase>) => async (): Promise<() => Promise<unknown>> => {
    const path = `/v1/cases/${first().id}`;
    const before = Object.entries(first()).filter(([name]) => name in fields);
    await patch(path, fields);
    return () => patch(path, Object.fromEntries(before));
  };
  const ofScorer = (fields: object, undo: object) => async (): Promise<() => Promise<unknown>> => {
    const path = `/v1/scorers/${first().scorer_id}`;
    await patch(path, fields);
    return () => patch(path, undo);
  };
  const tag = { tag: 'safety', pass_threshold: 1, min_judged_cases: 2 };
  const expires_at = new Date(NOON_MS + 86_400_000).toISOString();
  const advisory = { owner: 'Ada', reason: 'It is being revised.', expires_at };

  test.each([
    ['pass_threshold', ofSuite({ pass_threshold: 0.7 }, { pass_threshold: 0.6 })],
    ['gates', ofSuite({ gates: { tags: [tag] } }, { gates: {} })],
    ['threshold', ofCase({ threshold: 0.75 })],
    ['weight', ofCase({ weight: 2 })],
    ['expected', ofCase({ expected: 'b' })],
    ['input', ofCase({ input: {} })],
    ['tags', ofCase({ tags: ['safety'] })],
    ['must_pass', ofCase({ must_pass: true })],
    ['advisory', ofCase({ advisory })],
    ['sample_count', ofCase({ sample_count: 2 })],
    ['sample_pass_rate', ofCase({ sample_pass_rate: 0.5 })],
    ['deactivation', ofCase({ is_active: false })],
    [
      'type and config',
      ofScorer({ type: 'regex', config: { pattern: 'a' } }, { type: 'exact_match', config: {} }),
    ],
    ['dual_sided', ofScorer({ dual_sided: true, recall_threshold: 0.5 }, { dual_sided: false })],
  ])('%s', async (_, edit) => {
    const before = await digest();
    const undo = await edit();
    expect(await digest()).not.toBe(before);
    await undo();
    expect(await digest()).toBe(before);
  });

  test('deleting a scorer does, too', async () => {
    const before = await digest();
    await gate.client('DELETE', `/v1/scorers/${first().scorer_id}`);
    expect(await digest()).not.toBe(before);
  });
});

test('names, descriptions, order and inactive cases do not change it', async () => {
  const before = await digest();
  await patch(pathOf(), { name: 'Renamed', description: 'new' });
  await patch(`/v1/cases/${first().id}`, { name: 'Renamed', description: 'new' });
  await patch(`/v1/scorers/${first().scorer_id}`, { name: 'Renamed' });
  const case_ids = cases.map(({ id }) => id).toReversed();
  await gate.client('POST', `/v1/suites/${gate.suite.id}/cases/reorder`, { case_ids });
  await gate.add({}, { is_active: false });
  expect(await digest()).toBe(before);
});

test('a case under an advisory does not gate until it expires, and the digest stays when it does', async () => {
  const expires_at = new Date(NOON_MS + 3_000).toISOString();
  await patch(`/v1/cases/${first().id}`, {
    advisory: { owner: 'Ada', reason: 'It is being revised.', expires_at },
  });
  const before = await revision();
  expect(before).toMatchObject({ case_count: 3, gating_cases: 2 });
  service.clock.ms = NOON_MS + 3_000;
  expect(await revision()).toEqual({ ...before, gating_cases: 3 });
});

test('judges are named once each, without the endpoints of deployments', async () => {
  const rubric = { rubric: 'It helps.' };
  const configs = [
    { ...rubric, _provider: 'openai' },
    { ...rubric, _provider: 'provider_a', model: 'gpt-5.4-mini' },
    { ...rubric, _provider: 'anthropic', model: 'claude-named' },
    { ...rubric, _provider: 'azure_openai', model: AZURE },
    { ...rubric, _provider: 'azure_openai' },
  ];
  for (const config of configs) {
    const scorer = await makeScorer(gate.client, gate.project, { type: 'llm_judge', config });
    await makeCase(gate.client, gate.suite, scorer);
  }
  expect((await revision()).judges).toEqual([
    { provider: 'anthropic', model: 'claude-named' },
    { provider: 'azure_openai', model: null },
    { provider: 'azure_openai', model: 'their-judge' },
    { provider: 'openai', model: 'gpt-5.4-mini' },
  ]);
});

test("a judged suite's digest is of the default model and of the prompt", async () => {
  gate = await makeGate(service.baseUrl);
  const config = { rubric: 'It helps.', _provider: 'openai' };
  const evalCase = await gate.add({ type: 'llm_judge', config });
  const judge = { provider: 'openai', model: 'gpt-5.4-mini', prompt_version: PROMPT_VERSION };
  const sides = { dual_sided: false, precision_threshold: null, recall_threshold: null };
  const own = caseDigest({
    ...evalCase,
    inputDigest: documentDigest({}),
    expectedDigest: documentDigest(null),
    scorerDigest: scorerDigest({ type: 'llm_judge', config, ...sides }, judge),
  });
  expect(await digest()).toBe(suiteDigest({ passThreshold: 1, gates: {} }, [[evalCase.id, own]]));
});
