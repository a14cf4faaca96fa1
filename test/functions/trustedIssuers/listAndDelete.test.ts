import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Api, api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import {
  expectInvalid,
  expectNoContent,
  expectNotFound,
  nextMillisecond,
} from '../../support/expectations.ts';
import { aRepository } from '../../support/oidc.ts';
import { type Keyless, type KeylessOrganisation, startKeyless } from '../auth/keyless.ts';

let keyless: Keyless;
let org: KeylessOrganisation;
beforeAll(async () => {
  keyless = await startKeyless();
  org = await keyless.organisation();
});
afterAll(() => keyless.stop());

const PATH = '/v1/trusted-issuers';

test('the list is paged, newest first, and an organisation sees its own only', async () => {
  const lister = await keyless.organisation();
  const made = [];
  for (const name of ['a/one', 'a/two', 'a/three']) {
    made.unshift(await lister.trust(aRepository(name)));
    await nextMillisecond();
  }
  const answer = await lister.client('GET', `${PATH}?page=1&pageSize=2`);
  expect({ status: answer.status, body: answer.body }).toEqual({
    status: 200,
    body: { data: made.slice(0, 2), pagination: { page: 1, pageSize: 2, total: 3, hasMore: true } },
  });
  expect((await lister.client('GET', `${PATH}?page=2&pageSize=2`)).body).toEqual({
    data: made.slice(2),
    pagination: { page: 2, pageSize: 2, total: 3, hasMore: false },
  });
  expect((await org.client('GET', PATH)).body.data).toEqual([]);
  expectInvalid(await lister.client('GET', `${PATH}?pageSize=101`), 'pageSize');
});

test('a registration is deleted once, by its own organisation, which the log notes', async () => {
  const { id } = await org.trust(aRepository());
  const other = await keyless.organisation();
  expectNotFound(await other.client('DELETE', `${PATH}/${id}`));
  expect(await org.registrations()).toMatchObject([{ id }]);

  expectNoContent(await org.client('DELETE', `${PATH}/${id}`));
  expect(await org.registrations()).toEqual([]);
  expectNotFound(await org.client('DELETE', `${PATH}/${id}`));
  expectNotFound(await org.client('DELETE', `${PATH}/${randomUUID()}`));
  expectNotFound(await org.client('DELETE', `${PATH}/octo-org`));
  const noted = keyless.service.log.filter(({ code }) => code === 'issuer_distrusted');
  expect(noted).toEqual([
    expect.objectContaining({ org_id: org.id, id, by: expect.objectContaining({ type: 'api_key' }) }),
  ]);
});

test('of ten deletions at once one finds it', async () => {
  const { id } = await org.trust(aRepository());
  const answers = await Promise.all(Array.from({ length: 10 }, () => org.client('DELETE', `${PATH}/${id}`)));
  expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
});

/** Who may not manage what the whole organisation trusts, and the answer that they get. */
const others: readonly (readonly [title: string, client: () => Promise<Api>, status: number])[] = [
  ['an API key bound to a project', () => keyOf({ project: 'bound' }), 404],
  ['an API key of the scope "run"', () => keyOf({ scope: 'run' }), 403],
  [
    "a job's token",
    async () => {
      const repository = aRepository();
      await org.trust(repository);
      const { token } = (await org.enter(repository)).body.data;
      return api(keyless.service.baseUrl, token);
    },
    403,
  ],
];

async function keyOf(fields: Readonly<Record<string, unknown>>): Promise<Api> {
  const { status, body } = await org.client('POST', '/v1/api-keys', { name: 'Lesser', ...fields });
  expect(status).toBe(201);
  return api(keyless.service.baseUrl, body.data.key);
}

test.each(others)('%s neither registers, nor lists, nor deletes', async (_, clientOf, status) => {
  if ((await org.client('GET', '/v1/projects/bound')).status === 404)
    await makeProject(org.client, { slug: 'bound' });
  const { id } = await org.trust(aRepository());
  const client = await clientOf();
  const before = await org.registrations();
  for (const [method, path, body] of [
    ['POST', PATH, { repository: 'octo-org/mine' }],
    ['POST', PATH, { repository: 'octo-org/mine', project: 'bound' }],
    ['GET', PATH, undefined],
    ['DELETE', `${PATH}/${id}`, undefined],
  ] as const) {
    expect({ method, status: (await client(method, path, body)).status }).toEqual({ method, status });
  }
  expect(await org.registrations()).toEqual(before);
});

test('a token made for an API key of full scope registers nothing that would outlive it, but may list and delete', async () => {
  const { id } = await org.trust(aRepository());
  const { token } = (await org.client('POST', '/v1/auth/token')).body.data;
  const client = api(keyless.service.baseUrl, token);
  const refused = await client('POST', PATH, { repository: 'octo-org/mine' });
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'SCOPE_REQUIRED' } } });
  expect((await client('GET', PATH)).status).toBe(200);
  expectNoContent(await client('DELETE', `${PATH}/${id}`));
});
