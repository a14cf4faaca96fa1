import { describe, expect, test } from '@jest/globals';
import { sharedServiceUrl, signUp } from '../../support/api.ts';
import { expectInvalid } from '../../support/expectations.ts';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

describe('projects created at the same time', () => {
  test('under one name all get a slug of their own, and all are listed', async () => {
    const client = await signUp(sharedServiceUrl());
    const answers = await Promise.all(times(30, () => client('POST', '/v1/projects', { name: 'Rush' })));
    expect(answers.map(({ status }) => status)).toEqual(times(30, () => 201));
    const slugs = answers.map(({ body }) => body.data.slug).sort();
    expect(new Set(slugs).size).toBe(30);
    const list = (await client('GET', '/v1/projects?pageSize=100')).body;
    expect(list.pagination.total).toBe(30);
    expect(list.data.map((project: { slug: string }) => project.slug).sort()).toEqual(slugs);
  });

  test('under one given slug are one, and a clear answer for all others', async () => {
    const client = await signUp(sharedServiceUrl());
    const body = { name: 'Rush', slug: 'rush' };
    const answers = await Promise.all(times(12, () => client('POST', '/v1/projects', body)));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused).toHaveLength(11);
    for (const answer of refused) expectInvalid(answer, 'slug');
    expect((await client('GET', '/v1/projects')).body.pagination.total).toBe(1);
  });
});
