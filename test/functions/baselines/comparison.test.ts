import { expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeGate } from '../runs/gate.ts';
import { makeBaselineGate } from './baselineGate.ts';

const url = sharedServiceUrl();

const WORDS = Array.from('abcdefghijklmnopqrst', (letter) => `say${letter}`);
const saying = (...without: number[]) => WORDS.filter((_, at) => !without.includes(at)).join(' ');

test('a run beside its baseline: figures over all cases, lists of those that differ', async () => {
  const { gate, accept, comparison } = await makeBaselineGate(url, { pass_threshold: 0 }, { words: WORDS });
  const before = await gate.run(saying(0, 1));
  const { data: baseline } = (await accept([before.id])).body;
  const { id } = await gate.run(saying(5, 6, 7, 8, 9));
  const { status, body } = await comparison(id);
  expect(status).toBe(200);
  const { cases, ...figures } = body.data;
  expect(figures).toEqual({
    run_id: id,
    baseline: { id: baseline.id, run_ids: [before.id], created_at: baseline.created_at, run: null },
    comparable: true,
    coverage: 1,
    notices: [],
    counts: {
      compared: 20,
      newly_failing: 5,
      newly_passing: 2,
      unstable: 0,
      changed: 0,
      added: 0,
      missing: 0,
      unjudged: 0,
    },
    pass_rate: {
      baseline: 0.9,
      run: 0.75,
      difference: -0.15,
      confidence: 0.95,
      lower: expect.closeTo(-0.397, 2),
      upper: expect.closeTo(0.124, 2),
    },
    test: {
      method: 'exact_conditional_mid_p',
      alternative: 'worse',
      informative_cases: 7,
      // Of 7 cases that differ, 5 or more got worse by chance: (21 + 7 + 1) / 128, and half of 21 less.
      p_value_exact: 29 / 128,
      p_value: (29 - 21 / 2) / 128,
    },
    detectable_drop: expect.any(Number),
  });
  expect(cases.newly_failing).toHaveLength(5);
  expect(cases.newly_failing[0]).toEqual({
    case_id: expect.any(String),
    key: 'says-sayf',
    case: 'Says sayf',
    baseline_score: 1,
    score: 0,
    threshold: 0.5,
    weight: 1,
    must_pass: false,
    reason: expect.stringMatching(/sayf/),
  });
  expect(cases.newly_passing.map(({ key }: { key: string }) => key)).toEqual(['says-saya', 'says-sayb']);
  for (const name of ['unstable', 'changed', 'added', 'missing', 'unjudged']) expect(cases[name]).toEqual([]);
});

test('the baseline that the run was judged with, else the current one, else the run that the query names', async () => {
  const { gate, accept, comparison } = await makeBaselineGate(url, { pass_threshold: 0 }, { words: WORDS });
  const early = await gate.run(saying());
  expect((await comparison(early.id)).status).toBe(404);
  const first = (await accept([early.id])).body.data;
  const judged = await gate.run(saying(3));
  const second = (await accept([judged.id])).body.data;
  const of = async (id: string, query?: string) => (await comparison(id, query)).body.data;
  expect((await of(judged.id)).baseline.id).toBe(first.id);
  expect((await of(early.id)).baseline.id).toBe(second.id);
  const named = await of(judged.id, `?baseline=${early.id}`);
  expect(named.baseline).toEqual({
    id: null,
    run_ids: [early.id],
    created_at: expect.any(String),
    run: {
      status: 'cleared',
      inconclusive: false,
      created_by: expect.objectContaining({ type: 'api_key' }),
      trigger_meta: {},
      branch: null,
      pull_request: null,
      is_default_branch: true,
    },
  });
  expect(named.counts).toEqual((await of(judged.id)).counts);
  const itself = await of(judged.id, `?baseline=${judged.id}`);
  expect(itself.counts).toMatchObject({ compared: 20, newly_failing: 0, newly_passing: 0 });
  expect(itself.test).toMatchObject({ p_value: 1, p_value_exact: 1, informative_cases: 0 });
});

test('swapping the two runs gives the rest of the test’s probability', async () => {
  const { gate, comparison } = await makeBaselineGate(url, { pass_threshold: 0 }, { words: WORDS });
  const [one, other] = [await gate.run(saying(0, 1, 2)), await gate.run(saying(2, 3))];
  const [there, back] = [
    (await comparison(one.id, `?baseline=${other.id}`)).body.data,
    (await comparison(other.id, `?baseline=${one.id}`)).body.data,
  ];
  expect(there.test.p_value).toBeCloseTo(1 - back.test.p_value, 12);
  expect(there.counts.newly_failing).toBe(back.counts.newly_passing);
  expect(there.pass_rate.difference).toBe(-back.pass_rate.difference);
});

test('a run that does not exist, of no suite of the caller or of another suite is refused', async () => {
  const { gate, comparison } = await makeBaselineGate(url);
  const run = await gate.run('one');
  const other = await makeGate(url, {}, gate.client);
  await other.add({});
  const elsewhere = await other.run('ok', { project: other.project.slug });
  const stranger = await makeGate(url, {}, await signUp(url));
  await stranger.add({});
  const theirs = await stranger.run('ok');
  const answer = async (id: string, query?: string) => {
    const { status, body } = await comparison(id, query);
    return { status, body };
  };
  const missing = await answer('run_1');
  expect(missing.status).toBe(404);
  expect(await answer(theirs.id)).toEqual(missing);
  expect(await answer(run.id, `?baseline=${theirs.id}`)).toEqual(missing);
  expect(await answer(run.id, '?baseline=run_1')).toEqual(missing);
  const statuses = await Promise.all(
    [
      `?baseline=${elsewhere.id}`,
      '?baseline=',
      '?baseline=nothing',
      `?baseline=${run.id}&baseline=${run.id}`,
    ].map(async (query) => (await answer(run.id, query)).status),
  );
  expect(statuses).toEqual([400, 400, 400, 400]);
});

test('runs of other kinds are not compared, and every case states why', async () => {
  const { gate, accept, comparison } = await makeBaselineGate(url, { pass_threshold: 0 });
  await accept([(await gate.run('one two')).id]);
  const own = await gate.run(undefined as never, { outputs: [{ case: 'says-one', output: 'one' }] });
  const { comparable, counts, cases } = (await comparison(own.id)).body.data;
  expect({ comparable, ...counts }).toMatchObject({ comparable: false, compared: 0, changed: 4 });
  expect(cases.changed.map(({ why }: { why: string }) => why)).toEqual(['KIND', 'KIND', 'KIND', 'KIND']);
});

test('of many cases the hundred gravest are listed, and all are counted', async () => {
  const { gate, comparison } = await makeBaselineGate(url, { pass_threshold: 0 }, { words: ['none'] });
  const { data } = (await gate.client('GET', `/v1/suites/${gate.suite.id}/cases`)).body;
  const definition = {
    version: 1,
    suite: gate.suite.slug,
    pass_threshold: 0,
    scorers: { says: { type: 'contains', config: { values: ['yes'] } } },
    cases: Array.from({ length: 130 }, (_, at) => ({
      key: `c${at}`,
      scorer: 'says',
      input: {},
      weight: at % 2,
      ...(at > 125 && { must_pass: true }),
    })),
  };
  const path = `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}/definition?prune=true`;
  const pushed = await gate.client('PUT', path, { definition, prune: true, allow_weaker: true });
  expect(pushed.status).toBe(200);
  expect(data).toHaveLength(1);
  const [good, bad] = [await gate.run('yes'), await gate.run('no')];
  const { counts, cases } = (await comparison(bad.id, `?baseline=${good.id}`)).body.data;
  expect(counts.newly_failing).toBe(130);
  const listed: { key: string; weight: number; must_pass: boolean }[] = cases.newly_failing;
  expect(listed).toHaveLength(100);
  expect(listed.slice(0, 6).map(({ key }) => key)).toEqual(['c127', 'c129', 'c126', 'c128', 'c1', 'c3']);
});
