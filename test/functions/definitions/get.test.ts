import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sentDefinitionSchema } from '../../../shared/contracts/definitions.ts';
import { documentDigest } from '../../../shared/scoring/digest/documents.ts';
import { api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeCase, makeProject, makeScorer, makeSuite } from '../../support/builders.ts';
import { expectData, expectNotFound } from '../../support/expectations.ts';
import { type Gate, makeGate } from '../runs/gate.ts';

const url = sharedServiceUrl();

let gate: Gate;
beforeEach(async () => {
  gate = await makeGate(url, { name: 'Returns', slug: 'returns', pass_threshold: 0.9 });
});

const pathOf = ({ project, suite }: Pick<Gate, 'project' | 'suite'> = gate) =>
  `/v1/projects/${project.slug}/suites/${suite.slug}/definition`;

async function definition(client = gate.client) {
  const answer = await client('GET', pathOf());
  expect(answer.status).toBe(200);
  return answer.body.data;
}

test('GET /v1/projects/:slug/suites/:suiteSlug/definition answers the suite as one document', async () => {
  const { client, project, suite } = gate;
  const says = await makeScorer(client, project, {
    key: 'constructor',
    name: 'Says it',
    type: 'contains',
    config: { values: ['30 days'], mode: 'all' },
  });
  const equal = await makeScorer(client, project, { key: 'equal', name: 'equal' });
  await makeScorer(client, project, { key: 'unused' });
  await makeCase(client, suite, says, { key: 'window', name: 'Return window', input: { q: '?' }, weight: 2 });
  await makeCase(client, suite, equal, { key: 'old', name: 'old', expected: ['no'], is_active: false });
  await client('PATCH', `/v1/projects/${project.slug}/suites/${suite.slug}`, {
    gates: { min_judged_cases: 1 },
  });
  const answered = await definition();
  const expected = {
    version: 1,
    suite: 'returns',
    name: 'Returns',
    pass_threshold: 0.9,
    gates: { min_judged_cases: 1 },
    show_inputs: false,
    scorers: {
      constructor: { type: 'contains', name: 'Says it', config: { values: ['30 days'] } },
      equal: { type: 'exact_match', config: {} },
    },
    cases: [
      { key: 'window', scorer: 'constructor', input: { q: '?' }, name: 'Return window', weight: 2 },
      { key: 'old', scorer: 'equal', input: {}, expected: ['no'], is_active: false },
    ],
  };
  expect(answered).toEqual({
    definition_version: expect.any(Number),
    definition_digest: `sha256:${documentDigest(expected)}`,
    suite_digest: (await client('GET', `/v1/suites/${suite.id}/revision`)).body.data.digest,
    last_push: null,
    definition: expected,
  });
  expect(sentDefinitionSchema.safeParse(answered.definition).success).toBe(true);
});

test('an empty suite has no scorers and no cases', async () => {
  const { definition: empty } = await definition();
  expect(empty).toEqual({
    version: 1,
    suite: 'returns',
    name: 'Returns',
    pass_threshold: 0.9,
    show_inputs: false,
    scorers: {},
    cases: [],
  });
});

test('a case whose scorer was deleted has none', async () => {
  const { scorer_id } = await gate.add({}, { key: 'left' });
  await gate.client('DELETE', `/v1/scorers/${scorer_id}`);
  const answered = await definition();
  expect(answered.definition).toMatchObject({ scorers: {}, cases: [{ key: 'left', scorer: null }] });
  const revision = await gate.client('GET', `/v1/suites/${gate.suite.id}/revision`);
  expect(answered.suite_digest).toBe(revision.body.data.digest);
});

test('an expected value that lies apart from its case is in it', async () => {
  const large = { input: { a: 'a'.repeat(250_000) }, expected: 'b'.repeat(250_000) };
  await gate.add({}, large);
  expect((await definition()).definition.cases[0]).toMatchObject(large);
});

describe('its version grows with every write to', () => {
  const edits: Readonly<Record<string, (first: { id: string; scorer_id: string }) => Promise<unknown>>> = {
    'the suite': () => gate.client('PATCH', pathOf().replace('/definition', ''), { description: 'new' }),
    'a case': ({ id }) => gate.client('PATCH', `/v1/cases/${id}`, { description: 'new' }),
    'their number': () => gate.add({}),
    'their order': async ({ id }) => {
      const other = await gate.add({});
      const case_ids = [other.id, id];
      return gate.client('POST', `/v1/suites/${gate.suite.id}/cases/reorder`, { case_ids });
    },
    'a scorer': ({ scorer_id }) => gate.client('PATCH', `/v1/scorers/${scorer_id}`, { name: 'new' }),
  };
  test.each(Object.entries(edits))('%s, and with nothing else', async (_, edit) => {
    const first = await gate.add({});
    const before = await definition();
    await gate.run('ok');
    expect(await definition()).toEqual(before);
    await edit(first);
    const after = await definition();
    expect(after.definition_version).toBeGreaterThan(before.definition_version);
    expect(after.definition_digest).not.toBe(before.definition_digest);
  });

  test('a scorer that several suites use, in each of them', async () => {
    const { client, project } = gate;
    const { scorer_id } = await gate.add({});
    const suite = await makeSuite(client, project, { name: 'Other' });
    await makeCase(client, suite, { id: scorer_id });
    const both = () =>
      Promise.all(
        [gate.suite, suite].map(
          async (one) => (await client('GET', pathOf({ project, suite: one }))).body.data,
        ),
      );
    const before = await both();
    await client('PATCH', `/v1/scorers/${scorer_id}`, { config: { values: ['other'] } });
    for (const [index, after] of (await both()).entries()) {
      expect(after.definition_version).toBeGreaterThan(before[index].definition_version);
      expect(after.suite_digest).not.toBe(before[index].suite_digest);
    }
  });
});

test('a scorer that no case uses moves the version only', async () => {
  await gate.add({});
  const before = await definition();
  await makeScorer(gate.client, gate.project);
  const { definition_version: version, ...after } = await definition();
  expect({ ...before, definition_version: version }).toEqual({ ...after, definition_version: version });
  expect(version).toBeGreaterThan(before.definition_version);
});

test('a missing definition is 404, and so is one that belongs to others', async () => {
  const { client } = gate;
  const other = await makeProject(client, { name: 'Other' });
  const { body } = await client('POST', '/v1/api-keys', { name: 'A key', project: other.slug });
  const stranger = await signUp(url);
  for (const reader of [api(url, body.data.key), stranger]) expectNotFound(await reader('GET', pathOf()));
  const slug = `s-${randomUUID()}`;
  expectNotFound(await client('GET', pathOf({ ...gate, suite: { ...gate.suite, slug } })));
  expectNotFound(await client('GET', pathOf({ ...gate, project: other })));
});

test('a definition of more than 6 MB is answered compressed', async () => {
  const { client, project, suite } = gate;
  const scorer = await makeScorer(client, project);
  for (let n = 0; n < 14; n++) {
    await makeCase(client, suite, scorer, {
      key: `c${n}`,
      expected: 'é'.repeat(120_000),
      input: { a: 'b'.repeat(250_000) },
    });
  }
  const { definition: whole } = await definition();
  expect(whole.cases).toHaveLength(14);
  const plain = await client('GET', pathOf(), undefined, { 'accept-encoding': 'identity' });
  expect(plain.status).toBe(400);
  expect(plain.body.error.details.issues).toEqual([
    { path: 'suite', message: expect.stringContaining('Accept-Encoding: gzip') },
  ]);
  expectData(await client('GET', `/v1/suites/${suite.id}/revision`), 200, expect.anything());
});
