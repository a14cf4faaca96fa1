import { beforeAll, describe, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../../support/api.ts';
import { ALL, DIGEST, gateOf, KEYS, makeTrust, resultsByKey, right, type Trust } from './trust.ts';

let trust: Trust;
beforeAll(async () => {
  trust = await makeTrust(sharedServiceUrl());
});

/** Of an answer, what the same bar says of the same outputs. */
const judged = ({ id: _, duration_ms: __, ...verdict }: Readonly<Record<string, unknown>>) => verdict;

test('outputs that are all right clear, and the verdict states by which bar, how surely and what would flip it', async () => {
  const verdict = await trust.run(ALL);
  expect(verdict).toMatchObject({
    status: 'cleared',
    passed: true,
    pass_rate: 1,
    total_cases: 4,
    passed_cases: 4,
    failed_cases: 0,
    errored_cases: 0,
    missing_cases: 0,
    advisory_cases: 0,
    advisory_failed_cases: 0,
    surplus_outputs: 0,
    surplus: [],
    suite_digest: DIGEST,
    outputs_digest: DIGEST,
    pass_threshold: 0.6,
    notices: [],
    failures: [],
    verdict: {
      gates: [{ gate: 'pass_rate', status: 'passed', observed: 1, required: 0.6 }],
      decided_by: [],
      confidence: {
        level: 0.95,
        method: 'wilson',
        upper: 1,
        effective_cases: 4,
        lower: expect.closeTo(0.510109, 6),
      },
      flips: { to: 'aborted', cases: 2 },
    },
  });
  expect(verdict.scores).toMatchObject(
    KEYS.map((key) => ({ key, case_id: trust.cases[key].id, case: `Case ${key}`, passed: true, score: 1 })),
  );
  expect(verdict.suite_digest).toBe(await trust.digest());
});

test('a run is read as it was answered', async () => {
  const { scores: _, failures: __, passed: ___, ...answered } = await trust.run(ALL.slice(1));
  const { data } = (await trust.client('GET', `/v1/runs/${answered.id}`)).body;
  expect(data).toMatchObject({ ...answered, suite: { slug: 't', name: 'A suite', project_slug: 'trust' } });
  const listed = (await trust.client('GET', `/v1/suites/${trust.suite.id}/runs`)).body.data;
  expect(listed[0]).toEqual(data);
});

test('a case without an output fails as missing, and is no error', async () => {
  const verdict = await trust.run([...right('a', 'b'), { case: 'c', output: 'x' }]);
  expect(verdict).toMatchObject({
    status: 'aborted',
    passed: false,
    pass_rate: 0.5,
    inconclusive: false,
    total_cases: 4,
    passed_cases: 2,
    failed_cases: 2,
    errored_cases: 0,
    missing_cases: 1,
    verdict: { decided_by: ['pass_rate'], flips: { to: 'cleared', cases: 1 } },
  });
  expect(verdict.failures.map(({ key, missing }: Record<string, unknown>) => [key, missing])).toEqual([
    ['c', false],
    ['d', true],
  ]);
  const { c, d } = await resultsByKey(trust, verdict.id);
  expect(c).toMatchObject({ passed: false, missing: false, errored: false });
  expect(d).toMatchObject({ passed: false, missing: true, errored: false, score: 0, output_digest: null });
  expect(d.scorer_output).toEqual({ missing: true });
});

test('an output that could not be obtained is an error: the run can’t tell', async () => {
  const verdict = await trust.run([
    ...right('a', 'b'),
    { case: 'c', output: 'x' },
    { case: 'd', error: 'provider answered 429 four times' },
  ]);
  expect(verdict).toMatchObject({
    status: 'aborted',
    inconclusive: true,
    pass_rate: 0.5,
    failed_cases: 2,
    errored_cases: 1,
    missing_cases: 0,
  });
  expect(gateOf(verdict, 'pass_rate')).toMatchObject({ status: 'inconclusive' });
  const { d } = await resultsByKey(trust, verdict.id);
  expect(d).toMatchObject({ passed: false, errored: true, missing: false, score: 0 });
  expect(d.scorer_output).toMatchObject({
    error: 'OUTPUT_ERROR',
    message: 'provider answered 429 four times',
  });
});

test('errors never clear: all of them abort, and so do three beside one that is right', async () => {
  for (const items of [[], right('a')]) {
    const errors = KEYS.slice(items.length).map((key) => ({ case: key, error: 'no answer' }));
    expect(await trust.run([...items, ...errors])).toMatchObject({ status: 'aborted', inconclusive: true });
  }
});

describe('the same outputs', () => {
  test('by id in place of key, in either case of letters, and in another order have the same verdict', async () => {
    const first = judged(await trust.run(ALL));
    const idOf = (key: string) => trust.cases[key as 'a'].id;
    const byId = KEYS.map((key) => ({ case: idOf(key), output: key }));
    const mixed = KEYS.map((key, index) => ({
      case: index % 2 ? key : idOf(key).toUpperCase(),
      output: key,
    }));
    for (const items of [byId, ALL.toReversed(), mixed.toReversed()]) {
      expect(judged(await trust.run(items))).toEqual(first);
    }
  });

  test('with another input, or another output, have another digest', async () => {
    const [first, ...others] = [
      await trust.run(ALL),
      await trust.run(ALL, { input: { lang: 'en' } }),
      await trust.run([{ ...ALL[0]!, input: { lang: 'en' } }, ...ALL.slice(1)]),
      await trust.run([{ case: 'a', output: 'a ' }, ...ALL.slice(1)]),
      await trust.run([{ case: 'a', error: 'a' }, ...ALL.slice(1)]),
      await trust.run(ALL.slice(1)),
    ].map(({ outputs_digest }) => outputs_digest);
    expect(new Set([first, ...others]).size).toBe(6);
    expect((await trust.run(ALL.map((item) => ({ ...item, metadata: { n: 1 } })))).outputs_digest).toBe(
      first,
    );
  });
});

describe('an output whose case the suite does not have', () => {
  test('is ignored, counted and named as it was sent', async () => {
    const names = ['zzz', crypto.randomUUID(), 'A', ' a', 'Case a', '__proto__', 'zzz'];
    const verdict = await trust.run([...names.map((name) => ({ case: name, output: 'a' })), ...ALL]);
    expect(verdict).toMatchObject({
      status: 'cleared',
      surplus_outputs: 7,
      surplus: names.slice(0, 6),
      total_cases: 4,
      missing_cases: 0,
    });
    expect(verdict.scores).toHaveLength(4);
    expect(verdict.outputs_digest).toBe((await trust.run(ALL)).outputs_digest);
  });

  test('is the same for an inactive case and a deleted one, which are not missing either', async () => {
    const own = await makeTrust(sharedServiceUrl());
    await own.patchCase('c', { is_active: false });
    await own.client('DELETE', `/v1/cases/${own.cases.d.id}`);
    const { cases } = own;
    expect(await own.run([...ALL, { case: cases.d.id, output: 'd' }])).toMatchObject({
      status: 'cleared',
      total_cases: 2,
      surplus_outputs: 3,
      surplus: ['c', 'd', cases.d.id],
      missing_cases: 0,
    });
  });
});

test('the metadata of an output comes back with its result', async () => {
  const metadata = {
    latency_ms: 812.5,
    input_tokens: 940,
    output_tokens: 0,
    cost_usd: 0.0021,
    trace_id: '7c',
    nested: { list: [1, null, '😀'] },
  };
  const { id } = await trust.run([{ ...ALL[0]!, metadata }, ...ALL.slice(1)]);
  const { a, b } = await resultsByKey(trust, id);
  expect([a.metadata, b.metadata]).toEqual([metadata, null]);
});

test('weights make fewer effective cases, and a wider interval', async () => {
  const own = await makeTrust(sharedServiceUrl());
  await own.patchCase('a', { weight: 10 });
  const { verdict, pass_rate } = await own.run(right('a', 'b'));
  expect(pass_rate).toBeCloseTo(11 / 13, 9);
  const { confidence } = verdict;
  expect(confidence.effective_cases).toBeCloseTo(1.6408, 4);
  expect(confidence.lower).toBeCloseTo(0.216239, 5);
  expect(confidence.upper).toBeCloseTo(0.990962, 5);
});
