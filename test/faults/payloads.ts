import { below, outputsKey, payloadKey } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';
import type { AuditedRun } from './auditor.ts';

/**
 * Of a run whose cases were fixed and that has ended, nothing of what was sent is left. Of one that was never planned,
 * a function may die between its end and that, and then it expires.
 */
export async function faultOfPayload(
  table: Table,
  { orgId, suiteId, runToken, label, status, wasPlanned }: AuditedRun,
): Promise<string | undefined> {
  if (status === 'pending' || !wasPlanned) return undefined;
  for (const keyOf of [payloadKey, outputsKey]) {
    const [left] = await table.query(below(keyOf(orgId, suiteId, runToken)), { withExpired: true });
    if (left !== undefined) return `run ${label} has ended, and ${left.sk} is still there`;
  }
  return undefined;
}
