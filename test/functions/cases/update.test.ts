import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound, nextMillisecond } from '../../support/expectations.ts';
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
let [project, suite, scorer, evalCase]: any[] = [];
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
  [suite, scorer] = [await makeSuite(client, project), await makeScorer(client, project)];
  const fields = { description: 'before', input: { q: 1 }, expected: { a: 1 }, threshold: 0.25, weight: 4 };
  evalCase = await makeCase(client, suite, scorer, fields);
  // Without an active case each write is answered with a warning.
  await makeCase(client, suite, scorer, { name: 'Beside' });
});

const patch = (body: unknown) => client('PATCH', `/v1/cases/${evalCase.id}`, body);
const current = async () => (await client('GET', `/v1/cases/${evalCase.id}`)).body.data;

describe('PATCH /v1/cases/:caseId', () => {
  test.each([
    ['the name', { name: 'After' }],
    ['the description', { description: 'after' }],
    ['the description to null', { description: null }],
    ['the input, whole and not merged', { input: { other: true } }],
    ['the input to an empty one', { input: {} }],
    ['the expected', { expected: ['after'] }],
    ['the expected to null', { expected: null }],
    ['the expected to false', { expected: false }],
    ['the threshold', { threshold: 0 }],
    ['the weight', { weight: 0 }],
    ['whether it is active', { is_active: false }],
    ['the key', { key: 'another-key' }],
    ['the tags, whole and not merged', { tags: ['b', 'a'] }],
    ['the tags to none', { tags: [] }],
    ['whether it must pass', { must_pass: true }],
    ['its samples', { sample_count: 100, sample_pass_rate: 0 }],
    ['several', { name: 'Several', is_active: true, weight: 1.5 }],
  ])('changes %s and no other field, and the time of the change', async (_, changes) => {
    const before = await current();
    await nextMillisecond();
    const answer = await patch(changes);
    const { updated_at } = answer.body.data;
    expectData(answer, 200, { ...before, ...changes, updated_at });
    expect(updated_at > before.updated_at).toBe(true);
    expectData(await client('GET', `/v1/cases/${evalCase.id}`), 200, answer.body.data);
  });

  test('gives the case another scorer of its project', async () => {
    const other = await makeScorer(client, project);
    expect((await patch({ scorer_id: other.id.toUpperCase() })).body.data.scorer_id).toBe(other.id);
    expect((await current()).scorer_id).toBe(other.id);
  });

  test('is 404 for a scorer that is not in the project, and changes nothing', async () => {
    const before = await current();
    const elsewhere = await makeScorer(client, await makeProject(client));
    const stranger = await signUp(sharedServiceUrl());
    const theirs = await makeScorer(stranger, await makeProject(stranger));
    const deleted = await makeScorer(client, project);
    await client('DELETE', `/v1/scorers/${deleted.id}`);
    for (const scorer_id of [randomUUID(), elsewhere.id, theirs.id, deleted.id, suite.id]) {
      expectNotFound(await patch({ name: 'Half', scorer_id }));
    }
    expect(await current()).toEqual(before);
  });

  test('never changes id, suite, order or times on request', async () => {
    const before = await current();
    const forged = {
      id: 'x',
      suite_id: randomUUID(),
      sort_order: 7,
      created_at: 'x',
      updated_at: 'x',
      version: 0,
    };
    const answer = await patch(forged);
    expectData(answer, 200, { ...before, updated_at: answer.body.data.updated_at });
  });

  testFields(patch, {
    name: NAMES,
    description: DESCRIPTIONS,
    input: { bad: BAD_INPUTS },
    scorer_id: { bad: BAD_SCORER_IDS },
    threshold: SHARES,
    weight: WEIGHTS,
    is_active: SWITCHES,
  });

  test('refuses documents that would not be kept as sent, by name', async () => {
    const before = await current();
    expectInvalid(await patch('{"input":{"a":"\\ud800"}}'), 'input.a');
    expectInvalid(await patch('{"expected":[1e999]}'), 'expected.0');
    expectInvalid(await patch('{"expected":9007199254740993}'), 'expected');
    expectInvalid(await patch({ input: { a: 'x'.repeat(262_144) } }), 'input');
    expect(await current()).toEqual(before);
  });

  test('keeps all of many changes made at the same time', async () => {
    const changes = [
      { name: 'Parallel' },
      { description: 'parallel' },
      { input: { parallel: true } },
      { expected: 'parallel' },
      { threshold: 0.125 },
      { weight: 8 },
      { is_active: false },
    ];
    const answers = await Promise.all(changes.map(patch));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    expect(await current()).toMatchObject(Object.assign({}, ...changes));
  });
});
