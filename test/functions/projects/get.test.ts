import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectNotFound } from '../../support/expectations.ts';

let client: Api;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
});

describe('GET /v1/projects/:slug', () => {
  test('answers the project by its slug', async () => {
    const project = await makeProject(client, { description: 'described' });
    expectData(await client('GET', `/v1/projects/${project.slug}`), 200, project);
  });

  test('knows a project by its slug only, not by its id', async () => {
    const project = await makeProject(client);
    expectNotFound(await client('GET', `/v1/projects/${project.id}`));
  });

  test('takes no other spelling of the slug', async () => {
    const { slug } = await makeProject(client, { slug: 'spelled' });
    for (const other of [slug.toUpperCase(), `${slug}%20`, `%20${slug}`, `${slug}/`, `${slug}%00`]) {
      expectNotFound(await client('GET', `/v1/projects/${other}`));
    }
    expect((await client('GET', '/v1/projects/%73pelled')).status).toBe(200);
  });

  test('ignores a query that it does not know', async () => {
    const { slug } = await makeProject(client);
    expect((await client('GET', `/v1/projects/${slug}?page=abc&x=1`)).status).toBe(200);
  });
});
