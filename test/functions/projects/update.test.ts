import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound, nextMillisecond } from '../../support/expectations.ts';
import { DESCRIPTIONS, NAMES, testFields } from '../../support/rules.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client, { name: 'Before', description: 'before' });
});

const patch = (body: unknown) => client('PATCH', `/v1/projects/${project.slug}`, body);

describe('PATCH /v1/projects/:slug', () => {
  test.each([
    ['the name', { name: 'After' }],
    ['the description', { description: 'after' }],
    ['the description to null', { description: null }],
    ['both', { name: 'Both', description: 'both' }],
  ])('changes %s and no other field, and the time of the change', async (_, changes) => {
    const before = (await client('GET', `/v1/projects/${project.slug}`)).body.data;
    await nextMillisecond();
    const answer = await patch(changes);
    const { updated_at } = answer.body.data;
    expectData(answer, 200, { ...before, ...changes, updated_at });
    expect(updated_at > before.updated_at).toBe(true);
    expectData(await client('GET', `/v1/projects/${project.slug}`), 200, answer.body.data);
  });

  test('never changes id, organisation, slug or times on request', async () => {
    const before = (await client('GET', `/v1/projects/${project.slug}`)).body.data;
    const forged = { id: 'x', org_id: 'x', slug: 'moved', created_at: 'x', updated_at: 'x', deleted_at: 'x' };
    expectInvalid(await patch({ name: 'Forged', ...forged }), ...Object.keys(forged));
    expectData(await client('GET', `/v1/projects/${project.slug}`), 200, before);
    expectNotFound(await client('GET', '/v1/projects/moved'));
  });

  testFields(patch, { name: NAMES, description: DESCRIPTIONS });

  test('changes nothing when one of the fields is refused', async () => {
    const before = (await client('GET', `/v1/projects/${project.slug}`)).body.data;
    expectInvalid(await patch({ name: 'Half', description: 5 }), 'description');
    expectData(await client('GET', `/v1/projects/${project.slug}`), 200, before);
  });

  test('keeps both of two changes made at the same time, and never goes back in time', async () => {
    const sent = Array.from({ length: 12 }, (_, index) =>
      index % 2 === 0 ? { name: `name ${index}` } : { description: `description ${index}` },
    );
    const answers = await Promise.all(sent.map(patch));
    expect(answers.map(({ status }) => status)).toEqual(sent.map(() => 200));
    const after = (await client('GET', `/v1/projects/${project.slug}`)).body.data;
    expect(after.name).toMatch(/^name \d+$/);
    expect(after.description).toMatch(/^description \d+$/);
    const times = answers.map(({ body }) => body.data.updated_at).sort();
    expect(after.updated_at).toBe(times.at(-1));
  });
});
