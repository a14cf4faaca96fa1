import { LIMIT } from '../../domain/limits.ts';
import { suiteChain } from '../../domain/suites/chains/chains.ts';
import type { BarCommit, SuiteStore } from '../../domain/suites/ports.ts';
import type { StoredSuite } from '../../domain/suites/stored.ts';
import { createListed } from '../lists/listMembers.ts';
import { putNew } from '../table/documents.ts';
import { projectHeadKey, suiteList } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { deleteHeaded } from './deleteHeaded.ts';
import { putPlace } from './places.ts';
import { suiteReader } from './readers/suiteReader.ts';
import { headKeyOf, newHead } from './suiteHeads.ts';

function projectWrite(orgId: string, { project, scorers }: BarCommit): Write {
  const Key = projectHeadKey(orgId, project.slug);
  const isSame = {
    ConditionExpression: 'id = :id AND n = :before',
    ExpressionAttributeValues: { ':id': project.id, ':before': project.position.n },
  };
  if (scorers === 'unchanged') return { ConditionCheck: { Key, ...isSame } };
  if (scorers === 'any') {
    const condition = { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': project.id } };
    return { ConditionCheck: { Key, ...condition } };
  }
  const after = { ':n': scorers.n, ':token': scorers.token };
  return {
    Update: {
      Key,
      ...isSame,
      UpdateExpression: 'SET n = :n, #token = :token',
      ExpressionAttributeNames: { '#token': 'token' },
      ExpressionAttributeValues: { ...isSame.ExpressionAttributeValues, ...after },
    },
  };
}

const headWrite = (orgId: string, { suite, before, after }: BarCommit): Write => ({
  Update: {
    Key: headKeyOf(orgId, suite),
    UpdateExpression: 'SET n = :n, #token = :token',
    ConditionExpression: 'suite_id = :id AND n = :before',
    ExpressionAttributeNames: { '#token': 'token' },
    ExpressionAttributeValues: {
      ...{ ':id': suite.id, ':before': before?.n, ':n': after.n, ':token': after.token },
    },
  },
});

async function commit(table: Table, orgId: string, bar: BarCommit): ReturnType<SuiteStore['commit']> {
  const { suite, before, after, scorers } = bar;
  const project = projectWrite(orgId, bar);
  if (before !== undefined) {
    const { committed } = await table.transact({ head: headWrite(orgId, bar), project });
    return committed ? 'created' : 'changed';
  }
  const { id, slug, project_id } = suite;
  const made = await createListed(table, {
    id,
    list: suiteList(orgId, project_id),
    limit: LIMIT.suites,
    writes: {
      head: putNew(headKeyOf(orgId, suite), newHead(suite, after)),
      place: putPlace(orgId, { id, slug, project_id }),
      project,
    },
    explain: (failed) => {
      if (failed.has('head')) return failed.get('head')?.suite_id === id ? 'created' : 'slug_taken';
      if (failed.has('place')) return 'id_taken';
      if (!failed.has('project')) return undefined;
      return scorers === 'any' ? 'parent_gone' : 'changed';
    },
  });
  return made;
}

const deleteSuite = (
  table: Table,
  orgId: string,
  suite: StoredSuite,
  { deletedAt, at }: Parameters<SuiteStore['delete']>[2],
): ReturnType<SuiteStore['delete']> =>
  deleteHeaded(
    table,
    suiteChain(orgId, { suiteId: suite.id, slug: suite.slug, projectId: suite.project_id }),
    { deletedAt, at, list: suiteList(orgId, suite.project_id) },
  );

export const suiteStore = (table: Table): SuiteStore => ({
  ...suiteReader(table),
  commit: (orgId, bar) => commit(table, orgId, bar),
  delete: (orgId, suite, deleted) => deleteSuite(table, orgId, suite, deleted),
});
