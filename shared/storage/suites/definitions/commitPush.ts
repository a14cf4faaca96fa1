import type { Pushed, RecordedPush, SuitePush } from '../../../domain/definitions/ports.ts';
import { LIMIT } from '../../../domain/limits.ts';
import { appendToList, idsOf, type ListBlock, readList } from '../../lists/lists.ts';
import { packItem } from '../../packs/packedSuites.ts';
import { purgeDue } from '../../purge/purges.ts';
import { putNew } from '../../table/documents.ts';
import { caseList, projectHeadKey, scorerList, suiteKey, suiteList } from '../../table/keys.ts';
import { afterPushes, settlePushIn } from '../../table/pushes/afterPushes.ts';
import { finishPush } from '../../table/pushes/finishPush.ts';
import { dropLog, writeLog } from '../../table/pushes/log.ts';
import { NO_PUSH, type PushUnderWay, underWay } from '../../table/pushes/underWay.ts';
import type { Item, Table, Write } from '../../table/table.ts';
import { countFields } from '../suiteCounts.ts';
import { headKeyOf, newHead } from '../suiteHeads.ts';
import { logOf, nextVersion } from './pushLog.ts';
import { scorersAtOnce } from './scorersAtOnce.ts';

/**
 * Puts a push in force by one transaction, with a log of all that it is still to write, and writes that out. Runs find
 * the suite packed under its new revision until then.
 */
export async function commitPush(any: Table, orgId: string, push: SuitePush): Promise<Pushed> {
  const table = afterPushes(any);
  const { suite, scorers } = push;
  const atOnce = scorersAtOnce(orgId, push);
  if (atOnce === undefined) return 'too_many_shared';
  await settlePushIn(table, projectHeadKey(orgId, push.before.project.slug));
  const changesList = scorers.made.length + scorers.deleted.length > 0;
  const [cases, listed, suites] = await Promise.all([
    readList(table, caseList(orgId, suite.id)),
    changesList ? readList(table, scorerList(orgId, suite.project_id)) : [],
    push.before.head === undefined ? readList(table, suiteList(orgId, suite.project_id)) : [],
  ]);
  if (idsOf(suites).length >= LIMIT.suites) return 'suites_limit';
  if (idsOf(listed).length + scorers.made.length - scorers.deleted.length > LIMIT.scorers)
    return 'scorers_limit';
  const place = { orgId, suiteId: suite.id, pushId: push.id };
  await writeLog(table, place, logOf(orgId, push, { cases, scorers: listed, atOnce }));
  const outcome = await table.transact<string>({
    project: projectWrite(orgId, push),
    ...suiteWrites(orgId, push, suites),
    ...packWrite(orgId, push),
    due: purgeDue(orgId, 'push', suite.id, push.at),
    ...Object.fromEntries([...atOnce.values()].map((write, index) => [`scorer${index}`, write])),
  });
  if (!outcome.committed) {
    await dropLog(table, place);
    return 'changed';
  }
  await finishPush(table, underWayOf(orgId, push));
  return 'pushed';
}

function packWrite(orgId: string, { pack, suite, at }: SuitePush): Record<string, Write> {
  if (pack === undefined) return {};
  const place = { orgId, suiteId: suite.id, revision: pack.revision };
  return { pack: { Put: { Item: packItem(place, pack.suite, Date.parse(at)) } } };
}

const underWayOf = (orgId: string, { id, suite }: SuitePush): PushUnderWay => ({
  id,
  org_id: orgId,
  suite_id: suite.id,
  suite_slug: suite.slug,
  project_id: suite.project_id,
  project_slug: suite.project_slug,
});

const writesScorers = ({ scorers: { made, changed, deleted } }: SuitePush): boolean =>
  made.length + changed.length + deleted.length > 0;

function projectWrite(orgId: string, push: SuitePush): Write {
  const { project } = push.before;
  const bumped = push.keepsJudges ? 'scorers_revision :one, judges_kept :one' : 'scorers_revision :one';
  const isBumped = writesScorers(push);
  const marked = underWay(underWayOf(orgId, push));
  return {
    Update: {
      Key: projectHeadKey(orgId, project.slug),
      UpdateExpression: `SET push = :push, push_id = :push_id${isBumped ? ` ADD ${bumped}` : ''}`,
      ConditionExpression: `id = :id AND scorers_revision = :revision AND ${NO_PUSH}`,
      ExpressionAttributeValues: {
        ':push': marked.push,
        ':push_id': marked.push_id,
        ':id': project.id,
        ':revision': project.scorersRevision,
        ...(isBumped && { ':one': 1 }),
      },
    },
  };
}

function suiteWrites(orgId: string, push: SuitePush, suites: readonly ListBlock[]): Record<string, Write> {
  const { suite, before } = push;
  const document = { ...suiteKey(orgId, suite.id), ...suite, version: nextVersion(push, suite.id) };
  if (before.head !== undefined) {
    return {
      head: headWrite(orgId, push, before.head.revision),
      document: { Put: { Item: document, ...whileNewest(before.newestJob) } },
    };
  }
  const head = { ...newHead(suite, countsAfter(push, 1)), ...underWay(underWayOf(orgId, push)) };
  return {
    head: putNew(headKeyOf(orgId, suite), head),
    document: putNew(suiteKey(orgId, suite.id), document),
    list: appendToList(suiteList(orgId, suite.project_id), suites, [suite.id], LIMIT.suites),
  };
}

interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeValues?: Item;
}

/** Fails when another job has said meanwhile that it is the newest, whose push changes nothing. */
const whileNewest = (job: string | undefined): Condition =>
  job === undefined
    ? { ConditionExpression: 'attribute_not_exists(newest_job)' }
    : { ConditionExpression: 'newest_job = :before', ExpressionAttributeValues: { ':before': job } };

function headWrite(orgId: string, push: SuitePush, revision: number): Write {
  const counts = Object.entries(countsAfter(push, revision + 1));
  const marked = underWay(underWayOf(orgId, push));
  const fields = [...counts, ...Object.entries(marked)];
  return {
    Update: {
      Key: headKeyOf(orgId, push.suite),
      UpdateExpression: `SET ${fields.map(([name]) => `${name} = :${name}`).join(', ')} ADD revision :one`,
      ConditionExpression: `suite_id = :id AND revision = :revision AND ${NO_PUSH}`,
      ExpressionAttributeValues: {
        ...Object.fromEntries(fields.map(([name, value]) => [`:${name}`, value])),
        ':one': 1,
        ':id': push.suite.id,
        ':revision': revision,
      },
    },
  };
}

function countsAfter(push: SuitePush, revision: number): Item {
  const { judgesRevision } = push.before.project;
  const bumped = writesScorers(push) && !push.keepsJudges ? 1 : 0;
  return countFields({ ...push.counts, judgesRevision: judgesRevision + bumped }, revision);
}

/** Later pushes are compared with its run. False when the suite has changed since its head was read. */
export async function recordPush(
  table: Table,
  orgId: string,
  { suite, revision, newestJob }: RecordedPush,
): Promise<boolean> {
  const isNewest = whileNewest(newestJob);
  const { committed } = await table.transact({
    head: {
      ConditionCheck: {
        Key: headKeyOf(orgId, suite),
        ConditionExpression: 'suite_id = :id AND revision = :revision',
        ExpressionAttributeValues: { ':id': suite.id, ':revision': revision },
      },
    },
    document: {
      Update: {
        Key: suiteKey(orgId, suite.id),
        UpdateExpression: 'SET last_push = :push, newest_job = :job, #owner = :owner',
        ConditionExpression: `attribute_exists(pk) AND ${isNewest.ConditionExpression}`,
        ExpressionAttributeNames: { '#owner': 'owner' },
        ExpressionAttributeValues: {
          ...isNewest.ExpressionAttributeValues,
          ...{ ':push': suite.last_push, ':job': suite.newest_job, ':owner': suite.owner },
        },
      },
    },
  });
  return committed;
}
