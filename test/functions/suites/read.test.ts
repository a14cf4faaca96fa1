import { expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectData, expectNotFound } from '../../support/expectations.ts';
import { describePages } from '../../support/pages.ts';

test('GET /v1/projects/:slug/suites/:suiteSlug answers the suite of that project only', async () => {
  const client = await signUp(sharedServiceUrl());
  const [project, other] = [await makeProject(client), await makeProject(client)];
  const suite = await makeSuite(client, project, { description: 'd', pass_threshold: 0.25 });
  expectData(await client('GET', `/v1/projects/${project.slug}/suites/${suite.slug}`), 200, suite);
  expectNotFound(await client('GET', `/v1/projects/${other.slug}/suites/${suite.slug}`));
  expectNotFound(await client('GET', `/v1/projects/${project.slug}/suites/${suite.id}`));
  expectNotFound(await client('GET', `/v1/projects/${project.slug}/suites/${suite.slug.toUpperCase()}`));
});

describePages('GET /v1/projects/:slug/suites', async () => {
  const client = await signUp(sharedServiceUrl());
  const [project, other] = [await makeProject(client), await makeProject(client)];
  await makeSuite(client, other);
  return {
    client,
    path: `/v1/projects/${project.slug}/suites`,
    create: () => makeSuite(client, project),
    order: 'newest first',
  };
});

test('GET /v1/projects/:slug/suites of a project that does not exist is 404', async () => {
  const client = await signUp(sharedServiceUrl());
  expect((await client('GET', '/v1/projects/no-such/suites')).status).toBe(404);
});
