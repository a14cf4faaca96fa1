import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectInvalid, TIMESTAMP, UUID } from '../../support/expectations.ts';
import {
  BAD_DESCRIPTIONS,
  BAD_NAMES,
  BAD_SLUGS,
  GOOD_DESCRIPTIONS,
  GOOD_NAMES,
  GOOD_SLUGS,
} from '../../support/rules.ts';

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

  test.each(GOOD_NAMES)('keeps a name that is %s', async (_, name) => {
    expect(await create({ name })).toMatchObject({ status: 201, body: { data: { name } } });
  });

  test.each(BAD_NAMES)('refuses a name that is %s', async (_, name) => {
    expectInvalid(await create({ name }), 'name');
  });

  test.each(BAD_SLUGS)('refuses a slug that is %s', async (_, slug) => {
    expectInvalid(await create({ name: 'n', slug }), 'slug');
  });

  test.each(GOOD_SLUGS)('takes a slug that is %s', async (_, slug) => {
    expect(await create({ name: 'n', slug })).toMatchObject({ status: 201, body: { data: { slug } } });
    expect((await client('GET', `/v1/projects/${slug}`)).status).toBe(200);
  });

  test.each(BAD_DESCRIPTIONS)('refuses a description that is %s', async (_, description) => {
    expectInvalid(await create({ name: 'n', description }), 'description');
  });

  test.each(GOOD_DESCRIPTIONS)('takes a description that is %s', async (_, description) => {
    expect(await create({ name: 'n', description })).toMatchObject({
      status: 201,
      body: { data: { description } },
    });
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
