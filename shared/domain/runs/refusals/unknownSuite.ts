import { AppError } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import type { ProjectReader, SuiteReader } from '../../suites/ports.ts';
import { type ResolvedSuite, resolveSuite } from '../../suites/resolveSuite.ts';
import { isSlug } from '../../suites/slugs.ts';

type Deps = { projects: ProjectReader; suites: SuiteReader };
type Requested = { suite: string; project?: string | undefined };

const SUITES_NAMED_MAX = 20;
const PROJECTS_READ_MAX = 10;

/** The suite that a run names. Where there is none, the error says which ones the credential may run. */
export async function suiteOfRun(
  deps: Deps,
  principal: Principal,
  wanted: Requested,
): Promise<ResolvedSuite> {
  try {
    return await resolveSuite(deps, principal, wanted);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    const suites = await slugsFor(deps, principal, wanted.project);
    throw new AppError(error.code, error.message, { suites });
  }
}

/** Does not depend on the slug that was asked for: what may not be seen is answered as what is not there. */
async function slugsFor(deps: Deps, principal: Principal, project: string | undefined): Promise<string[]> {
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
  wanted: string | undefined,
): Promise<string[]> {
  const named = wanted !== undefined && isSlug(wanted) ? await projects.head(orgId, wanted) : undefined;
  if (named !== undefined && (projectId === null || projectId === named.id)) return [named.id];
  if (projectId !== null) return (await projects.find(orgId, projectId)) === undefined ? [] : [projectId];
  const { items } = await projects.page(orgId, { page: 1, pageSize: PROJECTS_READ_MAX });
  return items.map(({ id }) => id);
}
