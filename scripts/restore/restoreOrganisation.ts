import { placeName } from '../../shared/domain/revisions/ids.ts';
import { placeKey, projectKey, purgeKey, suitePartition } from '../../shared/storage/table/keys.ts';
import { copyItems, copyPartition, type Tables } from './copy.ts';
import { type Placed, placesOf } from './places.ts';
import { type Restored, restoreCases, restoreScorers } from './restoreMembers.ts';
import { type AnyChain, restorePlace } from './restorePlace.ts';

/**
 * Puts back the projects, suites, cases, scorers, runs and results that an organisation had and that were deleted since.
 * What exists is left as it is, and so are credentials, plan, usage and what is under way. It reads the organisation's
 * keys, of the restored table and of the one in use, and may be repeated.
 */
export async function restoreOrganisation(tables: Tables, orgId: string): Promise<Restored> {
  const places = await placesOf(tables.from, orgId);
  const left: string[] = [];
  let itemsBack = 0;
  const restore = async (placed: Placed<AnyChain>, restoreMembers: () => Promise<Restored>) => {
    const { kind, id, slug } = placed.chain;
    const back = await restorePlace(tables, placed);
    if (back === undefined) {
      left.push(`The ${kind} "${slug}" (${id}) stays deleted: another one has its slug.`);
      return false;
    }
    const members = await restoreMembers();
    itemsBack += back + members.itemsBack;
    left.push(...members.left);
    return true;
  };
  const projectIds = new Set<string>();
  for (const project of places.projects) {
    if (!(await restore(project, () => restoreScorers(tables, project.chain)))) continue;
    itemsBack += await copyItems(tables, [projectKey(orgId, project.chain.id)]);
    projectIds.add(project.chain.id);
  }
  for (const suite of places.suites)
    if (projectIds.has(suite.chain.projectId)) await restore(suite, () => restoreCases(tables, suite.chain));
  for (const { id, projectId } of places.deleted)
    if (projectIds.has(projectId)) itemsBack += await restoreRuns(tables, orgId, id);
  return { itemsBack, left };
}

/** Of a suite that was deleted before: they went with its project. */
async function restoreRuns(tables: Tables, orgId: string, id: string): Promise<number> {
  const due = purgeKey(orgId, 'suite', id);
  if ((await tables.to.get(due)) !== undefined) return 0;
  const beside = [placeKey(orgId, placeName(id)), due];
  return (await copyPartition(tables, suitePartition(orgId, id))) + (await copyItems(tables, beside));
}
