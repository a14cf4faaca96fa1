import { expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { addWordCases, makeGate, resultsOf } from './gate.ts';

const JUDGE = {
  type: 'llm_judge',
  config: { rubric: 'Is the answer polite?', model: 'some-model', _provider: 'openai' },
};
/** Without `expected` on its case it cannot judge. */
const EXACT = { type: 'exact_match', config: {} };

test('a judged case fails with BYOK_KEY_MISSING as long as no key is stored', async () => {
  const gate = await makeGate(sharedServiceUrl());
  await gate.add(JUDGE);
  const verdict = await gate.run('Good morning!');
  expect(verdict).toMatchObject({ status: 'aborted', failed_cases: 1, errored_cases: 1, inconclusive: true });
  const [result] = await resultsOf(gate.client, verdict.id);
  expect(result).toMatchObject({ passed: false, score: 0, scorer_output: { error: 'BYOK_KEY_MISSING' } });
  expect(Object.keys(result.scorer_output)).toEqual(['error']);
});

test('a case whose scorer was deleted fails with SCORER_NOT_FOUND', async () => {
  const gate = await makeGate(sharedServiceUrl());
  const { scorer_id } = await gate.add({});
  expect((await gate.client('DELETE', `/v1/scorers/${scorer_id}`)).status).toBe(204);
  const verdict = await gate.run('ok');
  expect(verdict).toMatchObject({ status: 'aborted', errored_cases: 1, total_cases: 1 });
  const [result] = await resultsOf(gate.client, verdict.id);
  expect(result.scorer_output).toEqual({ error: 'SCORER_NOT_FOUND' });
});

test.each([
  ['left out', {}],
  ['null', { expected: null }],
])('exact_match without expected (%s) is an error of the scorer, not a verdict', async (_how, fields) => {
  const gate = await makeGate(sharedServiceUrl());
  await gate.add(EXACT, fields);
  const verdict = await gate.run('null');
  expect(verdict).toMatchObject({ status: 'aborted', errored_cases: 1, inconclusive: true });
  expect((await resultsOf(gate.client, verdict.id))[0].scorer_output).toEqual({ error: 'EXPECTED_MISSING' });
});

test('errors are inconclusive only where they decide: aborted, but cleared had they passed', async () => {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0.5 });
  await addWordCases(gate, ['one', 'two', 'three']);
  await gate.add(EXACT);
  const logic = async (output: string) => {
    const { status, errored_cases, failed_cases, inconclusive } = await gate.run(output);
    return { status, errored_cases, failed_cases, inconclusive };
  };
  const cleared = { status: 'cleared', errored_cases: 1, failed_cases: 2, inconclusive: false };
  expect(await logic('one two')).toEqual(cleared);
  expect(await logic('one')).toEqual({ ...cleared, status: 'aborted', failed_cases: 3, inconclusive: true });
  expect(await logic('-')).toEqual({ ...cleared, status: 'aborted', failed_cases: 4, inconclusive: false });
});

test('the weight of an errored case decides whether it could have cleared the run', async () => {
  const gate = await makeGate(sharedServiceUrl(), { pass_threshold: 0.5 });
  await addWordCases(gate, ['one'], { weight: 3 });
  await gate.add(EXACT, { weight: 1 });
  expect(await gate.run('-')).toMatchObject({ status: 'aborted', inconclusive: false });
  const heavy = await makeGate(sharedServiceUrl(), { pass_threshold: 0.5 });
  await addWordCases(heavy, ['one'], { weight: 1 });
  await heavy.add(EXACT, { weight: 1 });
  expect(await heavy.run('-')).toMatchObject({ status: 'aborted', inconclusive: true });
});

test('a threshold of 0 does not let an errored case pass', async () => {
  const gate = await makeGate(sharedServiceUrl());
  await gate.add(EXACT, { threshold: 0 });
  expect(await gate.run('x')).toMatchObject({ status: 'aborted', passed_cases: 0, pass_rate: 0 });
});

test('a run is stored with what it states of its errors', async () => {
  const gate = await makeGate(sharedServiceUrl());
  await gate.add(EXACT);
  const { id } = await gate.run('x');
  const { data } = (await gate.client('GET', `/v1/runs/${id}`)).body;
  expect(data).toMatchObject({ errored_cases: 1, failed_cases: 1, inconclusive: true });
});
