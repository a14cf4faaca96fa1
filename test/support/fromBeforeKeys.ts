import {
  caseKey,
  heldKeyKey,
  projectPartition,
  scorerKey,
  suitePartition,
} from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';

interface CasePlace {
  readonly project: { readonly org_id: string };
  readonly suite: { readonly id: string };
}

/** Leaves a case as a version without keys and rules stored it. */
export async function makeCaseFromBefore(
  table: Table,
  { project, suite }: CasePlace,
  id: string,
): Promise<void> {
  const { org_id: orgId } = project;
  const item = await table.get(caseKey(orgId, suite.id, id));
  await table.delete(heldKeyKey(suitePartition(orgId, suite.id), String(item?.key)), {
    ConditionExpression: 'case_id = :id',
    ExpressionAttributeValues: { ':id': id },
  });
  const { key: _, tags, must_pass, advisory, sample_count, sample_pass_rate, ...old } = item ?? {};
  await table.put(old);
}

interface ProjectPlace {
  readonly org_id: string;
  readonly id: string;
}

/** Leaves a scorer as a version without keys stored it. */
export async function makeScorerFromBefore(table: Table, project: ProjectPlace, id: string): Promise<void> {
  const { org_id: orgId, id: projectId } = project;
  const item = await table.get(scorerKey(orgId, id));
  await table.delete(heldKeyKey(projectPartition(orgId, projectId), String(item?.key)), {
    ConditionExpression: 'scorer_id = :id',
    ExpressionAttributeValues: { ':id': id },
  });
  const { key: _, ...old } = item ?? {};
  await table.put(old);
}
