import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectations.ts';
import { addWordCases, type Gate, makeGate, resultsOf } from './gate.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const SHA256 = /^sha256:[0-9a-f]{64}$/;

/** What a run says beside the document's fields; that of gates, samples and digests has tests of its own. */
const DETAILS = {
  suite_digest: expect.stringMatching(SHA256),
  outputs_digest: expect.stringMatching(SHA256),
  judge_usage: null,
  missing_cases: 0,
  advisory_cases: 0,
  advisory_failed_cases: 0,
  baseline_id: null,
  comparison: null,
  waiver: null,
  surplus_outputs: 0,
  surplus: [],
  pass_threshold: 0.5,
  verdict: expect.objectContaining({ decided_by: [] }),
  notices: [],
};

const scoreDetails = (index: number, key: string) => ({
  case_id: cases[index]?.id,
  key,
  missing: false,
  advisory: false,
});

const resultDetails = (key: string) => ({
  key,
  errored: false,
  missing: false,
  advisory: false,
  must_pass: false,
  weight: 1,
  tags: [],
  output_digest: expect.stringMatching(/^[0-9a-f]{16}$/),
  metadata: null,
});

let gate: Gate;
let cases: Awaited<ReturnType<typeof addWordCases>>;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0.5 });
  cases = await addWordCases(gate, ['hello', 'bye'], { threshold: 0.75 });
});

test('a run answers the bare verdict, with a score for every case and the failures once more', async () => {
  const answer = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'hello' });
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    id: expect.stringMatching(/^run_[0-9A-Za-z]+$/),
    status: 'cleared',
    passed: true,
    total_cases: 2,
    passed_cases: 1,
    failed_cases: 1,
    errored_cases: 0,
    inconclusive: false,
    pass_rate: 0.5,
    ...DETAILS,
    duration_ms: expect.any(Number),
    scores: [
      {
        case: 'Says hello',
        passed: true,
        score: 1,
        threshold: 0.75,
        reason: expect.stringMatching(/./),
        ...scoreDetails(0, 'says-hello'),
      },
      {
        case: 'Says bye',
        passed: false,
        score: 0,
        threshold: 0.75,
        reason: expect.stringContaining('bye'),
        ...scoreDetails(1, 'says-bye'),
      },
    ],
    failures: [
      {
        case: 'Says bye',
        score: 0,
        threshold: 0.75,
        reason: expect.stringContaining('bye'),
        ...scoreDetails(1, 'says-bye'),
      },
    ],
  });
  expect(Number.isInteger(answer.body.duration_ms)).toBe(true);
});

test('a run that clears everything has no failures, one that clears nothing has all of them', async () => {
  expect((await gate.run('hello, bye')).failures).toEqual([]);
  const nothing = await gate.run('neither');
  expect(nothing).toMatchObject({ status: 'aborted', passed: false, pass_rate: 0, passed_cases: 0 });
  expect(nothing.failures.map(({ case_id }) => case_id)).toEqual(cases.map(({ id }) => id));
});

test('the run is stored as it was answered, with defaults for what was left out', async () => {
  const before = new Date().toISOString();
  const verdict = await gate.run('bye');
  const answer = await gate.client('GET', `/v1/runs/${verdict.id}`);
  expect(answer.status).toBe(200);
  expect(answer.body).toStrictEqual({
    data: {
      id: verdict.id,
      suite_id: gate.suite.id,
      status: 'cleared',
      pass_rate: 0.5,
      total_cases: 2,
      passed_cases: 1,
      failed_cases: 1,
      errored_cases: 0,
      inconclusive: false,
      ...DETAILS,
      branch: null,
      pull_request: null,
      is_default_branch: true,
      suite: { slug: gate.suite.slug, name: gate.suite.name, project_slug: gate.project.slug },
      duration_ms: verdict.duration_ms,
      trigger: 'api',
      trigger_meta: {},
      created_by: { type: 'api_key', key_id: expect.stringMatching(UUID), label: expect.any(String) },
      created_at: expect.stringMatching(TIMESTAMP),
      completed_at: expect.stringMatching(TIMESTAMP),
    },
  });
  const { created_at, completed_at } = answer.body.data;
  expect(before <= created_at && created_at <= completed_at).toBe(true);
});

test.each(['sdk', 'cli', 'github_action', 'dashboard', 'api'])('trigger %s is kept', async (trigger) => {
  const { id } = await gate.run('hello', { trigger });
  expect((await gate.client('GET', `/v1/runs/${id}`)).body.data.trigger).toBe(trigger);
});

test('a number of trigger_meta is kept or refused, never rounded', async () => {
  const send = (meta: string) =>
    gate.client('POST', '/v1/run', `{"suite":"${gate.suite.slug}","output":"hello","trigger_meta":${meta}}`);
  expectInvalid(await send('{"run":[12345678901234567890]}'), 'trigger_meta.run.0');
  const { status, body } = await send('{"moles":6.02214076e23,"share":0.1,"id":9007199254740991}');
  expect(status).toBe(200);
  const stored = await gate.client('GET', `/v1/runs/${body.id}`);
  expect(stored.body.data.trigger_meta).toEqual({ moles: 6.02214076e23, share: 0.1, id: 9007199254740991 });
});

test('trigger_meta comes back as it was sent, whatever its names', async () => {
  const sent = `{"commit":"4f2c9e1","pull_request":17,"":[1.5,null,{"deep":["é😀"]}],"__proto__":{"constructor":1}}`;
  const body = `{"suite":"${gate.suite.slug}","output":"hello","trigger_meta":${sent}}`;
  const verdict = await gate.client('POST', '/v1/run', body);
  const stored = await gate.client('GET', `/v1/runs/${verdict.body.id}`);
  expect(JSON.stringify(stored.body.data.trigger_meta)).toBe(sent);
});

test('results have the fields of the specification, one for each case in the order of the suite', async () => {
  const { id } = await gate.run('bye');
  const results = await resultsOf(gate.client, id);
  const common = { id: expect.stringMatching(UUID), run_id: id, threshold: 0.75 };
  expect(results).toStrictEqual([
    {
      ...common,
      case_id: cases[0]?.id,
      case_name: 'Says hello',
      passed: false,
      score: 0,
      reason: expect.stringContaining('hello'),
      scorer_output: { mode: 'all', matches: [{ value: 'hello', found: false }], found_count: 0, total: 1 },
      duration_ms: expect.any(Number),
      ...resultDetails('says-hello'),
      output_excerpt: 'bye',
    },
    {
      ...common,
      case_id: cases[1]?.id,
      case_name: 'Says bye',
      passed: true,
      score: 1,
      reason: expect.any(String),
      scorer_output: { mode: 'all', matches: [{ value: 'bye', found: true }], found_count: 1, total: 1 },
      duration_ms: expect.any(Number),
      ...resultDetails('says-bye'),
    },
  ]);
});

test('a result has an id of its own that stays the same whenever it is read', async () => {
  const [first, second] = [await gate.run('bye'), await gate.run('bye')];
  const idsOf = async (runId: string) => (await resultsOf(gate.client, runId)).map(({ id }) => id);
  const ids = [...(await idsOf(first.id)), ...(await idsOf(second.id))];
  expect(new Set(ids).size).toBe(4);
  expect(await idsOf(first.id)).toEqual(ids.slice(0, 2));
});

test('input is taken and unknown fields are ignored', async () => {
  const { id } = await gate.run('hello', { input: { question: 'Hi?' }, colour: 'red', status: 'aborted' });
  const { data } = (await gate.client('GET', `/v1/runs/${id}`)).body;
  expect(data).toMatchObject({ status: 'cleared' });
  expect(data).not.toHaveProperty('colour');
});
