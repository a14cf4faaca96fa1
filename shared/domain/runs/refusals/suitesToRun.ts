import type { Principal } from '../../principal.ts';
import type { ProjectReader, SuiteReader } from '../../suites/ports.ts';
import { isSlug } from '../../suites/slugs.ts';

type Deps = { projects: ProjectReader; suites: SuiteReader };

const SUITES_NAMED_MAX = 20;
const PROJECTS_READ_MAX = 10;

/** Does not depend on the slug that was asked for: what may not be seen is answered as what is not there. */
export async function suitesToRun(
  deps: Deps,
  principal: Principal,
  project: string | undefined,
): Promise<string[]> {
  const { orgId } = principal;
  const slugs = new Set<string>();
  for (const projectId of await projectsOf(deps, principal, project)) {
    const { items } = await deps.suites.page(orgId, projectId, { page: 1, pageSize: SUITES_NAMED_MAX });
    for (const { slug } of items) slugs.add(slug);
    if (slugs.size >= SUITES_NAMED_MAX) break;
  }
  return [...slugs].slice(0, SUITES_NAMED_MAX).sort();
}

/** The one that the request names, if the credential may use it; else the newest of those that it may use. */
async function projectsOf(
  { projects }: Deps,
  { orgId, projectId }: Principal,
  requestedSlug: string | undefined,
): Promise<string[]> {
  const named =
    requestedSlug !== undefined && isSlug(requestedSlug)
      ? await projects.head(orgId, requestedSlug)
      : undefined;
  if (named !== undefined && (projectId === null || projectId === named.id)) return [named.id];
  if (projectId !== null) return (await projects.find(orgId, projectId)) === undefined ? [] : [projectId];
  const { items } = await projects.page(orgId, { page: 1, pageSize: PROJECTS_READ_MAX });
  return items.map(({ id }) => id);
}
