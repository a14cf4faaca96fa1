import { keysOfProject, keysOfSuite } from '../../shared/storage/lists/heldKeys.ts';
import {
  PK,
  projectPartition,
  purgeKey,
  runKey,
  scorerKey,
  suitePartition,
} from '../../shared/storage/table/keys.ts';
import type { Item, Table } from '../../shared/storage/table/table.ts';
import { copyPartition, putAllBack, putBack, type Tables } from './copy.ts';
import { placesOf, type StoredHead } from './places.ts';
import { type RestoredKeys, restoreKeys } from './restoreKeys.ts';
import { listOfCases, listOfProjects, listOfScorers, listsOfProject, restoreList } from './restoreLists.ts';

export interface Restored {
  readonly itemsBack: number;
  /** Sentences about what could not be restored. */
  readonly left: readonly string[];
}

/**
 * A revision that no edit since then has used: functions and dictionaries know a suite's content by its revision.
 */
const REVISIONS_AHEAD = 1_000_000;

/**
 * Puts back the projects, suites, cases, scorers, runs and results that an organisation had and that were deleted since.
 * What exists is left as it is, and so are credentials, plan, usage and what is under way. It reads the organisation's
 * keys, of the restored table and of the one in use, and may be repeated.
 */
export async function restoreOrganisation(tables: Tables, orgId: string): Promise<Restored> {
  const { from, to } = tables;
  const places = await placesOf(from, orgId);
  const left: string[] = [];
  const isFree = async (kind: string, { key, id, item }: StoredHead, idField: string): Promise<boolean> => {
    const there = await to.get(key);
    if (there === undefined || there[idField] === id) return true;
    left.push(`The ${kind} "${item.slug}" (${id}) stays deleted: another one has its slug.`);
    return false;
  };
  const projects = await only(places.projects, (project) => isFree('project', project, 'id'));
  const projectIds = new Set(projects.map(({ id }) => id));
  const candidates = places.suites.filter(({ projectId }) => projectIds.has(projectId));
  const suites = await only(candidates, (suite) => isFree('suite', suite, 'suite_id'));

  let itemsBack = 0;
  const restoredKeys: RestoredKeys[] = [];
  for (const { id, scorerIds } of projects) {
    await endPurge(to, orgId, 'project', id);
    itemsBack += await copyPartition(tables, projectPartition(orgId, id));
    for (const scorerId of scorerIds) itemsBack += await copyPartition(tables, scorerKey(orgId, scorerId).pk);
  }
  for (const id of places.deletedSuiteIds)
    itemsBack += await copyPartition(tables, suitePartition(orgId, id));
  for (const { id } of suites) {
    await endPurge(to, orgId, 'suite', id);
    itemsBack += await copyPartition(tables, suitePartition(orgId, id));
    await restoreList(tables, listOfCases(orgId, id));
    restoredKeys.push(await restoreKeys(to, keysOfSuite(orgId, id), listOfCases(orgId, id)));
  }
  const suiteIds = new Set(suites.map(({ id }) => id));
  itemsBack += await putAllBack(
    to,
    places.casePointers.filter(({ suite_id }) => suiteIds.has(String(suite_id))),
  );
  for (const project of projects) itemsBack += await restoreHead(to, project, 'scorers_revision', {});
  for (const suite of suites)
    itemsBack += await restoreHead(to, suite, 'revision', await afterNewestRun(to, orgId, suite));
  for (const { id } of projects) {
    for (const list of listsOfProject(orgId, id)) await restoreList(tables, list);
    restoredKeys.push(await restoreKeys(to, keysOfProject(orgId, id), listOfScorers(orgId, id)));
  }
  await restoreList(tables, listOfProjects(orgId));
  for (const keys of restoredKeys) {
    itemsBack += keys.itemsBack;
    left.push(...keys.left);
  }
  return { itemsBack, left };
}

async function only<T>(all: readonly T[], holds: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const one of all) if (await holds(one)) kept.push(one);
  return kept;
}

/** A purge that goes on would give what is put back a time to live again. */
async function endPurge(to: Table, orgId: string, kind: 'project' | 'suite', id: string): Promise<void> {
  const key = purgeKey(orgId, kind, id);
  await to.delete(key, {
    ConditionExpression: `${PK} = :pk`,
    ExpressionAttributeValues: { ':pk': key.pk },
  });
}

/** Runs since the moment of the restored table keep their numbers: the next one comes after them. */
async function afterNewestRun(to: Table, orgId: string, { id, item }: StoredHead): Promise<Item> {
  const pk = suitePartition(orgId, id);
  const prefix = runKey(orgId, id, 0).sk.replace(/\d+$/, '');
  const [newest] = await to.query({ pk, prefix }, { newestFirst: true, limit: 1 });
  const number = newest === undefined ? 0 : Number(String(newest.sk).slice(prefix.length));
  if (newest === undefined || number <= Number(item.run_count)) return {};
  return { run_count: number, last_run_at: newest.ordered_at ?? newest.created_at };
}

/** The head that is missing, or of one that is there a new revision: what belongs to it may have come back. */
async function restoreHead(
  to: Table,
  { key, item }: StoredHead,
  revision: 'revision' | 'scorers_revision',
  newer: Item,
): Promise<number> {
  const ahead = { [revision]: Number(item[revision]) + REVISIONS_AHEAD };
  const { isBack } = await putBack(to, { ...item, ...newer, ...ahead });
  if (isBack) return 1;
  await to.update({
    Key: { ...key },
    UpdateExpression: `ADD ${revision} :one`,
    ConditionExpression: `attribute_exists(${PK})`,
    ExpressionAttributeValues: { ':one': 1 },
  });
  return 0;
}
