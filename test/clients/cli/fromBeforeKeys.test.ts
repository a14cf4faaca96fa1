import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { makeCaseFromBefore, makeScorerFromBefore } from '../../support/fromBeforeKeys.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { writeFiles } from '../suites/repository.ts';
import { aGate, aPlace, type Gated, type Place } from './cli.ts';

/** A suite as a version without keys has left it: its cases and their scorer have their ids as keys. */

let service: OwnService;
let gated: Gated;
let place: Place;
beforeAll(async () => {
  service = await startOwnService();
  gated = await aGate(service.baseUrl);
  const { gate, suiteId, orgId } = gated;
  for (const { id } of (await casesOf()).toReversed()) {
    await makeCaseFromBefore(service.table, { project: { org_id: orgId }, suite: { id: suiteId } }, id);
  }
  const { id: projectId } = await gate.projects.get('bot');
  const [scorer] = (await call('GET', '/v1/projects/bot/scorers')).body.data;
  await makeScorerFromBefore(service.table, { org_id: orgId, id: projectId }, scorer.id);
  place = aPlace({
    ...{ EVALGATE_URL: service.baseUrl, EVALGATE_API_KEY: gated.apiKey, EVALGATE_PROJECT: 'bot' },
  });
  writeFiles(place.folder, { 'evalgate.yaml': 'version: 1\n' });
});
afterAll(async () => {
  place.remove();
  await service.stop();
});

const call = (method: string, at: string, body?: unknown) =>
  api(service.baseUrl, gated.apiKey)(method, at, body);
const casesOf = async () => (await call('GET', `/v1/suites/${gated.suiteId}/cases`)).body.data;
const runsOf = async () => (await call('GET', `/v1/suites/${gated.suiteId}/runs`)).body.data;
const FILE = 'evals/returns.suite.yaml';
const file = () => path.join(place.folder, FILE);

test('pulled and pushed again, it has nothing to change, and keeps its ids and runs', async () => {
  await call('POST', '/v1/run', { suite: 'returns', project: 'bot', output: 'Within 30 days.' });
  const [cases, runs, told] = [
    await casesOf(),
    await runsOf(),
    await gated.gate.definitions.get('bot', 'returns'),
  ];
  expect(cases.map(({ key }: { key: string }) => key)).toEqual(cases.map(({ id }: { id: string }) => id));
  expect(await place.cli(['pull'])).toMatchObject({ code: 0, stdout: `wrote ${FILE}\n` });
  for (const { id } of cases) expect(readFileSync(file(), 'utf8')).toContain(`key: ${id}\n`);
  expect(await place.cli(['validate'])).toMatchObject({ code: 0 });
  expect(await place.cli(['diff', '--exit-code'])).toMatchObject({ code: 0 });
  const pushed = await place.cli(['push', '--prune']);
  expect(pushed).toEqual({ code: 0, stdout: '', stderr: 'nothing to change\n' });
  expect(await place.cli(['pull'])).toEqual({ code: 0, stdout: '', stderr: 'nothing to change\n' });
  expect(await casesOf()).toEqual(cases);
  expect(await runsOf()).toEqual(runs);
  expect(await gated.gate.definitions.get('bot', 'returns')).toEqual(told);
});

test('an edit of one of its cases in the file changes that case, and no other', async () => {
  const before = await casesOf();
  const [first, second, third] = before;
  const text = readFileSync(file(), 'utf8');
  writeFiles(place.folder, {
    [FILE]: text.replace(`key: ${second.id}\n`, `key: ${second.id}\n    weight: 3\n`),
  });
  const { code, stderr } = await place.cli(['push', '--prune', '--allow-weaker']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`~ case ${second.id}`) });
  expect(stderr).toMatch(/\n1 to change/);
  expect(stderr).not.toMatch(/^ {2}[+-] /m);
  const after = await casesOf();
  expect(after).toEqual([first, { ...second, weight: 3, updated_at: after[1].updated_at }, third]);
  expect(await place.cli(['push', '--prune'])).toMatchObject({ code: 0, stderr: 'nothing to change\n' });
  const answer = await call('POST', '/v1/run', {
    ...{ suite: 'returns', project: 'bot' },
    outputs: before.map(({ id }: { id: string }) => ({ case: id, output: 'Within 30 days.' })),
  });
  expect(answer.body).toMatchObject({ status: 'cleared', total_cases: 3 });
});

test('an edit of its scorer in the file changes that scorer, which keeps its id', async () => {
  const [scorer] = (await call('GET', '/v1/projects/bot/scorers')).body.data;
  const text = readFileSync(file(), 'utf8');
  writeFiles(place.folder, { [FILE]: text.replaceAll('30 days', 'thirty days') });
  const { code, stderr } = await place.cli(['push', '--prune', '--allow-weaker']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`~ scorer ${scorer.id}`) });
  const after = (await call('GET', '/v1/projects/bot/scorers')).body.data;
  expect(after).toMatchObject([{ id: scorer.id, key: scorer.id, config: { values: ['thirty days'] } }]);
  expect(after).toHaveLength(1);
  expect((await casesOf()).map((one: { scorer_id: string }) => one.scorer_id)).toEqual(
    Array(3).fill(scorer.id),
  );
});

test('another key in the file is another case, and the plan says so', async () => {
  const [, second] = await casesOf();
  const text = readFileSync(file(), 'utf8');
  writeFiles(place.folder, { [FILE]: text.replace(`key: ${second.id}\n`, 'key: refund\n') });
  const { stdout, stderr } = await place.cli(['diff']);
  const told = stdout + stderr;
  expect(told).toContain('+ case refund');
  expect(told).toContain(`· case ${second.id}  not in the file`);
  expect(await casesOf()).toContainEqual(second);
});
