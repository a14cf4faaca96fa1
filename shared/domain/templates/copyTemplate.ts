import type { EvalCase } from '../../contracts/cases.ts';
import type { Scorer } from '../../contracts/scorers.ts';
import type { Template } from '../../contracts/templates.ts';
import { notFound } from '../errors.ts';
import { LIMIT, limitRefusal } from '../limits.ts';
import type { Principal } from '../principal.ts';
import { memberId } from '../revisions/ids.ts';
import { liveProjectHead } from '../suites/access/live.ts';
import { type CurrentSuite, currentProject } from '../suites/chains/chains.ts';
import { editedProject, editedSuite } from '../suites/chains/memberEdits.ts';
import { requestedCase, requestedScorer } from '../suites/chains/members.ts';
import { PLAIN_RULES } from '../suites/gates/rules.ts';
import { freeSlugs } from '../suites/slugs.ts';
import type { ProjectHead, StoredSuite } from '../suites/stored.ts';
import { createSuiteIn, type SuiteDeps } from '../suites/suites.ts';
import { templates } from './index.ts';

type TemplateCase = Template['cases'][number];

/** Copies a template: a suite with a scorer and a case for each case of the template, all at one moment. */
export async function createSuiteFromTemplate(
  deps: SuiteDeps,
  principal: Principal,
  projectSlug: string,
  requested: { template_slug: string; name?: string | undefined; slug?: string | undefined },
): Promise<StoredSuite> {
  const project = await liveProjectHead(deps, principal, projectSlug);
  const template = templates.find((candidate) => candidate.slug === requested.template_slug);
  if (template === undefined) throw notFound('template');
  const suite = {
    name: requested.name ?? template.name,
    slugFrom: requested.name ?? template.slug,
    slug: requested.slug,
    description: template.description,
    pass_threshold: 1,
  };
  return createSuiteIn(deps, principal, project, {
    ...suite,
    contents: (none, project) => contentsOf(template, none, { deps, orgId: principal.orgId, project }),
  });
}

const CREATED = { action: 'created', target: { type: 'suite' } } as const;

/** Numbered on from those that there are. */
async function contentsOf(
  template: Template,
  none: CurrentSuite,
  { deps, orgId, project }: { deps: SuiteDeps; orgId: string; project: ProjectHead },
): ReturnType<NonNullable<Parameters<typeof createSuiteIn>[3]['contents']>> {
  const { newId } = deps;
  const { suite } = none.revision.fields;
  const present = await currentProject(deps.chains, orgId, project);
  const rows = await present.members();
  if (rows.length + template.cases.length > LIMIT.scorers) throw limitRefusal('limit_reached', 'scorers');
  const names = template.cases.map(({ name }) => name);
  const scorerKeys = await freeSlugs('scorer', names, { newId, taken: rows.map(({ row }) => row.key) });
  const caseKeys = await freeSlugs('case', names, { newId, taken: [] });
  const members = template.cases.map((source, index) => {
    const number = present.revision.lastNumber + 1 + index;
    const scorerId = memberId(project.id, number);
    const scorer = scorerFrom(source, suite, { id: scorerId, key: scorerKeys[index] ?? scorerId });
    const id = memberId(suite.id, index + 1);
    const evalCase = caseFrom(source, suite, { id, key: caseKeys[index] ?? id, index, scorerId });
    return {
      scorer: {
        number,
        before: undefined,
        after: requestedScorer({ ...scorer, project_slug: project.slug }),
      },
      evalCase: { number: index + 1, before: undefined, after: requestedCase(evalCase) },
    };
  });
  return {
    edited: await editedSuite(none, { act: CREATED, cases: members.map(({ evalCase }) => evalCase) }),
    scorers: {
      present,
      edited: editedProject(
        present,
        CREATED,
        members.map(({ scorer }) => scorer),
      ),
    },
  };
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
    version: 1,
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
    must_pass: source.must_pass ?? false,
    sort_order: index,
    created_at: suite.created_at,
    updated_at: suite.created_at,
  };
}
