import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeScorer } from '../../support/builders.ts';
import { expectData, expectInvalid, nextMillisecond } from '../../support/expectations.ts';
import { NAMES, SIDE_SHARES, SWITCHES, testFields } from '../../support/rules.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const dual = { dual_sided: true, precision_threshold: 0.5, recall_threshold: 0.25 };
const REGEX_FIELDS = ['config.pattern', 'config.flags', 'config.should_match'];
const regex = { type: 'regex', config: { pattern: 'a', flags: 'i', should_match: true } };

async function patched(before: Readonly<Record<string, unknown>>, changes: unknown) {
  const scorer = await makeScorer(client, project, before);
  await nextMillisecond();
  return { scorer, answer: await client('PATCH', `/v1/scorers/${scorer.id}`, changes) };
}

describe('PATCH /v1/scorers/:scorerId', () => {
  test.each([
    ['the name', { name: 'After' }],
    ['a side threshold', { precision_threshold: 0.75 }],
    ['a side threshold to null', { recall_threshold: null }],
    ['the config', { config: { case_sensitive: false } }],
    ['type and config together', { type: 'regex', config: { pattern: 'x', flags: '', should_match: true } }],
  ])('changes %s and no other field, and the time of the change', async (_, changes) => {
    const { scorer, answer } = await patched(dual, changes);
    const { updated_at } = answer.body.data;
    expectData(answer, 200, { ...scorer, ...changes, version: scorer.version + 1, updated_at });
    expect(updated_at > scorer.updated_at).toBe(true);
    expectData(await client('GET', `/v1/scorers/${scorer.id}`), 200, answer.body.data);
  });

  test('replaces a config as a whole, with the defaults of its type', async () => {
    const { answer } = await patched(regex, { config: { pattern: 'b' } });
    expect(answer.body.data.config).toEqual({ pattern: 'b', flags: '', should_match: true });
  });

  test('turning dual_sided off drops the side thresholds, turning it on starts without', async () => {
    const { scorer, answer } = await patched(dual, { dual_sided: false });
    const none = { precision_threshold: null, recall_threshold: null };
    expect(answer.body.data).toMatchObject({ dual_sided: false, ...none });
    const again = await client('PATCH', `/v1/scorers/${scorer.id}`, { dual_sided: true });
    expect(again.body.data).toMatchObject({ dual_sided: true, ...none });
    const both = { dual_sided: true, recall_threshold: 1 };
    expect((await client('PATCH', `/v1/scorers/${scorer.id}`, both)).body.data).toMatchObject({
      ...none,
      ...both,
    });
  });

  test.each([
    ['a threshold of a one-sided scorer', {}, { precision_threshold: 0.5 }, ['precision_threshold']],
    [
      'a threshold with dual_sided turned off',
      dual,
      { dual_sided: false, recall_threshold: 1 },
      ['recall_threshold'],
    ],
    [
      'a type that the config does not fit',
      {},
      { type: 'regex' },
      ['config.pattern', 'config.case_sensitive'],
    ],
    [
      'a config that the type does not take',
      regex,
      { config: { values: ['a'] } },
      ['config.pattern', 'config.values'],
    ],
    ['a type of which the config has too much', regex, { type: 'exact_match' }, REGEX_FIELDS],
    ['a pattern that does not compile', regex, { config: { pattern: '(' } }, ['config.pattern']],
    ['a flag that does not exist', regex, { config: { pattern: 'a', flags: 'v' } }, ['config.flags']],
    [
      'a schema that is none',
      {},
      { type: 'json_schema', config: { schema: { type: 1 } } },
      ['config.schema.type'],
    ],
    [
      'two sides of an absence',
      { type: 'contains', config: { values: ['a'], mode: 'none' } },
      { dual_sided: true },
      ['config.mode'],
    ],
    [
      'an absence with two sides',
      { ...regex, dual_sided: true },
      { config: { pattern: 'a', should_match: false } },
      ['config.should_match'],
    ],
    ['no config', {}, { config: null }, ['config']],
    ['no type', {}, { type: null }, ['type']],
    ['an unknown type', {}, { type: 'x' }, ['type']],
  ])('refuses %s, and changes nothing', async (_, before, changes, paths) => {
    const { scorer, answer } = await patched(before, { name: 'Half', ...changes });
    expectInvalid(answer, ...paths);
    expectData(await client('GET', `/v1/scorers/${scorer.id}`), 200, scorer);
  });

  const patchAny = async (fields: object) => (await patched(dual, fields)).answer;
  testFields(patchAny, {
    name: NAMES,
    dual_sided: SWITCHES,
    precision_threshold: SIDE_SHARES,
    recall_threshold: SIDE_SHARES,
  });

  test('never changes id, project or times on request', async () => {
    const forged = { id: 'x', project_id: 'x', project_slug: 'x', created_at: 'x', updated_at: 'x' };
    const { scorer, answer } = await patched({}, forged);
    expectData(answer, 200, {
      ...scorer,
      updated_at: answer.body.data.updated_at,
    });
    expect((await client('GET', `/v1/scorers/${scorer.id}`)).status).toBe(200);
  });

  test('keeps all of several changes made at the same time', async () => {
    const { id } = await makeScorer(client, project, dual);
    const changes = [
      { name: 'P' },
      { precision_threshold: 1 },
      { recall_threshold: 0 },
      { config: { case_sensitive: false } },
    ];
    const answers = await Promise.all(changes.map((change) => client('PATCH', `/v1/scorers/${id}`, change)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await client('GET', `/v1/scorers/${id}`)).body.data).toMatchObject(Object.assign({}, ...changes));
  });
});
