import { describe, expect, test } from '@jest/globals';
import { templates } from '../../../shared/domain/templates/index.ts';
import { api, sharedServiceUrl } from '../../support/api.ts';
import { expectData, expectNotFound, UUID } from '../../support/expectations.ts';

const anyone = api(sharedServiceUrl());

const SCORER_TYPE = expect.stringMatching(/^(exact_match|regex|json_schema|contains|llm_judge)$/);

describe('GET /v1/templates', () => {
  test('shows anyone all six templates with every field, in sort order', async () => {
    const answer = await anyone('GET', '/v1/templates');
    expectData(answer, 200, templates);
    const { data } = answer.body;
    expect(data.map(({ slug, category }: Record<string, unknown>) => [slug, category])).toEqual([
      ['rag-faithfulness', 'rag'],
      ['chatbot-tone-escalation', 'chatbot'],
      ['classification-routing', 'classification'],
      ['code-review', 'code'],
      ['json-schema-extraction', 'extraction'],
      ['llm-judge-general', 'general'],
    ]);
    const orders = data.map(({ sort_order }: { sort_order: number }) => sort_order);
    expect(orders).toEqual([...orders].sort((a, b) => a - b));
    for (const template of data) {
      expect(template).toEqual({
        id: UUID,
        name: expect.any(String),
        slug: expect.any(String),
        description: expect.any(String),
        category: expect.any(String),
        sort_order: expect.any(Number),
        cases: expect.any(Array),
      });
      for (const each of template.cases) {
        expect(each).toEqual({
          name: expect.any(String),
          description: expect.any(String),
          scorer_type: SCORER_TYPE,
          scorer_config: expect.any(Object),
          threshold: expect.any(Number),
          ...(each.must_pass !== undefined && { must_pass: true }),
        });
      }
    }
  });
});

describe('GET /v1/templates/:slug', () => {
  test.each(templates.map(({ slug }) => slug))('shows anyone %s, as it is in the list', async (slug) => {
    const template = templates.find((candidate) => candidate.slug === slug);
    expectData(await anyone('GET', `/v1/templates/${slug}`), 200, template);
  });

  test.each([
    'no-such',
    'CODE-REVIEW',
    '__proto__',
    'constructor',
    '0',
    '%00',
    '%F0%9F%8E%89',
    'code-review%20',
  ])('is 404 for %s', async (slug) => {
    expectNotFound(await anyone('GET', `/v1/templates/${slug}`));
  });
});
