import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { admittedBy, conditionsOfPersons } from '../../../shared/domain/issuers/persons.ts';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid } from '../../support/expectations.ts';
import type { Claims } from '../../support/oidc.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.provider.reset());
afterAll(() => world.stop());

async function whoIs(org: Awaited<ReturnType<World['organisation']>>, claims: Claims, begun: Claims = {}) {
  world.provider.claims = claims;
  const { page } = await org.signIn(begun);
  const { scope, project } = (await page('GET', '/v1/whoami')).body.data;
  return { scope, project: project?.slug ?? null };
}

async function refusalOf(org: Awaited<ReturnType<World['organisation']>>, claims: Claims) {
  world.provider.claims = claims;
  const { status, body, setCookie } = await org.finish(await org.begin());
  return { status, code: body.error?.code, message: body.error?.message, setCookie };
}

const NOT_ADMITTED = {
  status: 403,
  code: 'NOT_ADMITTED',
  message: 'You signed in, but your organisation admits you to nothing here: ask its administrator.',
  setCookie: [],
};

describe('a person gets the rights of one registration', () => {
  test('of a group, in its project or in all, and of no other group, in no other case', async () => {
    const org = await world.organisation();
    const bots = await makeProject(org.client);
    await org.admit({ claims: { groups: ['team-bots'] }, scope: 'suites', project: bots.slug });
    await org.admit({ claims: { groups: 'platform' }, scope: 'full' });
    expect(await whoIs(org, { groups: ['a', 'team-bots'] })).toEqual({ scope: 'suites', project: bots.slug });
    expect(await whoIs(org, { groups: 'platform' })).toEqual({ scope: 'full', project: null });
    for (const groups of [['Team-Bots'], ['team-bots '], 'other', [], undefined, { 'team-bots': true }, 7])
      expect(await refusalOf(org, { groups })).toEqual(NOT_ADMITTED);
  });

  test('of the project that was named, then for all projects before for one, then by scope, then the oldest; never added up', async () => {
    const org = await world.organisation();
    const [one, two] = [await makeProject(org.client), await makeProject(org.client)];
    await org.admit({ claims: { groups: 'g' }, scope: 'suites', project: one.slug });
    await org.admit({ claims: { groups: 'g' }, scope: 'read', project: two.slug });
    expect(await whoIs(org, { groups: 'g' })).toEqual({ scope: 'suites', project: one.slug });
    expect(await whoIs(org, { groups: 'g' }, { project: two.slug })).toEqual({
      scope: 'read',
      project: two.slug,
    });
    await org.admit({ claims: { groups: 'g' }, scope: 'run' });
    expect(await whoIs(org, { groups: 'g' })).toEqual({ scope: 'run', project: null });
    await org.admit({ claims: { sub: 'person-1' }, scope: 'full' });
    expect(await whoIs(org, { groups: 'g' })).toEqual({ scope: 'full', project: null });
    expect(await whoIs(org, { groups: 'g' }, { project: two.slug })).toEqual({
      scope: 'read',
      project: two.slug,
    });
    expect(await whoIs(org, { groups: 'g' }, { project: 'no-such-project' })).toEqual({
      scope: 'full',
      project: null,
    });
  });

  test('never of a project that is deleted', async () => {
    const org = await world.organisation();
    const gone = await makeProject(org.client);
    await org.admit({ everyone: true, scope: 'suites', project: gone.slug });
    await org.client('DELETE', `/v1/projects/${gone.slug}`);
    expect(await refusalOf(org, {})).toEqual(NOT_ADMITTED);
  });

  test('of an address only where the provider has verified it', async () => {
    const org = await world.organisation();
    await org.admit({ claims: { email: 'ada@example.com' }, scope: 'read' });
    const email = 'ada@example.com';
    for (const email_verified of [undefined, false, 'false', 1, null, ['true']])
      expect(await refusalOf(org, { email, email_verified })).toEqual(NOT_ADMITTED);
    expect(await whoIs(org, { email, email_verified: true })).toEqual({ scope: 'read', project: null });
    const pointed = await world.organisation();
    await pointed.admit({ claims: { '/email': email }, scope: 'read' });
    expect(await refusalOf(pointed, { email })).toEqual(NOT_ADMITTED);
  });

  test('of a group below another claim, by a JSON pointer', async () => {
    const org = await world.organisation();
    await org.admit({ claims: { '/realm_access/roles': ['gate-admin'] }, scope: 'full' });
    expect(await whoIs(org, { realm_access: { roles: ['x', 'gate-admin'] } })).toMatchObject({
      scope: 'full',
    });
    expect(await refusalOf(org, { '/realm_access/roles': ['gate-admin'] })).toEqual(NOT_ADMITTED);
  });

  test('no group fits where the provider left the groups out, and the refusal names app roles', async () => {
    const org = await world.organisation();
    await org.admit({ claims: { groups: 'g' }, scope: 'read' });
    const refusal = await refusalOf(org, {
      _claim_names: { groups: 'src1' },
      _claim_sources: { src1: { endpoint: world.provider.url } },
    });
    expect(refusal).toMatchObject({
      status: 403,
      code: 'NOT_ADMITTED',
      message: expect.stringContaining('app roles'),
    });
  });

  test('a job is not let in by a registration for persons', async () => {
    const org = await world.organisation();
    await org.admit({ everyone: true, scope: 'full' });
    const { body } = await org.client('GET', '/v1/trusted-issuers');
    expect(body.data[0]).toMatchObject({
      for: 'persons',
      issuer: world.provider.url,
      claims: {},
      provider: 'other',
    });
  });
});

describe('POST /v1/trusted-issuers for persons', () => {
  test.each([
    ['neither claims nor everyone', { scope: 'read' }, 'claims'],
    ['both claims and everyone', { scope: 'read', everyone: true, claims: { sub: 'a' } }, 'claims'],
    ['everyone as false', { scope: 'read', everyone: false }, 'everyone'],
    ['no scope', { everyone: true }, 'scope'],
    ['a scope that is misspelt', { everyone: true, scope: 'admin' }, 'scope'],
    ['an issuer', { everyone: true, scope: 'read', issuer: 'https://other.example' }, 'issuer'],
    ['a repository', { everyone: true, scope: 'read', repository: 'acme/bot' }, 'repository'],
    [
      'a name that another person can take',
      { scope: 'read', claims: { preferred_username: 'ada' } },
      'claims.preferred_username',
    ],
    ['such a name by a pointer', { scope: 'read', claims: { '/upn': 'ada@example.com' } }, 'claims./upn'],
    ['a name that the table cannot store', { scope: 'read', claims: { constructor: 'x' } }, 'claims'],
    ['a pattern', { scope: 'read', claims: { groups: '*' } }, 'claims.groups'],
    ['a field that is misspelt', { scope: 'read', everyone: true, projct: 'x' }, 'projct'],
  ])('refuses %s', async (_, body, path) => {
    const org = await world.organisation();
    const answer = await org.client('POST', '/v1/trusted-issuers', { for: 'persons', ...body });
    expectInvalid(answer, path);
    expect((await org.client('GET', '/v1/trusted-issuers')).body.data).toEqual([]);
  });

  test('needs the sign-in of the organisation', async () => {
    const { body } = await api(world.service.baseUrl)('POST', '/v1/auth/signup', { name: 'Without' });
    const client = api(world.service.baseUrl, body.data.api_key.key);
    expectInvalid(
      await client('POST', '/v1/trusted-issuers', { for: 'persons', everyone: true, scope: 'read' }),
      'for',
    );
  });

  test.each([
    'https://accounts.google.com',
    'https://gitlab.com',
    'https://appleid.apple.com',
    'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  ])('at %s, where everybody can have an account, admits not everyone', (issuer) => {
    expect(() => conditionsOfPersons({}, issuer)).toThrow();
    expect(() => conditionsOfPersons({ claims: { email_verified: 'true' } }, issuer)).toThrow();
    expect(conditionsOfPersons({ claims: { hd: 'example.com' } }, issuer)).toEqual({ hd: 'example.com' });
    expect(conditionsOfPersons({}, 'https://acme.okta.com')).toEqual({});
  });
});

test('without a registration that fits no person is admitted', () => {
  expect(() => admittedBy([], {}, undefined)).toThrow('admits you to nothing');
});
