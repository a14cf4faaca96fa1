import type { ProjectRuns, ProjectUsageStore } from '../../domain/billing/ports.ts';
import { projectKey, usageOfMonth } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';

const IS_ID = /^[\da-f-]{36}$/;

/** By project; null: what was counted without one. The sum is that of the organisation. */
function runsIn(items: readonly Item[]): Map<string | null, number> {
  const runs = new Map<string | null, number>();
  const add = (projectId: string | null, count: number) =>
    runs.set(projectId, (runs.get(projectId) ?? 0) + count);
  for (const item of items) {
    add(null, Number(item.used));
    for (const [name, value] of Object.entries(item)) {
      if (!IS_ID.test(name)) continue;
      add(name, Number(value));
      add(null, -Number(value));
    }
  }
  return runs;
}

/** Also of a project that was deleted, as it was named last, until everything of it is dropped. */
async function deletedProject(table: Table, orgId: string, id: string): Promise<Item | undefined> {
  const { pk, sk } = projectKey(orgId, id);
  return (await table.query({ pk, prefix: sk }, { withExpired: true, limit: 1 }))[0];
}

export const projectUsageStore = (table: Table): ProjectUsageStore => ({
  async byProject(orgId, month) {
    const runs = runsIn(await table.query(usageOfMonth(orgId, month)));
    const ids = [...runs.keys()].filter((id) => id !== null);
    const living = await table.getMany(ids.map((id) => projectKey(orgId, id)));
    const counted = ids.map(async (id, index): Promise<ProjectRuns> => {
      const item = living[index] ?? (await deletedProject(table, orgId, id));
      return {
        id,
        slug: item === undefined ? null : String(item.slug),
        name: item === undefined ? null : String(item.name),
        isDeleted: living[index] === undefined,
        runs: runs.get(id) ?? 0,
      };
    });
    const rest = { id: null, slug: null, name: null, isDeleted: false, runs: runs.get(null) ?? 0 };
    return [...(await Promise.all(counted)), rest]
      .filter((project) => project.runs !== 0)
      .toSorted((a, b) => b.runs - a.runs || ((a.id ?? '') < (b.id ?? '') ? -1 : 1));
  },
});
