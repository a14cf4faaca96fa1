import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectNoContent, expectNotFound } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const pathOf = (suite: { slug: string }) => `/v1/projects/${project.slug}/suites/${suite.slug}`;

describe('DELETE /v1/projects/:slug/suites/:suiteSlug', () => {
  test('answers 204 without a body, and the suite is gone from everywhere at once', async () => {
    const [suite, kept] = [await makeSuite(client, project), await makeSuite(client, project)];
    expectNoContent(await client('DELETE', pathOf(suite)));
    expectNotFound(await client('GET', pathOf(suite)));
    expectNotFound(await client('PATCH', pathOf(suite), { name: 'n' }));
    const { data, pagination } = (await client('GET', `/v1/projects/${project.slug}/suites`)).body;
    expect(data).toEqual([kept]);
    expect(pagination.total).toBe(1);
  });

  test('a second time is 404', async () => {
    const suite = await makeSuite(client, project);
    expectNoContent(await client('DELETE', pathOf(suite)));
    expectNotFound(await client('DELETE', pathOf(suite)));
  });

  test('takes its cases with it at once, but not the scorers', async () => {
    const [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
    const evalCase = await makeCase(client, suite, scorer);
    expectNoContent(await client('DELETE', pathOf(suite)));
    const requests: [string, string, unknown?][] = [
      ['GET', `/v1/suites/${suite.id}/cases`],
      ['POST', `/v1/suites/${suite.id}/cases`, { name: 'n', input: {}, scorer_id: scorer.id }],
      ['POST', `/v1/suites/${suite.id}/cases/reorder`, { case_ids: [evalCase.id] }],
      ['POST', `/v1/suites/${suite.id}/cases/reorder`, { case_ids: [] }],
      ['GET', `/v1/cases/${evalCase.id}`],
      ['PATCH', `/v1/cases/${evalCase.id}`, { name: 'n' }],
      ['DELETE', `/v1/cases/${evalCase.id}`],
    ];
    for (const request of requests) expectNotFound(await client(...request));
    expect((await client('GET', `/v1/scorers/${scorer.id}`)).body.data).toEqual(scorer);
  });

  test('leaves the suite of the same slug in another project as it is', async () => {
    const other = await makeProject(client);
    const suite = await makeSuite(client, project, { slug: 'twin' });
    const twin = await makeSuite(client, other, { slug: 'twin' });
    expectNoContent(await client('DELETE', pathOf(suite)));
    expect((await client('GET', `/v1/projects/${other.slug}/suites/twin`)).body.data).toEqual(twin);
  });

  test('at the same time succeeds once', async () => {
    const suite = await makeSuite(client, project);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client('DELETE', pathOf(suite))));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
  });

  test('while cases are being added leaves no case behind and answers all clearly', async () => {
    const [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
    const adding = Array.from({ length: 10 }, () =>
      client('POST', `/v1/suites/${suite.id}/cases`, { name: 'n', input: {}, scorer_id: scorer.id }),
    );
    const [deleted, ...added] = await Promise.all([client('DELETE', pathOf(suite)), ...adding]);
    expectNoContent(deleted);
    for (const answer of added) {
      expect([201, 404]).toContain(answer.status);
      if (answer.status === 201) expectNotFound(await client('GET', `/v1/cases/${answer.body.data.id}`));
    }
  });
});
