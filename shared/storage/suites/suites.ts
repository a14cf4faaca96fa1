import { randomBytes } from 'node:crypto';
import type { LoggedChange } from '../../domain/changes/log.ts';
import { LIMIT } from '../../domain/limits.ts';
import { projectChain, suiteChain } from '../../domain/suites/chains/chains.ts';
import type { RevisionsCommit, SuiteStore } from '../../domain/suites/ports.ts';
import type { StoredSuite } from '../../domain/suites/stored.ts';
import { logWrite } from '../lists/changeLog.ts';
import { createListed } from '../lists/listMembers.ts';
import { flipOf, isInForce, keysOf } from '../revisions/revisions.ts';
import { putNew } from '../table/documents.ts';
import { suiteList } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { deleteHeaded } from './deleteHeaded.ts';
import { putPlace } from './places.ts';
import { suiteReader } from './readers/suiteReader.ts';
import { headKeyOf, newHead } from './suiteHeads.ts';

function projectWrite(orgId: string, { project, scorers }: RevisionsCommit): Write {
  const chain = projectChain(orgId, project);
  if (typeof scorers !== 'string') return { Update: flipOf(chain, project.position, scorers) };
  const isThere = { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': project.id } };
  const condition = scorers === 'any' ? isThere : isInForce(chain, project.position);
  return { ConditionCheck: { Key: keysOf(chain).head, ...condition } };
}

const SALT_BYTES = 16;

const chainOf = (orgId: string, { id, slug, project_id }: StoredSuite) =>
  suiteChain(orgId, { suiteId: id, slug, projectId: project_id });

async function commit(table: Table, orgId: string, bar: RevisionsCommit): ReturnType<SuiteStore['commit']> {
  const { suite, before, after, scorers } = bar;
  const project = projectWrite(orgId, bar);
  if (before !== undefined) {
    const { committed } = await table.transact({
      head: { Update: flipOf(chainOf(orgId, suite), before, after) },
      project,
    });
    return committed ? 'created' : 'changed';
  }
  const { id, slug, project_id } = suite;
  const outcome = await createListed(table, {
    id,
    list: suiteList(orgId, project_id),
    limit: LIMIT.suites,
    writes: {
      head: putNew(headKeyOf(orgId, suite), newHead(suite, after)),
      place: putPlace(orgId, { id, slug, project_id, salt: randomBytes(SALT_BYTES).toString('hex') }),
      log: logWrite(orgId, logOf(suite, { action: 'created', by: after.by, at: after.at })),
      project,
    },
    explain: (failed) => {
      if (failed.has('head')) return failed.get('head')?.suite_id === id ? 'created' : 'slug_taken';
      if (failed.has('place')) return 'id_taken';
      if (!failed.has('project')) return undefined;
      return scorers === 'any' ? 'parent_gone' : 'changed';
    },
  });
  return outcome;
}

const deleteSuite = (
  table: Table,
  orgId: string,
  suite: StoredSuite,
  { at: deletedAt, by, scorers, expected }: Parameters<SuiteStore['delete']>[2],
): ReturnType<SuiteStore['delete']> => {
  const log = logWrite(orgId, logOf(suite, { action: 'deleted', by, at: deletedAt }));
  return deleteHeaded(table, chainOf(orgId, suite), {
    deletedAt,
    at: expected,
    list: suiteList(orgId, suite.project_id),
    kept: { by, scorers },
    writes: async () => ({ log }),
  });
};

const logOf = (
  { id, project_id, slug: key, name }: StoredSuite,
  entry: Pick<LoggedChange, 'action' | 'by' | 'at'>,
): LoggedChange => ({
  ...entry,
  projectId: project_id,
  target: { type: 'suite', id, key, name },
  changes: {},
});

export const suiteStore = (table: Table): SuiteStore => ({
  ...suiteReader(table),
  commit: (orgId, bar) => commit(table, orgId, bar),
  delete: (orgId, suite, deleted) => deleteSuite(table, orgId, suite, deleted),
});
