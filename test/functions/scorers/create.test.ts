import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeScorer } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { NAMES, SIDE_SHARES, SWITCHES, testFields } from '../../support/rules.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const valid = { name: 'n', type: 'exact_match', config: { case_sensitive: false } };
const create = (fields: object) =>
  client('POST', `/v1/projects/${project.slug}/scorers`, { ...valid, ...fields });

describe('POST /v1/projects/:slug/scorers', () => {
  test('answers the scorer with every field, and the defaults', async () => {
    const answer = await client('POST', `/v1/projects/${project.slug}/scorers`, valid);
    expectData(answer, 201, {
      id: UUID,
      project_id: project.id,
      key: 'n',
      name: 'n',
      type: 'exact_match',
      config: { case_sensitive: false },
      dual_sided: false,
      precision_threshold: null,
      recall_threshold: null,
      created_at: TIMESTAMP,
      version: 1,
      updated_at: TIMESTAMP,
    });
    expect(answer.body.data.updated_at).toBe(answer.body.data.created_at);
    expectData(await client('GET', `/v1/scorers/${answer.body.data.id}`), 200, answer.body.data);
  });

  test('takes one, both or none of the side thresholds of a dual-sided scorer', async () => {
    for (const sides of [{}, { precision_threshold: 0.5 }, { precision_threshold: 0, recall_threshold: 1 }]) {
      const { data } = (await create({ dual_sided: true, ...sides })).body;
      expect(data).toMatchObject({
        dual_sided: true,
        precision_threshold: null,
        recall_threshold: null,
        ...sides,
      });
    }
  });

  test('takes null side thresholds of any scorer', async () => {
    expect((await create({ precision_threshold: null, recall_threshold: null })).status).toBe(201);
  });

  test.each([
    ['precision_threshold', { precision_threshold: 0.5 }, ['precision_threshold']],
    ['recall_threshold', { recall_threshold: 0, dual_sided: false }, ['recall_threshold']],
    ['both', { precision_threshold: 1, recall_threshold: 1 }, ['precision_threshold', 'recall_threshold']],
  ])('refuses side thresholds of a scorer that is not dual-sided: %s', async (_, fields, paths) => {
    expectInvalid(await create(fields), ...paths);
  });

  testFields((fields) => create({ dual_sided: true, ...fields }), {
    precision_threshold: SIDE_SHARES,
    recall_threshold: SIDE_SHARES,
  });

  test.each([
    ['contains', 'config.mode', { type: 'contains', config: { values: ['a'], mode: 'none' } }],
    ['regex', 'config.should_match', { type: 'regex', config: { pattern: 'a', should_match: false } }],
  ])('refuses a dual-sided %s that looks for absence, naming %s', async (_, path, fields) => {
    expectInvalid(await create({ dual_sided: true, ...fields }), path);
    expect((await create(fields)).status).toBe(201);
  });

  test('ignores fields that are not for the client to set, and never returns unknown ones', async () => {
    const forged = {
      id: '11111111-1111-4111-8111-111111111111',
      project_id: '22222222-2222-4222-8222-222222222222',
      org_id: '22222222-2222-4222-8222-222222222222',
      project_slug: 'elsewhere',
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: '2001-01-01T00:00:00.000Z',
      version: 9,
    };
    const { data } = (await create(forged)).body;
    expect(data).toEqual({
      ...valid,
      id: UUID,
      project_id: project.id,
      key: expect.stringMatching(/^n(-\w+)?$/),
      dual_sided: false,
      precision_threshold: null,
      recall_threshold: null,
      created_at: TIMESTAMP,
      version: 1,
      updated_at: TIMESTAMP,
    });
    expect(data.id).not.toBe(forged.id);
    expect(data.created_at).not.toBe(forged.created_at);
    expectData(await client('GET', `/v1/scorers/${data.id}`), 200, data);
  });

  testFields(create, { name: NAMES, dual_sided: SWITCHES });

  test.each([
    ['unknown', 'levenshtein'],
    ['spelled otherwise', 'Exact_Match'],
    ['a property of every object', 'constructor'],
    ['null', null],
    ['a number', 1],
    ['missing', undefined],
  ])('refuses a type that is %s', async (_, type) => {
    expectInvalid(await create({ type }), 'type');
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['an array', []],
    ['a text', '{}'],
  ])('refuses a config that is %s', async (_, config) => {
    expectInvalid(await create({ config }), 'config');
  });

  test('names every field that is wrong at once', async () => {
    const wrong = {
      name: '',
      type: 'x',
      config: 1,
      dual_sided: 'no',
      precision_threshold: 2,
      recall_threshold: -1,
    };
    expectInvalid(await create(wrong), ...Object.keys(wrong));
  });

  test('of a project that does not exist is 404', async () => {
    expectNotFound(await client('POST', '/v1/projects/no-such/scorers', valid));
  });

  test('leaves nothing behind when it refuses', async () => {
    const own = await makeProject(client);
    const path = `/v1/projects/${own.slug}/scorers`;
    expectInvalid(
      await client('POST', path, { ...valid, type: 'regex', config: { pattern: '(' } }),
      'config.pattern',
    );
    expect((await client('GET', path)).body.pagination.total).toBe(0);
  });

  test('at the same time makes each, and lists each', async () => {
    const own = await makeProject(client);
    const made = await Promise.all(Array.from({ length: 20 }, () => makeScorer(client, own)));
    const list = (await client('GET', `/v1/projects/${own.slug}/scorers?pageSize=100`)).body;
    expect(list.pagination.total).toBe(20);
    const byId = (x: { id: string }, y: { id: string }) => (x.id < y.id ? -1 : 1);
    expect(list.data.sort(byId)).toEqual(made.sort(byId));
  });
});
