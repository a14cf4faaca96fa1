import { expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { makeGate } from '../runs/gate.ts';
import { makeBaselineGate } from './baselineGate.ts';

const url = sharedServiceUrl();
const idOf = ({ id }: { id: string }): string => id;

test('an accepted run is current, and listed with who accepted it and why', async () => {
  const { gate, accept, current, listed } = await makeBaselineGate(url);
  const run = await gate.run('one two three');
  const { status, body } = await accept([run.id], { reason: 'Released as 2.3.0' });
  expect(status).toBe(201);
  const { client, suite } = gate;
  expect(body.data).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    suite_id: suite.id,
    run_ids: [run.id],
    suite_digest: run.suite_digest,
    kind: 'output',
    pass_rate: 0.75,
    cases: 4,
    accepted_by: { type: 'api_key', key_id: expect.any(String), label: expect.any(String) },
    reason: 'Released as 2.3.0',
    created_at: expect.any(String),
    notices: [{ code: 'BASELINE_UNUSED', message: expect.stringMatching(/^No gate of the suite compares/) }],
  });
  expect((await current()).body.data).toEqual(body.data);
  expect((await listed()).body).toEqual({
    data: [{ ...body.data, notices: [] }],
    pagination: { page: 1, pageSize: 20, total: 1, hasMore: false },
  });
  const { body: after } = await client('GET', `/v1/suites/${suite.id}`);
  expect(after.data.version).toBe(
    (await client('GET', `/v1/projects/${gate.project.slug}/suites/${suite.slug}`)).body.data.version,
  );
});

test('a suite names its current baseline, and what pushed it last, also to credentials of scope run', async () => {
  const { gate, accept, remove } = await makeBaselineGate(url);
  const { client, project, suite } = gate;
  const path = `/v1/projects/${project.slug}/suites/${suite.slug}`;
  const answers = async (as = client) =>
    (await Promise.all([as('GET', path), as('GET', `/v1/suites/${suite.id}`)])).map(({ body }) => body.data);
  for (const shown of await answers()) expect(shown).toMatchObject({ baseline_id: null });
  const { id } = (await accept([(await gate.run('one')).id])).body.data;
  const { definition } = (await client('GET', `${path}/definition`)).body.data;
  const pushed = await client('PUT', `${path}/definition`, {
    definition: { ...definition, name: 'Pushed' },
    source: { repository: 'octo/bot', sha: '8f2c1aa' },
  });
  expect(pushed.status).toBe(200);
  const { last_push } = (await client('GET', `${path}/definition`)).body.data;
  expect(last_push.source).toEqual({ repository: 'octo/bot', sha: '8f2c1aa' });
  const { key } = (await client('POST', '/v1/api-keys', { name: 'CI', scope: 'run' })).body.data;
  const runner = api(url, key);
  const [listed] = (await client('GET', `/v1/projects/${project.slug}/suites`)).body.data;
  for (const shown of [...(await answers()), ...(await answers(runner)), listed])
    expect(shown).toMatchObject({ baseline_id: id, last_push });
  await remove();
  for (const shown of await answers()) expect(shown).toMatchObject({ baseline_id: null, last_push });
});

test('acceptances at once, twenty times: one is current, and all are listed, the last in force first', async () => {
  const { gate, accept, current, listed } = await makeBaselineGate(url);
  const runs = [await gate.run('one'), await gate.run('two')];
  const accepted: string[] = [];
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(runs.map(({ id }) => accept([id])));
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    accepted.unshift(...answers.map(({ body }) => body.data.id));
    const [first, second] = (await listed('?pageSize=2')).body.data;
    expect([first.id, second.id].sort()).toEqual(accepted.slice(0, 2).sort());
    expect((await current()).body.data).toMatchObject({ id: first.id });
  }
  const { data, pagination } = (await listed('?page=2&pageSize=15')).body;
  expect(pagination).toEqual({ page: 2, pageSize: 15, total: 40, hasMore: true });
  const all = (await listed('?pageSize=100')).body.data;
  expect(data).toEqual(all.slice(15, 30));
  expect(all.map(idOf).sort()).toEqual(accepted.sort());
  expect((await listed('?page=999999999&pageSize=100')).body).toMatchObject({
    data: [],
    pagination: { total: 40 },
  });
});

test('a removed baseline is none any more, and stays listed', async () => {
  const { gate, accept, current, remove, listed } = await makeBaselineGate(url);
  expect((await current()).status).toBe(404);
  expect((await remove()).status).toBe(404);
  const { id } = (await accept([(await gate.run('one')).id])).body.data;
  expect((await remove()).status).toBe(204);
  expect((await current()).status).toBe(404);
  expect((await remove()).status).toBe(404);
  expect((await listed()).body.data.map(idOf)).toEqual([id]);
  const next = (await accept([(await gate.run('two')).id])).body.data;
  expect((await listed()).body.data.map(idOf)).toEqual([next.id, id]);
});

test('runs of one to five are a baseline: its pass rate is the mean of theirs', async () => {
  const { gate, accept } = await makeBaselineGate(url);
  const runs = [await gate.run('one'), await gate.run('one two'), await gate.run('one two three')];
  const { body } = await accept(runs.map(({ id }) => id));
  expect(body.data).toMatchObject({ pass_rate: 0.5, run_ids: runs.map(({ id }) => id) });
});

const COMPARING = { pass_threshold: 0.5, gates: { regression: {} } };

test('a baseline states that no gate compares with it, until one does', async () => {
  const { gate, accept, current } = await makeBaselineGate(url, { gates: { min_comparable: 0.5 } });
  const run = await gate.run('one');
  const codes = async () => (await current()).body.data.notices.map(({ code }: { code: string }) => code);
  const unused = ['BASELINE_UNUSED'];
  expect((await accept([run.id])).body.data.notices.map(({ code }: { code: string }) => code)).toEqual(
    unused,
  );
  expect(await codes()).toEqual(unused);
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  for (const gates of [{ max_newly_failing: 0 }, { regression: {} }]) {
    await gate.client('PATCH', path, { gates });
    expect(await codes()).toEqual([]);
  }
});

test('accepted runs of the same outputs count as one run, and a notice states it', async () => {
  const { gate, accept, comparison } = await makeBaselineGate(url, COMPARING);
  const ids: string[] = [];
  for (let copy = 0; copy < 4; copy++) ids.push((await gate.run('one two three')).id);
  const other = await gate.run('one');
  const one = await accept(ids);
  expect(one.body.data).toMatchObject({ run_ids: ids, pass_rate: 0.75 });
  expect(one.body.data.notices).toEqual([
    { code: 'BASELINE_COPIES', message: expect.stringMatching(/^3 of the runs have the outputs of another/) },
  ]);
  const run = await gate.run('four');
  // Three cases of one run that fail now, and one that passes: of four copies the p-value would be far lower.
  expect((await comparison(run.id)).body.data.test.p_value).toBe(0.1875);
  const { body } = await accept([...ids, other.id]);
  expect(body.data).toMatchObject({ pass_rate: 0.5, run_ids: [...ids, other.id] });
});

const issuesOf = ({
  body,
}: {
  body: { error: { details: { issues: { path: string; message: string }[] } } };
}) => body.error.details.issues.map(({ path, message }) => `${path} ${message}`);

test('runs that are no point of comparison are refused, each by name and reason', async () => {
  const made = await makeBaselineGate(url);
  const { gate, accept } = made;
  const [one, two] = [await gate.run('one'), await gate.run('two')];
  const own = await gate.run(undefined as never, {
    outputs: ['one', 'two', 'three', 'four'].map((word) => ({ case: `says-${word}`, output: word })),
  });
  await gate.client('PATCH', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, {
    pass_threshold: 0.1,
  });
  const later = await gate.run('one');
  const other = await makeGate(url, {}, gate.client);
  await other.add({});
  const theirs = await other.run('ok', { project: other.project.slug });
  const refusals: [string[], RegExp][] = [
    [[one.id, theirs.id], new RegExp(`^run_ids.1 ${theirs.id} is of another suite`)],
    [
      [two.id, one.id, later.id],
      new RegExp(`^run_ids.2 ${later.id} was judged by another bar than ${two.id}`),
    ],
    [[one.id, own.id], new RegExp(`^run_ids.1 ${own.id} has outputs of its own`)],
    [[one.id, one.id], /^run_ids must not name a run twice/],
    [[], /^run_ids /],
    [['a', 'b', 'c', 'd', 'e', 'f'], /^run_ids at most 5 runs/],
  ];
  for (const [ids, reason] of refusals) {
    const answer = await accept(ids);
    expect([answer.status, issuesOf(answer)]).toEqual([400, [expect.stringMatching(reason)]]);
  }
  expect((await accept(['run_1'])).status).toBe(404);
  expect((await accept([one.id, '../x'])).status).toBe(404);
  expect((await made.listed()).body.data).toEqual([]);
});

test('a run that is inconclusive by itself is refused, and one only for want of a baseline is not', async () => {
  const { gate, accept } = await makeBaselineGate(url, { gates: { max_newly_failing: 0 } });
  const run = await gate.run('one two three four');
  expect(run).toMatchObject({ status: 'aborted', inconclusive: true });
  expect((await accept([run.id])).status).toBe(201);
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`;
  await gate.client('PATCH', path, { gates: { min_judged_cases: 9 } });
  const short = await gate.run('one two three four');
  const answer = await accept([short.id]);
  expect([answer.status, issuesOf(answer as never)]).toEqual([
    400,
    [expect.stringMatching(`^run_ids.0 ${short.id} is inconclusive`)],
  ]);
});

test('a baseline with cases that ended in an error is accepted with a notice: a fall of theirs would not be seen', async () => {
  const { gate, accept, comparison } = await makeBaselineGate(url, COMPARING);
  const outputs = ['one', 'two', 'three'].map((word) => ({ case: `says-${word}`, output: word }));
  const missed = { case: 'says-four', error: 'the model answered 429' };
  const ran = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, outputs: [...outputs, missed] });
  const [{ code, message }] = (await accept([ran.body.id])).body.data.notices;
  expect(code).toBe('BASELINE_UNJUDGED');
  expect(message).toMatch(/^1 of the baseline's cases ended in an error/);
  expect((await comparison(ran.body.id)).body.data.counts.unjudged).toBe(1);
});

test('a lower baseline and one of the best runs are accepted with a notice', async () => {
  const { gate, accept } = await makeBaselineGate(url, COMPARING);
  const [high, low] = [await gate.run('one two three'), await gate.run('one')];
  const codes = async (ids: readonly string[]) =>
    (await accept(ids)).body.data.notices.map(({ code }: { code: string }) => code);
  expect(await codes([high.id])).toEqual([]);
  expect(await codes([low.id])).toEqual(['BASELINE_LOW']);
  expect(await codes([high.id])).toEqual([]);
  for (let more = 0; more < 2; more++) await gate.run('one two');
  // Four runs in all, the accepted one among them, are too few to compare it with.
  expect(await codes([high.id])).toEqual([]);
  await gate.run('one two');
  expect(await codes([high.id])).toEqual(['BASELINE_OPTIMISTIC']);
  expect(await codes([low.id])).toEqual(['BASELINE_LOW']);
});
