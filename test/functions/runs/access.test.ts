import { beforeAll, expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { type Gate, makeGate, resultsOf } from './gate.ts';

let gate: Gate;
let runId: string;
beforeAll(async () => {
  gate = await makeGate(sharedServiceUrl());
  await gate.add({});
  runId = (await gate.run('ok')).id;
});

/** The answer as it came over the wire, less what differs from call to call. */
async function bytesOf(client: Gate['client'], path: string) {
  const { status, headers, body } = await client('GET', path);
  const kept = [...headers].filter(([name]) => !['date', 'content-length'].includes(name));
  return JSON.stringify({ status, kept, body });
}

/** A well-formed id of a run that was never made. */
const neverMade = () => runId.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));

test.each(['', '/results'])('a run of another organisation (%s) answers as a missing one', async (rest) => {
  const stranger = await signUp(sharedServiceUrl());
  const foreign = await bytesOf(stranger, `/v1/runs/${runId}${rest}`);
  expect(foreign).toBe(await bytesOf(stranger, `/v1/runs/${neverMade()}${rest}`));
  expect(foreign).toBe(await bytesOf(gate.client, `/v1/runs/${neverMade()}${rest}`));
  expect(foreign).toContain('"status":404');
});

test('the runs of another organisation’s suite answer as those of a suite that never was', async () => {
  const stranger = await signUp(sharedServiceUrl());
  const foreign = await bytesOf(stranger, `/v1/suites/${gate.suite.id}/runs`);
  expect(foreign).toBe(await bytesOf(stranger, '/v1/suites/5d1c1c5e-55f8-4bd5-8f3a-0a4c7c4c2f10/runs'));
  expect(foreign).toContain('"status":404');
});

test.each([
  'run_',
  'run',
  'run_!',
  'run_0',
  'run_00000000000000000000000001',
  `run_${'z'.repeat(28)}`,
  `run_${'z'.repeat(64)}`,
  `run_${'a'.repeat(5_000)}`,
  'RUN_abc',
  'run_%00',
  'run_%23',
  'run_%F0%9F%98%80',
  'run_%',
  '5d1c1c5e-55f8-4bd5-8f3a-0a4c7c4c2f10',
  '%2e%2e',
  '__proto__',
])('%.40s is no run: 404', async (id) => {
  for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}/results`]) {
    const answer = await gate.client('GET', path);
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe('NOT_FOUND');
  }
});

test('no character of a run id may be changed', async () => {
  for (let index = 'run_'.length; index < runId.length; index++) {
    const changed = runId.slice(0, index) + (runId[index] === '5' ? '6' : '5') + runId.slice(index + 1);
    expect((await gate.client('GET', `/v1/runs/${changed}`)).status).toBe(404);
  }
  expect((await gate.client('GET', `/v1/runs/${runId}0`)).status).toBe(404);
  expect((await gate.client('GET', `/v1/runs/run_0${runId.slice(4)}`)).status).toBe(404);
});

test('the runs of a deleted suite are readable by id, its lists are gone', async () => {
  const doomed = await makeGate(sharedServiceUrl());
  await doomed.add({});
  const { id } = await doomed.run('ok');
  const before = (await doomed.client('GET', `/v1/runs/${id}`)).body;
  await doomed.client('DELETE', `/v1/projects/${doomed.project.slug}/suites/${doomed.suite.slug}`);
  const after = { data: { ...before.data, suite: null } };
  expect(await doomed.client('GET', `/v1/runs/${id}`)).toMatchObject({ status: 200, body: after });
  expect(await resultsOf(doomed.client, id)).toHaveLength(1);
  for (const list of ['runs', 'cases']) {
    expect((await doomed.client('GET', `/v1/suites/${doomed.suite.id}/${list}`)).status).toBe(404);
  }
});

test('the runs of a deleted project are gone at once', async () => {
  const doomed = await makeGate(sharedServiceUrl());
  await doomed.add({});
  const { id } = await doomed.run('ok');
  await doomed.client('DELETE', `/v1/projects/${doomed.project.slug}`);
  for (const path of [`/v1/runs/${id}`, `/v1/runs/${id}/results`, `/v1/suites/${doomed.suite.id}/runs`]) {
    expect((await doomed.client('GET', path)).status).toBe(404);
  }
});
