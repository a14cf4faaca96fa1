import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectInvalid } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';
import { makeKey, newOrganisation, type Organisation } from '../apiKeys/organisation.ts';

let service: OwnService;
let organisation: Organisation;
beforeAll(async () => {
  service = await startOwnService();
  organisation = await newOrganisation(service);
});
afterAll(() => service.stop());

const shown = async (slug: string) => (await organisation.client('GET', `/v1/projects/${slug}`)).body.data;

test('a project states who may push a weaker bar: credentials of scope suites, unless it was made or changed for full', async () => {
  const { client } = organisation;
  expect(await makeProject(client)).toMatchObject({ weaker_pushes: 'suites' });
  const strict = await makeProject(client, { weaker_pushes: 'full' });
  expect(strict).toMatchObject({ weaker_pushes: 'full' });
  expect(await shown(strict.slug)).toEqual(strict);
  for (const weaker_pushes of ['suites', 'full']) {
    const changed = await client('PATCH', `/v1/projects/${strict.slug}`, { weaker_pushes });
    const { updated_at } = changed.body.data;
    expectData(changed, 200, { ...strict, weaker_pushes, updated_at });
    expect(await shown(strict.slug)).toEqual(changed.body.data);
  }
  const renamed = await client('PATCH', `/v1/projects/${strict.slug}`, { name: 'Other' });
  expect(renamed.body.data).toMatchObject({ name: 'Other', weaker_pushes: 'full' });
});

test.each(['run', 'none', '', null, true, ['full']])('nothing else is taken: %j', async (weaker_pushes) => {
  const { client } = organisation;
  expectInvalid(await client('POST', '/v1/projects', { name: 'n', weaker_pushes }), 'weaker_pushes');
  const { slug } = await makeProject(client);
  expectInvalid(await client('PATCH', `/v1/projects/${slug}`, { weaker_pushes }), 'weaker_pushes');
});

test('a credential of scope suites reads it and does not set it, one of scope full that is bound to the project does', async () => {
  const project = await makeProject(organisation.client, { weaker_pushes: 'full' });
  const path = `/v1/projects/${project.slug}`;
  const clientOf = async (scope: string) => {
    const { key } = await makeKey(organisation.client, { scope, project: project.slug });
    return api(service.baseUrl, key);
  };
  const keeper = await clientOf('suites');
  expectData(await keeper('GET', path), 200, project);
  const refused = await keeper('PATCH', path, { weaker_pushes: 'suites' });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'SCOPE_REQUIRED' } } });
  expect(await shown(project.slug)).toEqual(project);
  const owner = await clientOf('full');
  expect((await owner('PATCH', path, { weaker_pushes: 'suites' })).status).toBe(200);
  expect(await shown(project.slug)).toMatchObject({ weaker_pushes: 'suites' });
});
