import { LIMIT } from '../../shared/domain/limits.ts';
import { appendToList, idsOf, readList } from '../../shared/storage/lists/lists.ts';
import { retryOnConflict } from '../../shared/storage/table/backoff.ts';
import { chunksOf } from '../../shared/storage/table/batches.ts';
import {
  caseKey,
  caseList,
  type Key,
  type ListAddress,
  projectKey,
  projectList,
  scorerKey,
  scorerList,
  suiteKey,
  suiteList,
  TTL,
} from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import type { Tables } from './copy.ts';

const IDS_AT_ONCE = 100;

export interface ListOf {
  readonly list: ListAddress;
  readonly keyOf: (id: string) => Key;
  readonly limit: number;
}

export const listOfProjects = (orgId: string): ListOf => ({
  list: projectList(orgId),
  keyOf: (id) => projectKey(orgId, id),
  limit: LIMIT.projects,
});

export const listOfScorers = (orgId: string, projectId: string): ListOf => ({
  list: scorerList(orgId, projectId),
  keyOf: (id) => scorerKey(orgId, id),
  limit: LIMIT.scorers,
});

export const listsOfProject = (orgId: string, projectId: string): readonly ListOf[] => [
  { list: suiteList(orgId, projectId), keyOf: (id) => suiteKey(orgId, id), limit: LIMIT.suites },
  listOfScorers(orgId, projectId),
];

export const listOfCases = (orgId: string, suiteId: string): ListOf => ({
  list: caseList(orgId, suiteId),
  keyOf: (id) => caseKey(orgId, suiteId, id),
  limit: LIMIT.cases,
});

/**
 * What is listed stays in its order; what was listed then and exists again follows it. Throws where the list would hold
 * more than its limit.
 */
export async function restoreList({ from, to }: Tables, { list, keyOf, limit }: ListOf): Promise<void> {
  await dropExpiring(to, list);
  const wanted = idsOf(await readList(from, list));
  const listed = new Set(idsOf(await readList(to, list)));
  const missing = wanted.filter((id) => !listed.has(id));
  const items = await to.getMany(missing.map(keyOf));
  const back = missing.filter((_, index) => items[index] !== undefined);
  if (listed.size + back.length > limit)
    throw new Error(`${list.pk} ${list.prefix} would hold more than ${limit}: delete some first`);
  for (const ids of chunksOf(back, IDS_AT_ONCE)) {
    await retryOnConflict(async () => {
      const append = appendToList(list, await readList(to, list), ids, limit);
      return (await to.transact({ append })).committed || undefined;
    }, to.backoff);
  }
}

/** Blocks of a list whose parent was deleted. */
async function dropExpiring(to: Table, list: ListAddress): Promise<void> {
  const blocks = await to.query(list);
  for (const { pk, sk, [TTL]: expiresAt } of blocks) {
    if (typeof expiresAt !== 'number') continue;
    await to.delete(
      { pk: String(pk), sk: String(sk) },
      { ConditionExpression: `${TTL} = :expires`, ExpressionAttributeValues: { ':expires': expiresAt } },
    );
  }
}
