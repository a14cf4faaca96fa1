import { beforeEach, expect, test } from '@jest/globals';
import { sharedServiceUrl } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { addWordCases, type Gate, makeGate, resultsOf } from './gate.ts';

/** Every test runs the suite once before its change, so that the service has it in memory. */
let gate: Gate;
beforeEach(async () => {
  gate = await makeGate(sharedServiceUrl());
});

const patch = async (path: string, change: object) => {
  const answer = await gate.client('PATCH', path, change);
  expect(answer.status).toBe(200);
};

test('the next run uses the new expected value of a case', async () => {
  const { id } = await gate.add({ type: 'exact_match', config: {} }, { expected: 'old' });
  expect((await gate.run('new')).status).toBe('aborted');
  await patch(`/v1/cases/${id}`, { expected: 'new' });
  expect((await gate.run('new')).status).toBe('cleared');
  expect((await gate.run('old')).status).toBe('aborted');
});

test('the next run uses the new threshold of a case', async () => {
  const config = { values: ['ok', 'fine'] };
  const { id } = await gate.add({ config, dual_sided: true }, { threshold: 1 });
  expect((await gate.run('ok')).scores[0]).toMatchObject({ passed: false, threshold: 1 });
  await patch(`/v1/cases/${id}`, { threshold: 0.6 });
  expect((await gate.run('ok')).scores[0]).toMatchObject({ passed: true, threshold: 0.6 });
});

test('the next run uses the new weight and name of a case', async () => {
  const [first, second] = await addWordCases(gate, ['one', 'two']);
  expect((await gate.run('one')).pass_rate).toBe(0.5);
  await patch(`/v1/cases/${first?.id}`, { weight: 3, name: 'Renamed' });
  expect(await gate.run('one')).toMatchObject({ pass_rate: 0.75, scores: [{ case: 'Renamed' }, {}] });
  await patch(`/v1/cases/${second?.id}`, { weight: 0 });
  expect((await gate.run('one')).status).toBe('cleared');
});

test('the next run leaves out a case that was switched off, until it is switched on again', async () => {
  const [, second] = await addWordCases(gate, ['one', 'two']);
  expect((await gate.run('one')).total_cases).toBe(2);
  await patch(`/v1/cases/${second?.id}`, { is_active: false });
  expect(await gate.run('one')).toMatchObject({ total_cases: 1, status: 'cleared' });
  await patch(`/v1/cases/${second?.id}`, { is_active: true });
  expect(await gate.run('one')).toMatchObject({ total_cases: 2, status: 'aborted' });
});

test('the next run uses the new scorer of a case', async () => {
  const { id } = await gate.add({ config: { values: ['old'] } });
  expect((await gate.run('new')).status).toBe('aborted');
  const scorer = await makeScorer(gate.client, gate.project, { type: 'regex', config: { pattern: '^new$' } });
  await patch(`/v1/cases/${id}`, { scorer_id: scorer.id });
  expect((await gate.run('new')).status).toBe('cleared');
});

test('the next run uses the new config and type of a scorer', async () => {
  const { scorer_id } = await gate.add({ config: { values: ['old'] } });
  expect((await gate.run('new')).status).toBe('aborted');
  await patch(`/v1/scorers/${scorer_id}`, { config: { values: ['new'] } });
  expect((await gate.run('new')).status).toBe('cleared');
  await patch(`/v1/scorers/${scorer_id}`, { type: 'regex', config: { pattern: '^newer$' } });
  expect((await gate.run('new')).status).toBe('aborted');
});

test('the next run uses the new pass_threshold of the suite', async () => {
  await addWordCases(gate, ['one', 'two']);
  expect((await gate.run('one')).status).toBe('aborted');
  await patch(`/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`, { pass_threshold: 0.5 });
  expect((await gate.run('one')).status).toBe('cleared');
});

test('the next run answers in the new order of the cases', async () => {
  const cases = await addWordCases(gate, ['one', 'two', 'three']);
  const names = async () => (await gate.run('-')).scores.map((score) => score.case);
  expect(await names()).toEqual(['Says one', 'Says two', 'Says three']);
  const case_ids = [cases[2]?.id, cases[0]?.id, cases[1]?.id];
  const answer = await gate.client('POST', `/v1/suites/${gate.suite.id}/cases/reorder`, { case_ids });
  expect(answer.status).toBe(200);
  expect(await names()).toEqual(['Says three', 'Says one', 'Says two']);
});

test('the next run scores an added case and leaves out a deleted one', async () => {
  const [first] = await addWordCases(gate, ['one']);
  expect((await gate.run('two')).total_cases).toBe(1);
  await addWordCases(gate, ['two']);
  expect((await gate.run('two')).total_cases).toBe(2);
  expect((await gate.client('DELETE', `/v1/cases/${first?.id}`)).status).toBe(204);
  expect(await gate.run('two')).toMatchObject({ total_cases: 1, status: 'cleared' });
});

test('the next run fails the cases of a deleted scorer', async () => {
  const { scorer_id } = await gate.add({});
  expect((await gate.run('ok')).status).toBe('cleared');
  await gate.client('DELETE', `/v1/scorers/${scorer_id}`);
  expect(await gate.run('ok')).toMatchObject({ status: 'aborted', errored_cases: 1 });
});

test('a suite made again under its slug has its own cases and its own runs', async () => {
  const { client, project, suite } = gate;
  await gate.add({});
  await gate.run('ok');
  await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
  expect((await client('POST', '/v1/run', { suite: suite.slug, output: 'ok' })).status).toBe(404);
  const again = await makeSuite(client, project, { slug: suite.slug });
  expect((await client('POST', '/v1/run', { suite: suite.slug, output: 'ok' })).status).toBe(400);
  await makeCase(client, again, await makeScorer(client, project), { name: 'Anew', expected: 'no' });
  const verdict = await gate.run('ok');
  expect(verdict).toMatchObject({ status: 'aborted', total_cases: 1, scores: [{ case: 'Anew' }] });
  const runs = await client('GET', `/v1/suites/${again.id}/runs`);
  expect(runs.body.data.map(({ id }: { id: string }) => id)).toEqual([verdict.id]);
});

test('a project and a suite made again under their slugs start from nothing', async () => {
  const { client, project, suite } = gate;
  await gate.add({});
  const old = await gate.run('ok');
  await client('DELETE', `/v1/projects/${project.slug}`);
  expect((await client('POST', '/v1/run', { suite: suite.slug, output: 'ok' })).status).toBe(404);
  const projectAgain = await makeProject(client, { slug: project.slug });
  expect((await client('POST', '/v1/run', { suite: suite.slug, output: 'ok' })).status).toBe(404);
  const suiteAgain = await makeSuite(client, projectAgain, { slug: suite.slug });
  await makeCase(client, suiteAgain, await makeScorer(client, projectAgain), {
    name: 'Anew',
    expected: 'no',
  });
  expect(await gate.run('ok')).toMatchObject({ status: 'aborted', scores: [{ case: 'Anew' }] });
  expect((await client('GET', `/v1/suites/${suiteAgain.id}/runs`)).body.pagination.total).toBe(1);
  expect((await client('GET', `/v1/runs/${old.id}`)).status).toBe(404);
});

test('results of earlier runs stay as they were, whatever became of suite, cases and scorers', async () => {
  const [first, second] = await addWordCases(gate, ['one', 'two']);
  const { id } = await gate.run('one');
  const read = async () => [
    (await gate.client('GET', `/v1/runs/${id}`)).body,
    await resultsOf(gate.client, id),
  ];
  const before = await read();
  await patch(`/v1/cases/${first?.id}`, { name: 'Renamed', threshold: 0.9, weight: 9 });
  await patch(`/v1/scorers/${first?.scorer_id}`, { config: { values: ['other'] } });
  await gate.client('DELETE', `/v1/cases/${second?.id}`);
  await gate.client('DELETE', `/v1/scorers/${second?.scorer_id}`);
  await gate.run('anything');
  expect(await read()).toEqual(before);
  await gate.client('DELETE', `/v1/projects/${gate.project.slug}/suites/${gate.suite.slug}`);
  const [run, results] = before;
  expect(await read()).toEqual([{ data: { ...run.data, suite: null } }, results]);
});
