import { OPEN_JUDGED_CASES_MAX } from '../../shared/domain/limits.ts';
import { openCasesIn } from '../../shared/storage/runs/openCases.ts';
import { openCasesKey } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';

/** What is wrong with an organisation's counter of open judged cases. The runs that have ended took nothing. */
export async function faultOfOpenCases(
  table: Table,
  orgId: string,
  runs: Iterable<{ readonly orgId: string; readonly openCases: number }>,
): Promise<string | undefined> {
  const own = [...runs].filter((run) => run.orgId === orgId);
  const due = own.reduce((sum, { openCases }) => sum + openCases, 0);
  const open = openCasesIn(await table.get(openCasesKey(orgId)));
  if (open !== due) return `${open} judged cases are counted as open, and pending runs have ${due}`;
  return open > OPEN_JUDGED_CASES_MAX ? `${open} judged cases are open` : undefined;
}
