import { currentOf, currentProject } from '../../shared/domain/suites/chains/chains.ts';
import { chainStore } from '../../shared/storage/revisions/chains.ts';
import { projectStore } from '../../shared/storage/suites/projects.ts';
import { suiteStore } from '../../shared/storage/suites/suites.ts';
import type { Table } from '../../shared/storage/table/table.ts';

interface Keyed {
  readonly row: { readonly id: string; readonly key: string };
}

/** What is wrong with who has which key, if anything. */
function faultOf(members: readonly Keyed[]): string | undefined {
  const keys = members.map(({ row }) => row.key);
  return new Set(keys).size === keys.length ? undefined : `a key stands twice among ${keys}`;
}

/** No two cases of a suite have one key. */
export async function faultOfCaseKeys(
  table: Table,
  { orgId, suiteId }: { readonly orgId: string; readonly suiteId: string },
): Promise<string | undefined> {
  const found = await suiteStore(table).holding(orgId, suiteId);
  return found && faultOf(await currentOf(chainStore(table), orgId, found).members());
}

/** The same of a project's scorers. */
export async function faultOfScorerKeys(
  table: Table,
  { orgId, projectId }: { readonly orgId: string; readonly projectId: string },
): Promise<string | undefined> {
  const head = await projectStore(table).holding(orgId, projectId);
  if (head === undefined) return undefined;
  return faultOf(await (await currentProject(chainStore(table), orgId, head)).members());
}
