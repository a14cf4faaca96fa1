import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectData, expectNotFound } from '../../support/expectations.ts';

const url = sharedServiceUrl();

async function keyOf(client: Awaited<ReturnType<typeof signUp>>, fields: object) {
  const { body } = await client('POST', '/v1/api-keys', { name: 'A key', ...fields });
  return api(url, body.data.key);
}

test('GET /v1/suites/:suiteId answers what the suite answers by its slug, to scope run without its description', async () => {
  const client = await signUp(url);
  const project = await makeProject(client);
  const suite = await makeSuite(client, project, { description: 'd', pass_threshold: 0.25 });
  const bySlug = await client('GET', `/v1/projects/${project.slug}/suites/${suite.slug}`);
  const runner = await keyOf(client, { scope: 'run' });
  const path = `/v1/suites/${suite.id}`;
  expectData(await client('GET', path), 200, bySlug.body.data);
  expectData(await runner('GET', path), 200, { ...bySlug.body.data, description: null });
});

test.each(['', '/revision'])(
  'GET /v1/suites/:suiteId%s of a suite that does not exist is 404',
  async (below) => {
    const [client, stranger] = [await signUp(url), await signUp(url)];
    const [project, other] = [await makeProject(client), await makeProject(client)];
    const suite = await makeSuite(client, project);
    const bound = await keyOf(client, { scope: 'run', project: other.slug });
    const get = `/v1/suites/${suite.id}${below}`;
    for (const reader of [stranger, bound]) expectNotFound(await reader('GET', get));
    expectNotFound(await client('GET', `/v1/suites/${randomUUID()}${below}`));
    expect((await client('GET', get)).status).toBe(200);
    await client('DELETE', `/v1/projects/${project.slug}/suites/${suite.slug}`);
    expectNotFound(await client('GET', get));
    const orphan = await makeSuite(client, other);
    await client('DELETE', `/v1/projects/${other.slug}`);
    expectNotFound(await client('GET', `/v1/suites/${orphan.id}${below}`));
  },
);
