import { invalidField, notFound } from '../errors.ts';
import type { Principal } from '../principal.ts';
import type { ProjectReader, SuiteReader } from './ports.ts';
import { isSlug } from './slugs.ts';
import type { ProjectHead, StoredSuite, SuiteHead } from './stored.ts';

type Deps = { projects: ProjectReader; suites: SuiteReader };

export interface ResolvedSuite {
  readonly head: SuiteHead;
  readonly project: ProjectHead;
}

/** The one suite that a request names. A slug that several projects use needs `project`. */
export async function resolveSuite(
  deps: Deps,
  principal: Principal,
  requested: { suite: string; project?: string | undefined },
): Promise<ResolvedSuite> {
  const { orgId, projectId } = principal;
  if (!isSlug(requested.suite)) throw notFound('suite');
  const heads = await deps.suites.headsOfSlug(orgId, requested.suite);
  const matching = heads.filter(
    (head) =>
      (requested.project === undefined || head.projectSlug === requested.project) &&
      (projectId === null || head.projectId === projectId),
  );
  const live = (await Promise.all(matching.map((head) => withLiveProject(deps, orgId, head)))).filter(
    (resolved) => resolved !== undefined,
  );
  const [only] = live;
  if (only === undefined) throw notFound('suite');
  if (live.length > 1) {
    const slugs = live.map(({ project }) => project.slug).join(', ');
    throw invalidField(
      'project',
      `must be given: several projects have a suite "${requested.suite}" (${slugs})`,
    );
  }
  return only;
}

/** The head of a suite whose project was deleted would still be found by its slug: it is removed here. */
async function withLiveProject(
  { projects, suites }: Deps,
  orgId: string,
  head: SuiteHead,
): Promise<ResolvedSuite | undefined> {
  const project = await projects.head(orgId, head.projectSlug);
  if (project?.id === head.projectId) return { head, project };
  await suites.removeHead(orgId, head);
  return undefined;
}

/** 404 where one of them is gone. The suite's head is read first: see `pair.ts`. */
export async function headsOf(
  { suites, projects }: Deps,
  { orgId }: Pick<Principal, 'orgId'>,
  { id, slug, project_id, project_slug }: StoredSuite,
): Promise<ResolvedSuite> {
  const head = await suites.head(orgId, slug, project_id);
  const project = await projects.head(orgId, project_slug);
  if (head?.suiteId !== id || project?.id !== project_id) throw notFound('suite');
  return { head, project };
}
