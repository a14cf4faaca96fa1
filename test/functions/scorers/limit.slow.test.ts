import { expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeScorer } from '../../support/builders.ts';
import { expectInvalid, expectNoContent } from '../../support/expectations.ts';

test('a project holds 1,000 scorers and not one more, and names the limit that is reached', async () => {
  const client = await signUp(sharedServiceUrl());
  const project = await makeProject(client);
  const path = `/v1/projects/${project.slug}`;
  const copy = (slug: string) =>
    client('POST', `${path}/suites/from-template`, { template_slug: 'json-schema-extraction', slug });
  const add = () => client('POST', `${path}/scorers`, { name: 'n', type: 'exact_match', config: {} });
  const total = async (what: string) => (await client('GET', `${path}/${what}`)).body.pagination.total;

  for (let count = 0; count < 125; count++) expect((await copy(`copy-${count}`)).status).toBe(201);
  expect(await total('scorers')).toBe(1_000);
  for (const refused of [await copy('more'), await add()]) {
    expectInvalid(refused, 'body');
    expect(refused.body.error.details.issues[0].message).toContain('1,000 scorers');
  }
  expect([await total('scorers'), await total('suites')]).toEqual([1_000, 125]);

  const [oldest] = (await client('GET', `${path}/scorers?pageSize=1&page=1000`)).body.data;
  expectNoContent(await client('DELETE', `/v1/scorers/${oldest.id}`));
  expectInvalid(await copy('more'), 'body');
  await makeScorer(client, project);
  expect(await total('scorers')).toBe(1_000);
});
