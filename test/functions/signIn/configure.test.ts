import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { aPlace } from '../../clients/cli/cli.ts';
import { api } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { CLIENT_ID, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(() => world.provider.reset());
afterAll(() => world.stop());

const PATH = '/v1/sign-in';

describe('the sign-in of an organisation', () => {
  test('is answered with the addresses that the provider and its people need', async () => {
    const { id, client } = await world.organisation({
      label: 'Acme SSO',
      scopes: ['groups'],
      subject_claim: 'oid',
    });
    const { status, body } = await client('GET', PATH);
    expect({ status, data: body.data }).toEqual({
      status: 200,
      data: {
        issuer: world.provider.url,
        client_id: CLIENT_ID,
        subject_claim: 'oid',
        name_claim: 'name',
        scopes: ['groups'],
        label: 'Acme SSO',
        has_secret: false,
        redirect_uri: `${world.service.baseUrl}/app/signed-in/${id}`,
        sign_in_url: `${world.service.baseUrl}/app/sign-in?organisation=${id}`,
        created_at: expect.any(String),
        updated_at: expect.any(String),
      },
    });
  });

  test('is replaced as a whole: without a secret in the request the client is public again', async () => {
    const { client } = await world.organisation({ client_secret: 'a-secret' });
    const before = (await client('GET', PATH)).body.data;
    const { body } = await client('PUT', PATH, {
      issuer: world.provider.url,
      client_id: CLIENT_ID,
      label: 'New',
    });
    expect(body.data).toMatchObject({ has_secret: false, label: 'New', created_at: before.created_at });
  });

  test('keeps issuer and client while registrations for persons exist, and is not deleted', async () => {
    const org = await world.organisation();
    const { id } = await org.admit({ everyone: true, scope: 'read' });
    const put = (fields: object) =>
      org.client('PUT', PATH, { issuer: world.provider.url, client_id: CLIENT_ID, ...fields });
    expectInvalid(await put({ client_id: 'another' }), 'client_id');
    expectInvalid(await put({ subject_claim: 'oid' }), 'subject_claim');
    expectInvalid(await org.client('DELETE', `${PATH}/sessions?sub=person-1`), 'sub');
    expectInvalid(await org.client('DELETE', PATH), 'sign-in');
    expect((await put({ label: 'Renamed' })).status).toBe(200);
    await org.client('DELETE', `/v1/trusted-issuers/${id}`);
    expect((await put({ client_id: 'another' })).status).toBe(200);
    expect((await org.client('DELETE', PATH)).status).toBe(204);
    expectNotFound(await org.client('GET', PATH));
    expectNotFound(await org.client('DELETE', PATH));
    expectNotFound(await org.client('DELETE', `${PATH}/sessions`));
  });

  test('is in the log of the organisation, without the secret', async () => {
    const { client } = await world.organisation({ client_secret: 'a-secret' });
    await client('PUT', PATH, { issuer: world.provider.url, client_id: 'another' });
    await client('DELETE', PATH);
    const { body } = await client('GET', '/v1/changes');
    const entries = body.data.filter(({ target }: { target: { type: string } }) => target.type === 'sign_in');
    expect(entries.map(({ action }: { action: string }) => action)).toEqual([
      'deleted',
      'updated',
      'created',
    ]);
    expect(entries[1].changes).toEqual({ client_id: { from: CLIENT_ID, to: 'another' } });
    expect(JSON.stringify(body)).not.toContain('a-secret');
  });

  test('is in an export of the organisation, without the secret', async () => {
    const { client } = await world.organisation({ client_secret: 'a-secret' });
    const { body } = await client('POST', '/v1/api-keys', { name: 'export' });
    const place = aPlace({ EVALGATE_URL: world.service.baseUrl, EVALGATE_API_KEY: body.data.key });
    try {
      expect(await place.cli(['export', 'organisation', '--out', 'all'])).toMatchObject({ code: 0 });
      const text = readFileSync(path.join(place.folder, 'all', 'sign-in.json'), 'utf8');
      expect(JSON.parse(text)).toMatchObject({ client_id: CLIENT_ID, has_secret: true });
      expect(text).not.toContain('a-secret');
    } finally {
      place.remove();
    }
  });

  test('is 404 to a key of one project, and refused to every scope but full and to tokens', async () => {
    const { client } = await world.organisation();
    const { slug } = await makeProject(client);
    const keyOf = async (fields: object) =>
      (await client('POST', '/v1/api-keys', { name: 'k', ...fields })).body.data.key;
    const bound = api(world.service.baseUrl, await keyOf({ project: slug }));
    expectNotFound(await bound('GET', PATH));
    for (const scope of ['run', 'read', 'suites']) {
      const narrow = api(world.service.baseUrl, await keyOf({ scope }));
      for (const [method, body] of [
        ['GET', undefined],
        ['DELETE', undefined],
        ['PUT', { issuer: world.provider.url, client_id: 'x' }],
      ] as const)
        expect((await narrow(method, PATH, body)).status).toBe(403);
    }
    const token = (await client('POST', '/v1/auth/token')).body.data.token;
    const byToken = api(world.service.baseUrl, token);
    expect((await byToken('PUT', PATH, { issuer: world.provider.url, client_id: 'x' })).status).toBe(403);
    expect((await byToken('DELETE', PATH)).status).toBe(403);
  });
});

describe('PUT /v1/sign-in refuses', () => {
  test.each([
    ['no issuer', { issuer: undefined }, 'issuer'],
    ['no client', { client_id: undefined }, 'client_id'],
    ['a client with blanks', { client_id: 'a b' }, 'client_id'],
    ['a claim that tells nobody apart', { subject_claim: 'email' }, 'subject_claim'],
    ['a name by another claim', { name_claim: 'upn' }, 'name_claim'],
    ['a scope that is two', { scopes: ['a b'] }, 'scopes.0'],
    ['a field that is misspelt', { client_secrt: 'x' }, 'client_secrt'],
    ['an empty secret', { client_secret: '' }, 'client_secret'],
  ])('%s', async (_, fields, path) => {
    const { client } = await world.organisation();
    expectInvalid(
      await client('PUT', PATH, { issuer: world.provider.url, client_id: CLIENT_ID, ...fields }),
      path,
    );
    expect((await client('GET', PATH)).body.data.client_id).toBe(CLIENT_ID);
  });

  test.each([
    'http://login.example.com',
    'https://127.0.0.1',
    'https://169.254.169.254',
    'https://10.0.0.1',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://localhost',
    'https://user@login.example.com',
    'https://login.example.com:8443',
    'https://login.example.com/?a=b',
    'https://login.example.com/#a',
    'https://login.example.com/a/../b',
    'ftp://login.example.com',
  ])('the issuer %s, and calls nothing', async (issuer) => {
    const { client } = await world.organisation();
    const before = world.provider.requests();
    const answer = await client('PUT', PATH, { issuer, client_id: CLIENT_ID });
    expect(answer.status).toBe(400);
    expect(world.provider.requests()).toBe(before);
  });

  test.each([
    ['another issuer', { issuer: 'https://other.example' }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['no authorization endpoint', { authorization_endpoint: undefined }],
    ['an inner token endpoint', { token_endpoint: 'https://169.254.169.254/token' }],
    ['inner keys', { jwks_uri: 'https://10.0.0.1/keys' }],
  ])('an issuer whose discovery names %s', async (_, discovery) => {
    const other = await startWorld();
    try {
      other.provider.discovery = discovery;
      await expect(other.organisation()).rejects.toThrow('400');
    } finally {
      await other.stop();
      process.env.BASE_URL = world.service.baseUrl;
    }
  });
});
