import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectInvalid, expectNoContent } from '../../support/expectations.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const create = (body: unknown) => client('POST', `/v1/projects/${project.slug}/suites`, body);
const pathOf = (slug: string) => `/v1/projects/${project.slug}/suites/${slug}`;

describe('the slug of a suite', () => {
  test('falls back to "suite" where the name has no letters for one', async () => {
    expect((await makeSuite(client, project, { name: '★ ★' })).slug).toBe('suite');
  });

  test('writes letters of other scripts in Latin ones', async () => {
    expect((await makeSuite(client, project, { name: '日本語' })).slug).toBe('ribenyu');
  });

  test('that is taken is refused when it was given, and gets a suffix when it was not', async () => {
    await makeSuite(client, project, { name: 'Taken' });
    expectInvalid(await create({ name: 'Other', slug: 'taken' }), 'slug');
    expect((await makeSuite(client, project, { name: 'Taken' })).slug).toBe('taken-2');
  });

  test('is taken within its own project only', async () => {
    const other = await makeProject(client);
    const [one, two] = [
      await makeSuite(client, project, { slug: 'shared' }),
      await makeSuite(client, other, { slug: 'shared' }),
    ];
    expect([one.slug, two.slug]).toEqual(['shared', 'shared']);
    expect((await client('GET', pathOf('shared'))).body.data.id).toBe(one.id);
    expect((await client('GET', `/v1/projects/${other.slug}/suites/shared`)).body.data.id).toBe(two.id);
  });

  test('is free again when its suite was deleted', async () => {
    const old = await makeSuite(client, project, { slug: 'freed' });
    expectNoContent(await client('DELETE', pathOf('freed')));
    const fresh = await makeSuite(client, project, { slug: 'freed' });
    expect(fresh.id).not.toBe(old.id);
    expect((await client('GET', pathOf('freed'))).body.data).toEqual(fresh);
    expect((await client('GET', `/v1/suites/${old.id}/cases`)).status).toBe(404);
  });

  test('may be the name of a route', async () => {
    const suite = await makeSuite(client, project, { slug: 'from-template' });
    expect((await client('GET', pathOf('from-template'))).body.data).toEqual(suite);
    expectNoContent(await client('DELETE', pathOf('from-template')));
  });

  test('is each its own for 30 suites created at once under one name', async () => {
    const own = await makeProject(client);
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => client('POST', `/v1/projects/${own.slug}/suites`, { name: 'Rush' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    const slugs = answers.map(({ body }) => body.data.slug);
    expect(new Set(slugs).size).toBe(30);
    const list = (await client('GET', `/v1/projects/${own.slug}/suites?pageSize=100`)).body;
    expect(list.pagination.total).toBe(30);
    expect(list.data.map((suite: { slug: string }) => suite.slug).sort()).toEqual(slugs.sort());
  });
});
