import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectNoContent, expectNotFound } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, scorer]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  scorer = await makeScorer(client, project);
});

describe('DELETE /v1/cases/:caseId', () => {
  test('answers 204 without a body, and the cases behind it move up', async () => {
    const suite = await makeSuite(client, project);
    const cases = [];
    for (let count = 0; count < 3; count++) cases.push(await makeCase(client, suite, scorer));
    const [first, doomed, last] = cases;
    expectNoContent(await client('DELETE', `/v1/cases/${doomed.id}`));
    expectNotFound(await client('GET', `/v1/cases/${doomed.id}`));
    expectNotFound(await client('PATCH', `/v1/cases/${doomed.id}`, { name: 'n' }));
    const list = (await client('GET', `/v1/suites/${suite.id}/cases`)).body;
    expect(list.pagination.total).toBe(2);
    expect(list.data).toEqual([first, { ...last, sort_order: 1 }]);
  });

  test('a second time is 404, as for a case that never was', async () => {
    const evalCase = await makeCase(client, await makeSuite(client, project), scorer);
    expectNoContent(await client('DELETE', `/v1/cases/${evalCase.id.toUpperCase()}`));
    expectNotFound(await client('DELETE', `/v1/cases/${evalCase.id}`));
    expectNotFound(await client('DELETE', `/v1/cases/${randomUUID()}`));
  });

  test('at the same time succeeds once', async () => {
    const evalCase = await makeCase(client, await makeSuite(client, project), scorer);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client('DELETE', `/v1/cases/${evalCase.id}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
  });

  test('of all cases at the same time leaves an empty suite that takes new ones', async () => {
    const suite = await makeSuite(client, project);
    const cases = await Promise.all(Array.from({ length: 10 }, () => makeCase(client, suite, scorer)));
    const answers = await Promise.all(cases.map(({ id }) => client('DELETE', `/v1/cases/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual(cases.map(() => 204));
    expect((await client('GET', `/v1/suites/${suite.id}/cases`)).body.pagination.total).toBe(0);
    expect((await makeCase(client, suite, scorer)).sort_order).toBe(0);
  });
});
