import { beforeAll, describe, expect, test } from '@jest/globals';
import { PLAIN_RULES } from '../../../shared/domain/suites/gates/rules.ts';
import { templates } from '../../../shared/domain/templates/index.ts';
import { type Api, sharedServiceUrl, signUp } from '../../support/api.ts';
import { makeProject, makeSuite } from '../../support/builders.ts';
import { expectData, expectInvalid, expectNotFound, TIMESTAMP, UUID } from '../../support/expectations.ts';
import { NAMES, SLUGS, testFields } from '../../support/rules.ts';
import { newSuite } from './newSuite.ts';

let client: Api;
// biome-ignore lint/suspicious/noExplicitAny: as it came over the wire
let project: any;
beforeAll(async () => {
  client = await signUp(sharedServiceUrl());
  project = await makeProject(client);
});

const copy = (body: unknown) => client('POST', `/v1/projects/${project.slug}/suites/from-template`, body);
const listOf = async (path: string) => (await client('GET', `${path}?pageSize=100`)).body;

describe('POST /v1/projects/:slug/suites/from-template', () => {
  test.each(templates.map(({ slug }) => slug))('copies %s with its cases and scorers', async (slug) => {
    const own = await makeProject(client);
    const template = templates.find((candidate) => candidate.slug === slug)!;
    const path = `/v1/projects/${own.slug}/suites/from-template`;
    const answer = await client('POST', path, { template_slug: slug });
    const made = newSuite({
      project_id: own.id,
      name: template.name,
      slug: expect.stringMatching(/^[a-z0-9-]+$/),
    });
    expectData(answer, 201, { ...made, description: template.description });
    const suite = answer.body.data;
    expectData(await client('GET', `/v1/projects/${own.slug}/suites/${suite.slug}`), 200, suite);

    const cases = await listOf(`/v1/suites/${suite.id}/cases`);
    expect(cases.pagination.total).toBe(template.cases.length);
    expect(cases.data).toEqual(
      template.cases.map(({ name, description, threshold, must_pass = false }, index) => ({
        id: UUID,
        suite_id: suite.id,
        key: expect.stringMatching(/^[a-z0-9][a-z0-9-]*$/),
        ...PLAIN_RULES,
        must_pass,
        name,
        description,
        input: {},
        expected: null,
        scorer_id: UUID,
        threshold,
        weight: 1,
        is_active: true,
        sort_order: index,
        created_at: TIMESTAMP,
        updated_at: TIMESTAMP,
      })),
    );

    const scorers = await listOf(`/v1/projects/${own.slug}/scorers`);
    expect(scorers.pagination.total).toBe(template.cases.length);
    for (const [index, source] of template.cases.entries()) {
      const { scorer_id: id } = cases.data[index];
      const scorer = scorers.data.find((candidate: { id: string }) => candidate.id === id);
      // Names of a template differ, and the project is new.
      expect(scorer.key).toBe(cases.data[index].key);
      expect(scorer).toMatchObject({ project_id: own.id, type: source.scorer_type, dual_sided: false });
      expect(scorer.config).toMatchObject(source.scorer_config);
      expectData(await client('GET', `/v1/scorers/${id}`), 200, scorer);
      expect((await client('GET', `/v1/cases/${cases.data[index].id}`)).body.data).toEqual(cases.data[index]);
    }
  });

  test('takes another name and slug', async () => {
    const sent = { name: 'My own', slug: 'mine' };
    expect((await copy({ template_slug: 'code-review', ...sent })).body.data).toMatchObject(sent);
    expect((await copy({ template_slug: 'code-review', name: 'Name only' })).body.data.slug).toBe(
      'name-only',
    );
  });

  test('copied twice gives two suites that share nothing', async () => {
    const [one, two] = await Promise.all([
      copy({ template_slug: 'rag-faithfulness' }),
      copy({ template_slug: 'rag-faithfulness' }),
    ]);
    expect(one.body.data.slug).not.toBe(two.body.data.slug);
    const used = await Promise.all(
      [one, two].map(async ({ body }) => (await listOf(`/v1/suites/${body.data.id}/cases`)).data),
    );
    const ids = used.flat().flatMap(({ id, scorer_id }) => [id, scorer_id]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('copied often, also at once, gives each scorer a key of its own in the project, and each case in its suite', async () => {
    const own = await makeProject(client);
    const path = `/v1/projects/${own.slug}/suites/from-template`;
    const copyIt = () => client('POST', path, { template_slug: 'json-schema-extraction' });
    const answers = [await copyIt(), ...(await Promise.all(Array.from({ length: 7 }, copyIt)))];
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(201));
    const keys = (await listOf(`/v1/projects/${own.slug}/scorers`)).data.map(
      ({ key }: { key: string }) => key,
    );
    expect([keys.length, new Set(keys).size]).toEqual([64, 64]);
    for (const { body } of answers) {
      const cases = (await listOf(`/v1/suites/${body.data.id}/cases`)).data;
      const first = (await listOf(`/v1/suites/${answers[0]?.body.data.id}/cases`)).data;
      expect(cases.map(({ key }: { key: string }) => key)).toEqual(
        first.map(({ key }: { key: string }) => key),
      );
    }
  });

  test('makes copies that may be changed, and the template stays', async () => {
    const suite = (await copy({ template_slug: 'llm-judge-general' })).body.data;
    const [first] = (await listOf(`/v1/suites/${suite.id}/cases`)).data;
    await client('PATCH', `/v1/cases/${first.id}`, { name: 'Changed' });
    const template = (await client('GET', '/v1/templates/llm-judge-general')).body.data;
    expect(template.cases[0].name).toBe(first.name);
  });

  test.each([
    ['unknown', 'no-such-template'],
    ['spelled otherwise', 'Code-Review'],
    ['empty', ''],
    ['a property of every object', 'constructor'],
  ])('is 404 for a template that is %s', async (_, template_slug) => {
    expectNotFound(await copy({ template_slug }));
  });

  test.each([
    ['missing', undefined],
    ['null', null],
    ['a number', 5],
  ])('refuses a template_slug that is %s', async (_, template_slug) => {
    expectInvalid(await copy({ template_slug }), 'template_slug');
  });

  testFields((fields) => copy({ template_slug: 'code-review', ...fields }), {
    name: { bad: NAMES.bad },
    slug: { bad: SLUGS.bad },
  });

  test('leaves no scorer behind when the slug is taken', async () => {
    const own = await makeProject(client);
    await makeSuite(client, own, { slug: 'taken' });
    const path = `/v1/projects/${own.slug}/suites/from-template`;
    expectInvalid(await client('POST', path, { template_slug: 'code-review', slug: 'taken' }), 'slug');
    expect((await listOf(`/v1/projects/${own.slug}/scorers`)).pagination.total).toBe(0);
    expect((await listOf(`/v1/projects/${own.slug}/suites`)).pagination.total).toBe(1);
  });

  test('ignores unknown fields', async () => {
    const forged = { pass_threshold: 0, id: 'x', project_id: 'x', description: 'mine', cases: [] };
    const { data } = (await copy({ template_slug: 'code-review', ...forged })).body;
    expect(data).toMatchObject({ id: UUID, project_id: project.id, pass_threshold: 1 });
    expect(data.description).not.toBe('mine');
  });

  test('of a project that does not exist is 404', async () => {
    const path = '/v1/projects/no-such/suites/from-template';
    expectNotFound(await client('POST', path, { template_slug: 'code-review' }));
  });
});
