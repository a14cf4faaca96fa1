import type { StoredRun } from '../../domain/runs/ports.ts';
import { type Key, suiteHeadKey, suiteKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** The key of the head of a run's suite. Runs of an earlier version hold no slug: it is read from the suite. */
export async function headKeyOfRun(table: Table, orgId: string, run: StoredRun): Promise<Key | undefined> {
  const slug = run.suite_slug ?? (await table.get(suiteKey(orgId, run.suite_id)))?.slug;
  return slug === undefined ? undefined : suiteHeadKey(orgId, String(slug), run.project_id);
}
