import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { makeCase, makeScorer } from '../../support/builders.ts';
import { addWordCases, type Gate, makeGate, resultsOf } from './gate.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${index}.`);

test('with threshold 0.8 and ten equal cases eight passes clear and seven abort', async () => {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0.8 });
  await addWordCases(gate, words(10));
  expect(await gate.run(words(8).join(' '))).toMatchObject({ status: 'cleared', pass_rate: 0.8 });
  expect(await gate.run(words(7).join(' '))).toMatchObject({ status: 'aborted', pass_rate: 0.7 });
});

test.each([
  ['reach', 0.66666666667, 'cleared'],
  ['do not reach', 0.6666666667, 'aborted'],
])('two of three %s a threshold that was written as %d', async (_, threshold, status) => {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: threshold });
  await addWordCases(gate, words(3));
  expect((await gate.run(words(2).join(' '))).status).toBe(status);
  expect((await gate.run(words(1).join(' '))).status).toBe('aborted');
});

test('without a threshold given every case must pass', async () => {
  const gate = await makeGate(sharedServiceUrl());
  await addWordCases(gate, words(3));
  expect((await gate.run(words(3).join(' '))).status).toBe('cleared');
  expect((await gate.run(words(2).join(' '))).status).toBe('aborted');
});

async function weighted(passThreshold: number, weights: readonly number[]): Promise<Gate> {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: passThreshold });
  for (const [index, weight] of weights.entries()) {
    await addWordCases(gate, [words(weights.length)[index] ?? ''], { weight });
  }
  return gate;
}

test('weights 0.1 + 0.2 + 0.3 of 1.0 reach 0.6', async () => {
  const gate = await weighted(0.6, [0.1, 0.2, 0.3, 0.4]);
  expect(await gate.run(words(3).join(' '))).toMatchObject({
    status: 'cleared',
    pass_rate: 0.6,
    passed_cases: 3,
    failed_cases: 1,
  });
});

test('a case of weight 2 counts twice as much as one of weight 1', async () => {
  const gate = await weighted(0.6, [2, 1]);
  const heavy = await gate.run('w0.');
  expect(heavy.status).toBe('cleared');
  expect(heavy.pass_rate).toBeCloseTo(2 / 3, 9);
  expect((await gate.run('w1.')).status).toBe('aborted');
});

test('weights that are all zero count as equal ones, a zero among others counts nothing', async () => {
  const allZero = await weighted(0.5, [0, 0]);
  expect(await allZero.run('w0.')).toMatchObject({ status: 'cleared', pass_rate: 0.5 });
  const oneZero = await weighted(0.5, [0, 1]);
  expect(await oneZero.run('w0.')).toMatchObject({ status: 'aborted', pass_rate: 0, passed_cases: 1 });
});

test('a case passes at its threshold, not below it', async () => {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0 });
  const scorer = await makeScorer(gate.client, gate.project, {
    type: 'contains',
    config: { values: ['apple', 'pear'], mode: 'all' },
    dual_sided: true,
  });
  // "apple plum": precision, recall and so F1 are one half.
  for (const threshold of [0, 0.5, 0.51, 1]) await makeCase(gate.client, gate.suite, scorer, { threshold });
  const { scores } = await gate.run('apple plum');
  expect(scores.map(({ passed, threshold }) => [threshold, passed])).toEqual([
    [0, true],
    [0.5, true],
    [0.51, false],
    [1, false],
  ]);
});

test('threshold 0 clears even when nothing passes', async () => {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0 });
  await addWordCases(gate, words(2));
  expect(await gate.run('nothing')).toMatchObject({ status: 'cleared', pass_rate: 0, failed_cases: 2 });
});

test('an inactive case is absent from scores, failures, results, counts and rate', async () => {
  const gate = await makeGate(sharedServiceUrl());
  const [active, inactive] = await addWordCases(gate, words(2));
  await gate.client('PATCH', `/v1/cases/${inactive?.id}`, { is_active: false });
  const verdict = await gate.run('w0.');
  expect(verdict).toMatchObject({ status: 'cleared', pass_rate: 1, total_cases: 1, failed_cases: 0 });
  expect(verdict.scores).toHaveLength(1);
  expect(verdict.failures).toEqual([]);
  const results = await resultsOf(gate.client, verdict.id);
  expect(results.map(({ case_id }) => case_id)).toEqual([active?.id]);
});

test.each([
  ['no case at all', []],
  ['inactive cases only', [{ is_active: false }]],
])('a suite with %s is refused with 400: what checks nothing must not clear', async (_what, cases) => {
  const gate = await makeGate(sharedServiceUrl());
  for (const fields of cases) await addWordCases(gate, ['w'], fields);
  const answer = await gate.client('POST', '/v1/run', { suite: gate.suite.slug, output: 'w' });
  expect(answer.status).toBe(400);
  expect(answer.body.error).toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'suite', message: expect.stringContaining('no active case') }] },
  });
  const runs = await gate.client('GET', `/v1/suites/${gate.suite.id}/runs`);
  expect(runs.body.pagination.total).toBe(0);
});
