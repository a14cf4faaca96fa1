import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectNoContent, expectNotFound } from '../../support/expectations.ts';

let client: Api;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
});

async function fullProject() {
  const project = await makeProject(client);
  const [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
  return { project, suite, scorer, evalCase: await makeCase(client, suite, scorer) };
}

describe('DELETE /v1/projects/:slug', () => {
  test('answers 204 without a body, and the project is gone from everywhere at once', async () => {
    const { slug } = await makeProject(client);
    const { total } = (await client('GET', '/v1/projects')).body.pagination;
    expectNoContent(await client('DELETE', `/v1/projects/${slug}`));
    expectNotFound(await client('GET', `/v1/projects/${slug}`));
    expectNotFound(await client('PATCH', `/v1/projects/${slug}`, { name: 'n' }));
    const list = (await client('GET', '/v1/projects?pageSize=100')).body;
    expect(list.pagination.total).toBe(total - 1);
    expect(list.data.map((project: { slug: string }) => project.slug)).not.toContain(slug);
  });

  test('a second time is 404', async () => {
    const { slug } = await makeProject(client);
    expectNoContent(await client('DELETE', `/v1/projects/${slug}`));
    expectNotFound(await client('DELETE', `/v1/projects/${slug}`));
  });

  test('takes its suites, cases and scorers with it at once', async () => {
    const { project, suite, scorer, evalCase } = await fullProject();
    expectNoContent(await client('DELETE', `/v1/projects/${project.slug}`));
    const all: [string, string, unknown?][] = [
      ['GET', `/v1/projects/${project.slug}/suites`],
      ['POST', `/v1/projects/${project.slug}/suites`, { name: 'n' }],
      ['POST', `/v1/projects/${project.slug}/suites/from-template`, { template_slug: 'code-review' }],
      ['GET', `/v1/projects/${project.slug}/suites/${suite.slug}`],
      ['PATCH', `/v1/projects/${project.slug}/suites/${suite.slug}`, { name: 'n' }],
      ['DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`],
      ['GET', `/v1/projects/${project.slug}/scorers`],
      ['POST', `/v1/projects/${project.slug}/scorers`, { name: 'n', type: 'exact_match', config: {} }],
      ['GET', `/v1/scorers/${scorer.id}`],
      ['PATCH', `/v1/scorers/${scorer.id}`, { name: 'n' }],
      ['DELETE', `/v1/scorers/${scorer.id}`],
      ['GET', `/v1/suites/${suite.id}/cases`],
      ['POST', `/v1/suites/${suite.id}/cases`, { name: 'n', input: {}, scorer_id: scorer.id }],
      ['POST', `/v1/suites/${suite.id}/cases/reorder`, { case_ids: [evalCase.id] }],
      ['GET', `/v1/cases/${evalCase.id}`],
      ['PATCH', `/v1/cases/${evalCase.id}`, { name: 'n' }],
      ['DELETE', `/v1/cases/${evalCase.id}`],
    ];
    for (const answer of await Promise.all(all.map((request) => client(...request)))) expectNotFound(answer);
  });

  test('brings nothing of it back under a new project of the same slug', async () => {
    const { project, suite, scorer, evalCase } = await fullProject();
    expectNoContent(await client('DELETE', `/v1/projects/${project.slug}`));
    await makeProject(client, { slug: project.slug });
    for (const path of ['suites', 'scorers']) {
      const list = await client('GET', `/v1/projects/${project.slug}/${path}`);
      expect(list.body).toMatchObject({ data: [], pagination: { total: 0 } });
    }
    expectNotFound(await client('GET', `/v1/projects/${project.slug}/suites/${suite.slug}`));
    expectNotFound(await client('GET', `/v1/suites/${suite.id}/cases`));
    expectNotFound(await client('GET', `/v1/cases/${evalCase.id}`));
    expectNotFound(await client('GET', `/v1/scorers/${scorer.id}`));
  });

  test('leaves other projects as they are', async () => {
    const [doomed, kept] = [await fullProject(), await fullProject()];
    expectNoContent(await client('DELETE', `/v1/projects/${doomed.project.slug}`));
    expect((await client('GET', `/v1/projects/${kept.project.slug}`)).body.data).toEqual(kept.project);
    expect((await client('GET', `/v1/cases/${kept.evalCase.id}`)).body.data).toEqual(kept.evalCase);
    expect((await client('GET', `/v1/scorers/${kept.scorer.id}`)).body.data).toEqual(kept.scorer);
  });

  test('at the same time succeeds once', async () => {
    const { slug } = await makeProject(client);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client('DELETE', `/v1/projects/${slug}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(7).fill(404)]);
  });
});
