import type { EvalCase } from '../../contracts/cases.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import type { Suite } from '../../contracts/suites.ts';
import type { Template } from '../../contracts/templates.ts';
import { liveProjectHead } from '../access.ts';
import { notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { PLAIN_RULES } from '../suites/bar/rules.ts';
import type { ScorerStore, StoredSuite } from '../suites/ports.ts';
import { freeSlugs } from '../suites/slugs.ts';
import { createSuiteIn, type SuiteDeps } from '../suites/suites.ts';
import { templates } from './index.ts';

type TemplateCase = Template['cases'][number];

/** Copies a template: a suite with a scorer and a case for each case of the template, all in one transaction. */
export async function createSuiteFromTemplate(
  deps: SuiteDeps & { readonly scorers: ScorerStore },
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
  const names = template.cases.map(({ name }) => name);
  const { newId } = deps;
  const takenOfProject = (keys: readonly string[]) =>
    deps.scorers.takenKeys(principal.orgId, project.id, keys);
  const contents = async (created: StoredSuite) => {
    const scorerKeys = await freeSlugs('scorer', names, { newId, taken: takenOfProject });
    const caseKeys = await freeSlugs('case', names, { newId, taken: async () => new Set() });
    const scorers = template.cases.map((source, index) =>
      scorerFrom(source, created, { id: newId(), key: scorerKeys[index] ?? newId() }),
    );
    const cases = template.cases.map((source, index) => {
      const scorerId = scorers[index]?.id ?? '';
      return caseFrom(source, created, { id: newId(), key: caseKeys[index] ?? newId(), index, scorerId });
    });
    return { scorers, cases };
  };
  return createSuiteIn(deps, principal, project, { ...suite, contents });
}

interface Keyed {
  readonly id: string;
  readonly key: string;
}

function scorerFrom(source: TemplateCase, suite: StoredSuite, { id, key }: Keyed): Scorer {
  return {
    id,
    project_id: suite.project_id,
    key,
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
  { id, key, index, scorerId }: Keyed & { readonly index: number; readonly scorerId: string },
): EvalCase {
  return {
    id,
    suite_id: suite.id,
    key,
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
