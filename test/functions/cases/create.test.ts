import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { PLAIN_RULES } from '../../../shared/domain/suites/gates/rules.ts';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';
import {
  BAD_INPUTS,
  BAD_SCORER_IDS,
  DESCRIPTIONS,
  NAMES,
  SHARES,
  SWITCHES,
  testFields,
  WEIGHTS,
} from '../../support/rules.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, suite, scorer]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
});

const create = (fields: object) =>
  client('POST', `/v1/suites/${suite.id}/cases`, { name: 'n', input: {}, scorer_id: scorer.id, ...fields });

describe('POST /v1/suites/:suiteId/cases', () => {
  test('answers the case with every field, and the defaults', async () => {
    const own = await makeSuite(client, project);
    const answer = await client('POST', `/v1/suites/${own.id}/cases`, {
      name: 'Refund window',
      input: {},
      scorer_id: scorer.id,
    });
    expectData(answer, 201, {
      id: UUID,
      suite_id: own.id,
      key: 'refund-window',
      ...PLAIN_RULES,
      name: 'Refund window',
      description: null,
      input: {},
      expected: null,
      scorer_id: scorer.id,
      threshold: 0.5,
      weight: 1,
      is_active: true,
      sort_order: 0,
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    });
    expect(answer.body.data.updated_at).toBe(answer.body.data.created_at);
    expectData(await client('GET', `/v1/cases/${answer.body.data.id}`), 200, answer.body.data);
  });

  test('keeps every field that was sent', async () => {
    const sent = {
      name: 'Sent',
      description: 'as sent',
      input: { question: 'Why?', nested: { list: [1, null, true] } },
      expected: ['a', { b: 2 }],
      threshold: 0.75,
      weight: 2.5,
      is_active: false,
      key: 'as_sent',
      tags: ['safety', 'b'],
      must_pass: true,
      sample_count: 3,
      sample_pass_rate: 0.6,
    };
    await create({ name: 'Active' });
    const { data } = (await create(sent)).body;
    expect(data).toMatchObject(sent);
    expect((await client('GET', `/v1/cases/${data.id}`)).body.data).toEqual(data);
  });

  test('puts each case at the end of the suite, active or not', async () => {
    const own = await makeSuite(client, project);
    for (let index = 0; index < 4; index++) {
      const made = await makeCase(client, own, scorer, { is_active: index !== 1 });
      expect(made.sort_order).toBe(index);
    }
  });

  test('ignores fields that are not for the client to set, and never returns unknown ones', async () => {
    const forged = {
      id: '11111111-1111-4111-8111-111111111111',
      suite_id: '22222222-2222-4222-8222-222222222222',
      org_id: '22222222-2222-4222-8222-222222222222',
      project_id: '22222222-2222-4222-8222-222222222222',
      sort_order: -5,
      created_at: '2001-01-01T00:00:00.000Z',
      updated_at: '2001-01-01T00:00:00.000Z',
      expected_elsewhere: true,
      version: 9,
    };
    const { data } = (await create(forged)).body;
    expect(data).toEqual({
      id: UUID,
      suite_id: suite.id,
      key: expect.stringMatching(/^n(-\w+)?$/),
      ...PLAIN_RULES,
      name: 'n',
      description: null,
      input: {},
      expected: null,
      scorer_id: scorer.id,
      threshold: 0.5,
      weight: 1,
      is_active: true,
      sort_order: expect.any(Number),
      created_at: TIMESTAMP,
      updated_at: TIMESTAMP,
    });
    for (const field of ['id', 'sort_order', 'created_at', 'updated_at'] as const) {
      expect(data[field]).not.toBe(forged[field]);
    }
    expectData(await client('GET', `/v1/cases/${data.id}`), 200, data);
  });

  testFields(create, {
    name: NAMES,
    description: DESCRIPTIONS,
    input: { bad: [...BAD_INPUTS, ['missing', undefined]] },
    scorer_id: { bad: [...BAD_SCORER_IDS, ['missing', undefined]] },
    threshold: SHARES,
    weight: WEIGHTS,
    is_active: SWITCHES,
  });

  test('names every field that is wrong at once', async () => {
    const wrong = {
      name: '',
      description: 5,
      input: [],
      scorer_id: 'x',
      threshold: 2,
      weight: -1,
      is_active: 1,
    };
    expectInvalid(await create(wrong), ...Object.keys(wrong));
  });

  test('is 404 for a scorer that is not in the project', async () => {
    const elsewhere = await makeScorer(client, await makeProject(client));
    const stranger = await signUp(sharedServiceUrl());
    const theirs = await makeScorer(stranger, await makeProject(stranger));
    const deleted = await makeScorer(client, project);
    await client('DELETE', `/v1/scorers/${deleted.id}`);
    const answers = await Promise.all(
      [randomUUID(), elsewhere.id, theirs.id, deleted.id].map((scorer_id) => create({ scorer_id })),
    );
    for (const answer of answers) {
      expectNotFound(answer);
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });

  test('is 404 for a suite that does not exist', async () => {
    const path = `/v1/suites/${randomUUID()}/cases`;
    expectNotFound(await client('POST', path, { name: 'n', input: {}, scorer_id: scorer.id }));
  });

  test('leaves nothing behind when it refuses', async () => {
    const own = await makeSuite(client, project);
    const path = `/v1/suites/${own.id}/cases`;
    expectNotFound(await client('POST', path, { name: 'n', input: {}, scorer_id: randomUUID() }));
    expectInvalid(await client('POST', path, { name: 'n', input: [], scorer_id: scorer.id }), 'input');
    expect((await client('GET', path)).body.pagination.total).toBe(0);
  });
});
