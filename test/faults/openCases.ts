import { OPEN_JUDGED_CASES_MAX } from '../../shared/domain/limits.ts';
import type { TakenCases } from '../../shared/storage/runs/openCases.ts';
import { lastNumberOf, openCasesOf } from '../../shared/storage/table/keys.ts';
import type { Table } from '../../shared/storage/table/table.ts';

/** What is wrong with an organisation's counter of open judged cases. The runs that have ended took nothing. */
export async function faultOfOpenCases(
  table: Table,
  orgId: string,
  runs: Iterable<{ readonly orgId: string; readonly openCases: TakenCases }>,
): Promise<string | undefined> {
  const taken = new Map<number, number>();
  for (const run of runs) {
    if (run.orgId !== orgId) continue;
    for (const [shard, cases] of Object.entries(run.openCases)) {
      taken.set(Number(shard), (taken.get(Number(shard)) ?? 0) + cases);
    }
  }
  const items = await table.query(openCasesOf(orgId));
  const counted = new Map(items.map((item) => [lastNumberOf(item), Number(item.open_cases)]));
  for (const shard of new Set([...taken.keys(), ...counted.keys()])) {
    const [is, due] = [counted.get(shard) ?? 0, taken.get(shard) ?? 0];
    if (is !== due) return `shard ${shard} counts ${is} open judged cases, and its pending runs have ${due}`;
  }
  const sum = [...counted.values()].reduce((all, cases) => all + cases, 0);
  return sum > OPEN_JUDGED_CASES_MAX ? `${sum} judged cases are open` : undefined;
}
