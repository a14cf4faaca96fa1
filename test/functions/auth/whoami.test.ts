import { expect, test } from '@jest/globals';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';

const url = sharedServiceUrl();

async function account() {
  const { body } = await api(url)('POST', '/v1/auth/signup', { name: 'Somebody' });
  const { organisation, api_key } = body.data;
  const { id, name, plan } = organisation;
  return { organisation: { id, name, plan }, key: api_key, client: api(url, api_key.key) };
}
const whoami = (credential: string) => api(url, credential)('GET', '/v1/whoami');

test('GET /v1/whoami shows an API key its organisation, scope, id and end', async () => {
  const { organisation, key } = await account();
  expectData(await whoami(key.key), 200, {
    organisation,
    project: null,
    scope: 'full',
    credential: { type: 'api_key', key_id: key.id, label: key.name },
    expires_at: null,
  });
});

test('a key that is bound and ends sees its project, by its current name, and its end', async () => {
  const { client } = await account();
  const { id, slug } = await makeProject(client, { name: 'Bot' });
  const expires_at = '2035-01-01T00:00:00.000Z';
  const made = await client('POST', '/v1/api-keys', { name: 'CI', project: slug, scope: 'run', expires_at });
  await client('PATCH', `/v1/projects/${slug}`, { name: 'Assistant' });
  expect((await whoami(made.body.data.key)).body.data).toMatchObject({
    project: { id, slug, name: 'Assistant' },
    scope: 'run',
    expires_at,
  });
});

test('a token sees its own end, and the key that it was made with', async () => {
  const { key, client, organisation } = await account();
  const { token, expires_at } = (await client('POST', '/v1/auth/token')).body.data;
  expectData(await whoami(token), 200, {
    organisation,
    project: null,
    scope: 'full',
    credential: { type: 'token', key_id: key.id, label: key.name },
    expires_at,
  });
  expect([expires_at, key.id]).toEqual([TIMESTAMP, UUID]);
});

test('a key whose project was deleted gets a 404', async () => {
  const { client } = await account();
  const { slug } = await makeProject(client);
  const made = await client('POST', '/v1/api-keys', { name: 'CI', project: slug });
  await client('DELETE', `/v1/projects/${slug}`);
  expectNotFound(await whoami(made.body.data.key));
});
