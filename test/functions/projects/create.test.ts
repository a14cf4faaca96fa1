import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectInvalid, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { DESCRIPTIONS, NAMES, SLUGS, testFields } from '../../support/rules.ts';

let client: Api;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
});

const create = (body: unknown) => client('POST', '/v1/projects', body);

describe('POST /v1/projects', () => {
  test('answers the project with every field, and the defaults', async () => {
    const answer = await create({ name: 'Support Bot' });
    expectData(answer, 201, {
      id: UUID,
      org_id: UUID,
      name: 'Support Bot',
      slug: 'support-bot',
      description: null,
      weaker_pushes: 'suites',
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    });
    expect(answer.body.data.updated_at).toBe(answer.body.data.created_at);
    expectData(await client('GET', '/v1/projects/support-bot'), 200, answer.body.data);
  });

  test('keeps what was sent, and drops blanks around the name', async () => {
    const sent = { slug: 'as-sent', description: 'Line one\nline two' };
    const answer = await create({ name: '  As  sent ', ...sent });
    expect(answer.body.data).toMatchObject({ name: 'As  sent', ...sent });
  });

  test('gives all projects of an organisation its id', async () => {
    const [one, two] = [await makeProject(client), await makeProject(client)];
    expect(one.org_id).toBe(two.org_id);
    expect(one.id).not.toBe(two.id);
    const stranger = await signUp(sharedServiceUrl());
    expect((await makeProject(stranger)).org_id).not.toBe(one.org_id);
  });

  test.each([
    'id',
    'org_id',
    'created_at',
    'updated_at',
    'deleted_at',
    'version',
    'pk',
    'is_admin',
    '__proto__',
    'weaker_push',
    'weakerPushes',
  ])('refuses the field %s, which is not for the client to set', async (field) => {
    const answer = await create(`{"name":"Forged","${field}":"full"}`);
    expectInvalid(answer, field);
    expect(answer.body.error.details.issues[0].message).toBe(
      'is not a field here: leave it out, or use one of name, slug, description, weaker_pushes',
    );
  });

  testFields((fields) => create({ name: 'n', ...fields }), {
    name: NAMES,
    slug: SLUGS,
    description: DESCRIPTIONS,
  });

  test('is found by the slug that was sent', async () => {
    const own = await signUp(sharedServiceUrl());
    for (const [, slug] of SLUGS.good) {
      await own('POST', '/v1/projects', { name: 'n', slug });
      expect((await own('GET', `/v1/projects/${slug}`)).status).toBe(200);
    }
  });

  test('names every field that is wrong at once', async () => {
    expectInvalid(
      await create({ slug: 'No Slug', description: 'd'.repeat(2_001) }),
      'name',
      'slug',
      'description',
    );
  });

  test('leaves nothing behind when it refuses', async () => {
    const own = await signUp(sharedServiceUrl());
    await own('POST', '/v1/projects', { name: 'n', slug: 'half', description: 5 });
    expect((await own('GET', '/v1/projects')).body.pagination.total).toBe(0);
    expect((await own('GET', '/v1/projects/half')).status).toBe(404);
  });
});
