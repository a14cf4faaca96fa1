import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound } from '../../support/expectations.ts';
import { DESCRIPTIONS, NAMES, SHARES, SLUGS, testFields } from '../../support/rules.ts';
import { newSuite } from './newSuite.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const create = (body: unknown) => client('POST', `/v1/projects/${project.slug}/suites`, body);
const get = (slug: string) => client('GET', `/v1/projects/${project.slug}/suites/${slug}`);

describe('POST /v1/projects/:slug/suites', () => {
  test('answers the suite with every field, and the defaults', async () => {
    const answer = await create({ name: 'Answers on billing' });
    expectData(
      answer,
      201,
      newSuite({ project_id: project.id, name: 'Answers on billing', slug: 'answers-on-billing' }),
    );
    expect(answer.body.data.updated_at).toBe(answer.body.data.created_at);
    expectData(await get('answers-on-billing'), 200, answer.body.data);
  });

  test('keeps every field that was sent', async () => {
    const sent = { name: 'Sent', slug: 'sent', description: 'as sent', pass_threshold: 0.8 };
    expect((await create(sent)).body.data).toMatchObject(sent);
  });

  test('begins without cases', async () => {
    const { id } = await makeSuite(client, project);
    expect((await client('GET', `/v1/suites/${id}/cases`)).body).toEqual({
      data: [],
      pagination: { page: 1, pageSize: 20, total: 0, hasMore: false },
    });
  });

  test('ignores fields that are not for the client to set, and never returns unknown ones', async () => {
    const forged = {
      id: '11111111-1111-4111-8111-111111111111',
      project_id: '22222222-2222-4222-8222-222222222222',
      org_id: '22222222-2222-4222-8222-222222222222',
      project_slug: 'elsewhere',
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: '2001-01-01T00:00:00.000Z',
      run_count: 5,
      default_run: 5,
      revision: 9,
    };
    const { data } = (await create({ name: 'Forged', ...forged })).body;
    expect(data).toEqual(newSuite({ project_id: project.id, name: 'Forged', slug: 'forged' }));
    expect(data.id).not.toBe(forged.id);
    expect(data.created_at).not.toBe(forged.created_at);
    expectData(await get('forged'), 200, data);
  });

  testFields((fields) => create({ name: 'n', ...fields }), {
    name: NAMES,
    slug: SLUGS,
    description: DESCRIPTIONS,
    pass_threshold: SHARES,
  });

  test('is found by the slug that was sent', async () => {
    const path = `/v1/projects/${(await makeProject(client)).slug}/suites`;
    for (const [, slug] of SLUGS.good) {
      await client('POST', path, { name: 'n', slug });
      expect((await client('GET', `${path}/${slug}`)).status).toBe(200);
    }
  });

  test('names every field that is wrong at once', async () => {
    const answer = await create({ slug: 'A', description: 5, pass_threshold: 2 });
    expectInvalid(answer, 'name', 'slug', 'description', 'pass_threshold');
  });

  test('of a project that does not exist is 404', async () => {
    expectNotFound(await client('POST', '/v1/projects/no-such/suites', { name: 'n' }));
  });
});
