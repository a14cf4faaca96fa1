import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { suiteStore } from '../../../shared/storage/suites/suites.ts';
import { suiteHeadKey } from '../../../shared/storage/table/keys.ts';
import { type Api, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid } from '../../support/expectations.ts';
import { type OwnService, startOwnService } from '../../support/ownService.ts';

let service: OwnService;
let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let [project, suite]: any[] = [];
beforeAll(async () => {
  service = await startOwnService();
  client = await signUp(service.baseUrl);
  project = await makeProject(client);
});
afterAll(() => service.stop());
beforeEach(async () => {
  suite = await makeSuite(client, project);
});

const create = (fields: object) =>
  client('POST', `/v1/projects/${project.slug}/suites`, { name: 'A suite', ...fields });
const pathOf = ({ slug }: { slug: string }) => `/v1/projects/${project.slug}/suites/${slug}`;
const patch = (body: unknown) => client('PATCH', pathOf(suite), body);
const current = async () => (await client('GET', pathOf(suite))).body.data;

const gateOf = (tag: unknown, fields: object = {}) => ({ tag, pass_threshold: 1, ...fields });
const GATES_50 = Array.from({ length: 50 }, (_, index) => gateOf(`t${index}`, { min_judged_cases: 1 }));
const ALL = {
  min_judged_cases: 20,
  min_lower_bound: 0.8,
  tags: [gateOf('safety', { min_judged_cases: 5 })],
  max_newly_failing: 0,
  regression: { alpha: 0.01, min_drop: 0.05 },
  min_comparable: 0.9,
};

const BAD: readonly (readonly [title: string, fields: object, path: string])[] = [
  ['a field that it does not know', { gates: { tagz: [] } }, 'gates.tagz'],
  [
    'an unknown field of a tag',
    { gates: { tags: [gateOf('a', { threshold: 1 })] } },
    'gates.tags.0.threshold',
  ],
  ['gates that are null', { gates: null }, 'gates'],
  ['gates that are a list', { gates: [] }, 'gates'],
  ['min_judged_cases of 0', { gates: { min_judged_cases: 0 } }, 'gates.min_judged_cases'],
  ['min_judged_cases of 10,001', { gates: { min_judged_cases: 10_001 } }, 'gates.min_judged_cases'],
  ['min_judged_cases of 1.5', { gates: { min_judged_cases: 1.5 } }, 'gates.min_judged_cases'],
  ['min_lower_bound above 1', { gates: { min_lower_bound: 1.01 } }, 'gates.min_lower_bound'],
  ['min_lower_bound that is a text', { gates: { min_lower_bound: '0.8' } }, 'gates.min_lower_bound'],
  ['a part of a newly failing case', { gates: { max_newly_failing: 0.5 } }, 'gates.max_newly_failing'],
  ['an alpha of 0', { gates: { regression: { alpha: 0 } } }, 'gates.regression.alpha'],
  ['a misspelt field of a regression', { gates: { regression: { drop: 1 } } }, 'gates.regression.drop'],
  ['nothing that has to be comparable', { gates: { min_comparable: 0 } }, 'gates.min_comparable'],
  ['51 tags', { gates: { tags: [...GATES_50, gateOf('more')] } }, 'gates.tags'],
  ['a tag twice', { gates: { tags: [gateOf('a'), gateOf('a', { pass_threshold: 0 })] } }, 'gates.tags'],
  ['a tag that is no slug', { gates: { tags: [gateOf('A B')] } }, 'gates.tags.0.tag'],
  ['a tag of 51 characters', { gates: { tags: [gateOf('t'.repeat(51))] } }, 'gates.tags.0.tag'],
  ['a tag without pass_threshold', { gates: { tags: [{ tag: 'a' }] } }, 'gates.tags.0.pass_threshold'],
  ['keep_outputs that is unknown', { keep_outputs: 'some' }, 'keep_outputs'],
  ['keep_outputs that is null', { keep_outputs: null }, 'keep_outputs'],
  ['show_expected that is a text', { show_expected: 'true' }, 'show_expected'],
  ['show_inputs that is a text', { show_inputs: 'true' }, 'show_inputs'],
  ['show_results that is a text', { show_results: 'false' }, 'show_results'],
];

test.each(BAD)(
  'a suite is refused with %s, when it is made and when it is changed',
  async (_, fields, path) => {
    expectInvalid(await create(fields), path);
    expectInvalid(await patch(fields), path);
    expect(await current()).toEqual(suite);
  },
);

test('every unknown gate is named', async () => {
  expectInvalid(await patch({ gates: { tagz: [], max: 1 } }), 'gates.tagz', 'gates.max');
});

describe('gates', () => {
  test.each([
    ['all of them', ALL],
    ['none', {}],
    ['50 tags', { tags: GATES_50 }],
    ['no tags', { tags: [] }],
    [
      'the edges',
      {
        min_judged_cases: 10_000,
        min_lower_bound: 0,
        tags: [gateOf('t'.repeat(50), { min_judged_cases: 1 })],
      },
    ],
  ])('are kept as they are sent, and can be sent back: %s', async (_, gates) => {
    expect((await create({ gates })).body.data.gates).toEqual(gates);
    const answer = await patch({ gates });
    expectData(answer, 200, {
      ...suite,
      gates,
      version: suite.version + 1,
      updated_at: answer.body.data.updated_at,
    });
    expect(await current()).toEqual(answer.body.data);
    expect((await patch(await current())).body.data.gates).toEqual(gates);
  });

  test('are replaced as a whole, and stay when others are changed', async () => {
    await patch({ gates: ALL });
    expect((await patch({ name: 'Renamed' })).body.data.gates).toEqual(ALL);
    expect((await patch({ gates: { min_lower_bound: 0.5 } })).body.data.gates).toEqual({
      min_lower_bound: 0.5,
    });
  });

  test('that are null are not wanted, and not stored', async () => {
    const compared = { max_newly_failing: null, regression: null, min_comparable: null };
    const sent = { ...ALL, min_judged_cases: null, tags: null, ...compared };
    expect((await create({ gates: sent })).body.data.gates).toEqual({ min_lower_bound: 0.8 });
    expect((await patch({ gates: sent })).body.data.gates).toEqual({ min_lower_bound: 0.8 });
    const stored = await suiteStore(service.table).find(project.org_id, suite.id);
    expect(stored?.gates).toEqual({ min_lower_bound: 0.8 });
  });

  test('of a tag need one judged case unless they say another number', async () => {
    expect((await patch({ gates: { tags: [gateOf('a')] } })).body.data.gates).toEqual({
      tags: [gateOf('a', { min_judged_cases: 1 })],
    });
  });
});

test('each of the fields makes a new revision, as every edit does', async () => {
  const revision = async () =>
    Number((await service.table.get(suiteHeadKey(project.org_id, suite.slug, project.id)))?.revision);
  for (const fields of [
    { gates: ALL },
    { keep_outputs: 'all' },
    { show_expected: true },
    { show_inputs: true },
    { show_results: false },
  ]) {
    const before = await revision();
    expect((await patch(fields)).body.data).toMatchObject(fields);
    expect(await revision()).toBe(before + 1);
  }
});
