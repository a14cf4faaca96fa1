import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, type ApiAnswer, api } from '../../support/api.ts';
import { aRepository, type Claims, type Repository } from '../../support/oidc.ts';
import { makeKey } from '../apiKeys/organisation.ts';
import { expectToken, type Keyless, startKeyless } from '../auth/keyless.ts';
import { PUSHER, type Pushing, pushing, workflowRef } from '../auth/pushing.ts';

let keyless: Keyless;
beforeAll(async () => {
  keyless = await startKeyless();
});
afterAll(() => keyless.stop());

interface Released extends Pushing {
  readonly suiteId: string;
  readonly cases: readonly object[];
  /** A job of the workflow that may accept. */
  job(claims?: Claims, repository?: Repository): Promise<Api>;
  /** Answers the id of a run in which so many of the cases pass. */
  run(client: Api, passing: number): Promise<string>;
  /** Pushes the suite with other fields. */
  pushes(client: Api, fields?: object): Promise<ApiAnswer>;
  accept(client: Api, runIds: readonly string[]): Promise<[number, string, string]>;
}

const DEFINITION = '/v1/projects/bot/suites/answers/definition';

/** A suite whose first cases pass by their number. */
async function released(cases = 20, suiteFields: object = {}): Promise<Released> {
  const pushed = await pushing(keyless);
  const { client } = pushed.org;
  const definition = {
    version: 1,
    suite: 'answers',
    pass_threshold: 0,
    ...suiteFields,
    scorers: { exact: { type: 'exact_match', config: {} } },
    cases: Array.from({ length: cases }, (_, at) => ({
      key: `case-${at}`,
      scorer: 'exact',
      input: {},
      expected: 'yes',
    })),
  };
  const pushes = (as: Api, fields: object = {}) =>
    as('PUT', DEFINITION, { definition: { ...definition, ...fields }, allow_weaker: true });
  const made = await pushes(client);
  if (made.status > 201) throw new Error(JSON.stringify(made.body));
  const suite = (await client('GET', '/v1/projects/bot/suites/answers')).body.data;
  const outputs = (passing: number) =>
    Array.from({ length: cases }, (_, at) => ({ case: `case-${at}`, output: at < passing ? 'yes' : 'no' }));
  return {
    ...pushed,
    suiteId: suite.id,
    pushes,
    cases: definition.cases,
    job: async (claims = {}, repository = pushed.repository) =>
      api(
        keyless.service.baseUrl,
        expectToken(await pushed.ask({ ...workflowRef(repository), ...claims }, repository)),
      ),
    async run(as, passing) {
      const { status, body } = await as('POST', '/v1/run', { suite: 'answers', outputs: outputs(passing) });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.id;
    },
    async accept(as, run_ids) {
      const { status, body } = await as('POST', `/v1/suites/${suite.id}/baselines`, { run_ids });
      const { code = '', message = '', details } = body.error ?? {};
      const [issue] = details?.issues ?? [];
      return [status, code, issue?.message ?? message];
    },
  };
}

test('the first baseline is a person’s choice, and so is the first after a removal; then a job may go on', async () => {
  const { org, suiteId, job, run, accept } = await released();
  const main = await job();
  const runs = [await run(main, 20), await run(main, 20)];
  expect(await accept(main, [runs[0] ?? ''])).toEqual([
    403,
    'SCOPE_REQUIRED',
    expect.stringMatching(/no baseline/),
  ]);
  expect((await accept(org.client, [runs[0] ?? '']))[0]).toBe(201);
  expect((await accept(main, runs))[0]).toBe(201);
  const { body } = await org.client('GET', `/v1/suites/${suiteId}/baseline`);
  expect(body.data.accepted_by).toMatchObject({ type: 'github_actions', ref: 'refs/heads/main' });
  expect((await main('DELETE', `/v1/suites/${suiteId}/baseline`)).status).toBe(403);
  expect((await org.client('DELETE', `/v1/suites/${suiteId}/baseline`)).status).toBe(204);
  expect((await accept(main, runs))[0]).toBe(403);
});

test('a job accepts nothing where a person removes the baseline meanwhile', async () => {
  const { org, suiteId, job, run, accept } = await released();
  const main = await job();
  const id = await run(main, 20);
  expect((await accept(org.client, [id]))[0]).toBe(201);
  const { table } = keyless.service;
  const put = table.put.bind(table);
  // Between the first check of the job's right and the edit that is in force.
  table.put = async (item) => {
    await put(item);
    if (!String(item.sk).startsWith('BASELINE#')) return;
    table.put = put;
    expect((await org.client('DELETE', `/v1/suites/${suiteId}/baseline`)).status).toBe(204);
  };
  try {
    expect((await accept(main, [id])).slice(0, 2)).toEqual([403, 'SCOPE_REQUIRED']);
  } finally {
    table.put = put;
  }
  expect((await org.client('GET', `/v1/suites/${suiteId}/baseline`)).status).toBe(404);
});

test('an API key of scope suites accepts nothing, and none of scope run', async () => {
  const { org, job, run, accept } = await released();
  const id = await run(await job(), 20);
  await accept(org.client, [id]);
  for (const scope of ['suites', 'run'] as const) {
    const { key } = await makeKey(org.client, { scope });
    expect((await accept(api(keyless.service.baseUrl, key), [id])).slice(0, 2)).toEqual([
      403,
      'SCOPE_REQUIRED',
    ]);
  }
});

test('a job accepts only what jobs of its repository and branch have made of what was merged', async () => {
  const { org, repository, job, run, accept } = await released();
  const main = await job();
  const good = await run(main, 20);
  await accept(org.client, [good]);
  await org.trust(repository);
  const gate = async (claims: Claims) =>
    api(keyless.service.baseUrl, expectToken(await org.enter(repository, claims)));
  const stranger = aRepository();
  await org.trust(stranger);
  const [byKey, byBranch, byPull, byStranger, byDispatch] = [
    await run(org.client, 20),
    await run(await gate({ ref: 'refs/heads/other' }), 20),
    await run(await gate({ event_name: 'pull_request' }), 20),
    await run(api(keyless.service.baseUrl, expectToken(await org.enter(stranger))), 20),
    await run(await gate({ event_name: 'workflow_dispatch' }), 20),
  ];
  const refusals: [string, RegExp][] = [
    [byKey, /was not made by a job of this job's repository/],
    [byStranger, /was not made by a job of this job's repository/],
    [byBranch, /was made on refs\/heads\/other, not on refs\/heads\/main/],
    [byPull, /was made by a job of the event pull_request/],
  ];
  for (const [id, why] of refusals)
    expect(await accept(main, [good, id])).toEqual([400, 'VALIDATION_ERROR', expect.stringMatching(why)]);
  expect((await accept(main, [good, byDispatch]))[0]).toBe(201);
});

test('a job accepts no run that was not cleared, and a person may', async () => {
  const { org, job, run, accept } = await released(20, { pass_threshold: 0.99 });
  const main = await job();
  const aborted = await run(main, 19);
  expect((await accept(org.client, [aborted]))[0]).toBe(201);
  expect(await accept(main, [aborted])).toEqual([
    400,
    'VALIDATION_ERROR',
    expect.stringMatching(/was not cleared/),
  ]);
});

test('jobs of another repository, and of a name that another one has taken, accept nothing', async () => {
  const { org, repository, suiteId, job, run, accept, pushes } = await released();
  const main = await job();
  // So that the suite belongs to the repository.
  expect((await pushes(main)).status).toBe(200);
  const good = await run(main, 20);
  await accept(org.client, [good]);
  const taken = { ...aRepository(repository.name) };
  const stranger = aRepository();
  await org.trust(stranger, PUSHER);
  expect(await accept(await job({}, stranger), [good])).toEqual([403, 'OWNED_ELSEWHERE', expect.any(String)]);
  // The registration is bound to the id of the first repository.
  expect((await keyless.exchange(org.tokenOf(taken, workflowRef(taken)), { scope: 'suites' })).status).toBe(
    401,
  );
  expect((await org.client('GET', `/v1/suites/${suiteId}/baselines`)).body.pagination.total).toBe(1);
});

test('what jobs accept lies never further below what a person accepted than min_drop', async () => {
  const { org, suiteId, job, run, accept } = await released(200);
  const main = await job();
  expect((await accept(org.client, [await run(main, 200)]))[0]).toBe(201);
  let passing = 200;
  const answers: string[] = [];
  for (let release = 0; release < 50; release++) {
    passing -= 1;
    const [status, code, message] = await accept(main, [await run(main, passing)]);
    answers.push(`${status} ${code} ${message}`);
  }
  expect(answers.slice(0, 4)).toEqual(Array.from({ length: 4 }, () => '201  '));
  for (const answer of answers.slice(4))
    expect(answer).toMatch(/^409 BASELINE_WOULD_FALL .* may fall by 0.02/);
  const { body } = await org.client('GET', `/v1/suites/${suiteId}/baseline`);
  expect(body.data.pass_rate).toBe(0.98);
  // Who accepts the fall starts anew.
  expect((await accept(org.client, [await run(main, 190)]))[0]).toBe(201);
  expect((await accept(main, [await run(main, 187)]))[0]).toBe(201);
});

test('a job accepts nothing that can hardly be compared with what a person accepted', async () => {
  const { org, suiteId, job, run, accept } = await released(10);
  const main = await job();
  await accept(org.client, [await run(main, 10)]);
  const { data } = (await org.client('GET', `/v1/suites/${suiteId}/cases`)).body;
  for (const { id } of data.slice(0, 3)) await org.client('PATCH', `/v1/cases/${id}`, { expected: 'no' });
  const [status, code, message] = await accept(main, [await run(main, 10)]);
  expect([status, code]).toEqual([409, 'BASELINE_WOULD_FALL']);
  expect(message).toMatch(/0.7 of the weight, and it takes 0.8/);
});

test('a job widens neither min_drop nor min_comparable by a push before it accepts', async () => {
  const { org, suiteId, job, run, accept, pushes } = await released(20);
  const main = await job();
  await accept(org.client, [await run(main, 20)]);
  const gates = { regression: { min_drop: 1, alpha: 0.0001 }, min_comparable: 0.01 };
  expect((await pushes(main, { gates })).status).toBe(200);
  expect(await accept(main, [await run(main, 19)])).toEqual([
    409,
    'BASELINE_WOULD_FALL',
    expect.stringMatching(/may fall by 0.02, by the bar of the runs .* has 1 now\)/),
  ]);
  const { data } = (await org.client('GET', `/v1/suites/${suiteId}/cases`)).body;
  for (const { id } of data.slice(0, 6)) await org.client('PATCH', `/v1/cases/${id}`, { threshold: 0.9 });
  expect((await accept(main, [await run(main, 20)]))[2]).toMatch(/it takes 0.8, .* has 0.01 now\)/);
});

test.each<[string, (at: number) => object, boolean]>([
  ['tags', () => ({ tags: ['moved'] }), true],
  ['a threshold', () => ({ threshold: 0.9 }), true],
  ['weights', () => ({ weight: 0.001 }), true],
  ['a case that fails and is new', () => ({}), false],
])('a job hides no fall behind %s that it pushes', async (_, edit, isOfOld) => {
  const { org, job, run, accept, pushes, cases } = await released(10);
  const main = await job();
  await accept(org.client, [await run(main, 10)]);
  const changed = cases.map((one, at) => (isOfOld && at >= 8 ? { ...one, ...edit(at) } : one));
  const added = isOfOld ? [] : [{ ...cases[0], key: 'new', expected: 'never' }];
  expect((await pushes(main, { cases: [...changed, ...added] })).status).toBe(200);
  const [status, code, message] = await accept(main, [await run(main, isOfOld ? 8 : 10)]);
  expect([status, code]).toEqual([409, 'BASELINE_WOULD_FALL']);
  expect(message).toMatch(isOfOld ? /differs by -0.2 / : /differs by -0.1 /);
});

test('from the third run of a commit on, a run states how many there were and how the first one ended', async () => {
  const { job, run } = await released(20, { pass_threshold: 0.9 });
  const main = await job();
  const other = await job({ sha: 'f'.repeat(40) });
  const noticesOf = async (client: Api, passing: number) =>
    (await client('GET', `/v1/runs/${await run(client, passing)}`)).body.data.notices;
  expect(await noticesOf(main, 10)).toEqual([]);
  expect(await noticesOf(main, 12)).toEqual([]);
  expect(await noticesOf(other, 20)).toEqual([]);
  expect(await noticesOf(main, 20)).toEqual([
    {
      code: 'RETRIED',
      runs: 3,
      first: 'aborted',
      message:
        'This suite has judged the commit 7d444840a9c1 3 times with this run, and the first run was aborted.',
    },
  ]);
  expect((await noticesOf(main, 20))[0]).toMatchObject({ runs: 4 });
});
