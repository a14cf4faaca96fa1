import { randomUUID } from 'node:crypto';
import { purgeDue } from '../../shared/storage/purge/purges.ts';
import { projectHeadKey, purgeKey, suiteHeadKey, suitePartition } from '../../shared/storage/table/keys.ts';
import { writeLog } from '../../shared/storage/table/pushes/log.ts';
import { underWay } from '../../shared/storage/table/pushes/underWay.ts';
import type { Table } from '../../shared/storage/table/table.ts';

interface Place {
  readonly project: { readonly id: string; readonly slug: string; readonly org_id: string };
  readonly suite: { readonly id: string; readonly slug: string };
}

const LONG_AGO = '2026-01-01T00:00:00.000Z';

/** Leaves the suite as a push does that dies once it is in force, with every kind of write still to do. */
export async function leaveUnfinished(table: Table, { project, suite }: Place): Promise<void> {
  const orgId = project.org_id;
  const pk = suitePartition(orgId, suite.id);
  const place = { orgId, suiteId: suite.id, pushId: randomUUID() };
  await writeLog(table, place, {
    at: new Date().toISOString(),
    changed: [{ item: { pk, sk: 'LEFT#1', text: 'changed' }, version: 1 }],
    groups: [
      [{ put: { pk, sk: 'LEFT#2', text: 'made' } }, { drop: { pk, sk: 'LEFT#3' } }],
      [{ hide: { pk, sk: 'LEFT#4' } }],
    ],
  });
  const push = {
    ...{ id: place.pushId, org_id: orgId, suite_id: suite.id, suite_slug: suite.slug },
    ...{ project_id: project.id, project_slug: project.slug },
  };
  const marked = underWay(push);
  const values = { ':push': marked.push, ':push_id': marked.push_id };
  for (const Key of [suiteHeadKey(orgId, suite.slug, project.id), projectHeadKey(orgId, project.slug)]) {
    const UpdateExpression = 'SET push = :push, push_id = :push_id';
    await table.update({ Key: { ...Key }, UpdateExpression, ExpressionAttributeValues: values });
  }
  await table.transact({ due: purgeDue(orgId, 'push', suite.id, LONG_AGO) });
}

/** Whether the suite has a push that is still to be written out. */
export async function isUnfinished(table: Table, { project, suite }: Place): Promise<boolean> {
  const orgId = project.org_id;
  const heads = [suiteHeadKey(orgId, suite.slug, project.id), projectHeadKey(orgId, project.slug)];
  const items = await table.getMany([...heads, purgeKey(orgId, 'push', suite.id)]);
  return items.some((item) => item?.push_id !== undefined || item?.kind === 'push');
}
