import type { EvalCase } from '../../contracts/cases.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import type { Suite } from '../../contracts/suites.ts';
import type { Template } from '../../contracts/templates.ts';
import { liveProjectHead } from '../access.ts';
import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { templates } from '../templates/index.ts';
import type { StoredSuite } from './ports.ts';
import { PLAIN_RULES } from './rules.ts';
import { createSuiteIn, type SuiteDeps } from './suites.ts';

type TemplateCase = Template['cases'][number];

/** Copies a template: a suite with a scorer and a case for each case of the template, all in one transaction. */
export async function createSuiteFromTemplate(
  deps: SuiteDeps,
  principal: Principal,
  projectSlug: string,
  wanted: { template_slug: string; name?: string | undefined; slug?: string | undefined },
): Promise<Suite> {
  const project = await liveProjectHead(deps, principal, projectSlug);
  const template = templates.find((candidate) => candidate.slug === wanted.template_slug);
  if (template === undefined) throw notFound('template');
  const suite = {
    name: wanted.name ?? template.name,
    slugFrom: wanted.name ?? template.slug,
    slug: wanted.slug,
    description: template.description,
    pass_threshold: 1,
  };
  const contents = (created: StoredSuite) => {
    const scorers = template.cases.map((source) => scorerFrom(source, created, deps.newId));
    const cases = template.cases.map((source, index) =>
      caseFrom(source, created, { id: deps.newId(), index, scorerId: scorers[index]?.id ?? '' }),
    );
    return { scorers, cases };
  };
  return createSuiteIn(deps, principal, project, { ...suite, contents });
}

function scorerFrom(source: TemplateCase, suite: StoredSuite, newId: () => string): Scorer {
  const id = newId();
  return {
    id,
    project_id: suite.project_id,
    key: id,
    name: source.name,
    type: source.scorer_type,
    // A test proves that it is complete and compiles, so that it is not validated here.
    config: source.scorer_config,
    dual_sided: false,
    precision_threshold: null,
    recall_threshold: null,
    created_at: suite.created_at,
    updated_at: suite.created_at,
  };
}

function caseFrom(
  source: TemplateCase,
  suite: StoredSuite,
  { id, index, scorerId }: { readonly id: string; readonly index: number; readonly scorerId: string },
): EvalCase {
  return {
    id,
    suite_id: suite.id,
    key: id,
    name: source.name,
    description: source.description,
    input: {},
    expected: null,
    scorer_id: scorerId,
    threshold: source.threshold,
    weight: 1,
    is_active: true,
    ...PLAIN_RULES,
    sort_order: index,
    created_at: suite.created_at,
    updated_at: suite.created_at,
  };
}
