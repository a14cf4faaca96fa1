import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid, nextMillisecond } from '../../support/expectations.ts';
import { DESCRIPTIONS, NAMES, SHARES, testFields } from '../../support/rules.ts';

let client: Api;
let path: string;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  const project = await makeProject(client);
  const suite = await makeSuite(client, project, { name: 'Before', description: 'before' });
  path = `/v1/projects/${project.slug}/suites/${suite.slug}`;
});

const patch = (body: unknown) => client('PATCH', path, body);
const current = async () => (await client('GET', path)).body.data;

describe('PATCH /v1/projects/:slug/suites/:suiteSlug', () => {
  test.each([
    ['the name', { name: 'After' }],
    ['the description', { description: 'after' }],
    ['the description to null', { description: null }],
    ['the pass_threshold', { pass_threshold: 0.5 }],
    ['the pass_threshold to 0', { pass_threshold: 0 }],
    [
      'gates',
      { gates: { min_judged_cases: 2, tags: [{ tag: 'a', pass_threshold: 1, min_judged_cases: 1 }] } },
    ],
    ['gates, whole and not merged', { gates: { min_lower_bound: 0.5 } }],
    ['gates to none', { gates: {} }],
    ['keep_outputs', { keep_outputs: 'all' }],
    ['show_expected', { show_expected: true }],
    ['show_inputs', { show_inputs: true }],
    ['show_results', { show_results: false }],
    ['several', { name: 'All', description: 'all', pass_threshold: 0.9, keep_outputs: 'none' }],
  ])('changes %s and no other field, and the time of the change', async (_, changes) => {
    const before = await current();
    await nextMillisecond();
    const answer = await patch(changes);
    const { updated_at } = answer.body.data;
    expectData(answer, 200, { ...before, ...changes, version: before.version + 1, updated_at });
    expect(updated_at > before.updated_at).toBe(true);
    expectData(await client('GET', path), 200, answer.body.data);
  });

  test('never changes id, project, slug or times on request', async () => {
    const before = await current();
    const forged = {
      id: 'x',
      project_id: 'x',
      project_slug: 'x',
      slug: 'moved',
      created_at: 'x',
      updated_at: 'x',
    };
    const answer = await patch(forged);
    expectData(answer, 200, {
      ...before,
      updated_at: answer.body.data.updated_at,
    });
    expect((await client('GET', path)).status).toBe(200);
  });

  testFields(patch, { name: NAMES, description: DESCRIPTIONS, pass_threshold: SHARES });

  test('changes nothing when one of the fields is refused', async () => {
    const before = await current();
    expectInvalid(await patch({ name: 'Half', pass_threshold: 1.01 }), 'pass_threshold');
    expect(await current()).toEqual(before);
  });

  test('keeps all of three changes made at the same time', async () => {
    const changes = [{ name: 'Parallel' }, { description: 'parallel' }, { pass_threshold: 0.375 }];
    const answers = await Promise.all(changes.map(patch));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await current()).toMatchObject(Object.assign({}, ...changes));
  });
});
