import {
  caseKey,
  heldKeyKey,
  type Key,
  projectPartition,
  scorerKey,
  suitePartition,
} from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';

async function dropKey(table: Table, Key: Key, partition: string): Promise<void> {
  const item = await table.get(Key);
  const dropped = await table.transact({
    held: { Delete: { Key: heldKeyKey(partition, String(item?.key)) } },
    resource: {
      Update: {
        Key,
        UpdateExpression: 'SET #key = id',
        ExpressionAttributeNames: { '#key': 'key' },
      },
    },
  });
  if (!dropped.committed) throw new Error(`dropping the key of ${Key.sk}`);
}

interface CasePlace {
  readonly project: { readonly org_id: string };
  readonly suite: { readonly id: string };
}

/** Leaves a case as it is restored where another one has taken its key. */
export const dropKeyOfCase = (table: Table, { project, suite }: CasePlace, id: string): Promise<void> =>
  dropKey(table, caseKey(project.org_id, suite.id, id), suitePartition(project.org_id, suite.id));

/** The same of a scorer. */
export const dropKeyOfScorer = (
  table: Table,
  { org_id, id: projectId }: { readonly org_id: string; readonly id: string },
  id: string,
): Promise<void> => dropKey(table, scorerKey(org_id, id), projectPartition(org_id, projectId));
